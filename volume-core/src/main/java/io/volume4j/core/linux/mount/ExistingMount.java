package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;

/** Examines an existing mount at a path, and creates the failure for a mount that the library did not make. */
final class ExistingMount {
    private ExistingMount() {}

    /** The mount at the path, from a table that was read after the path was found occupied. */
    static MountEntry at(MountSnapshot mounts, MountPlace place) {
        return mounts.at(place.occupied())
                .orElseThrow(() -> VolumeException.transientFailure(
                        "something was mounted on " + place + " and is gone again from the mount table"));
    }

    /** The root of the mount at the target, if it is still the given mount. */
    static Descriptor open(SafePaths paths, RootedPath target, long mountId) {
        Descriptor top = paths.open(target);
        if (paths.mountId(top) == mountId) {
            return top;
        }
        top.close();
        throw VolumeException.transientFailure("the mount on " + target + " was replaced by another just now");
    }

    static VolumeException foreign(String tried, MountEntry there) {
        return VolumeException.finalFailure(tried + ": something else is mounted there: " + there.fsType() + " from "
                        + there.source() + (there.rootInFilesystem().equals("/") ? "" : there.rootInFilesystem()))
                .withAdvice("find what mounted it, and unmount it by hand if it is not needed");
    }

    /** The path of a file inside its filesystem, for the mount on which it was found. */
    static String rootInFilesystem(MountEntry mount, Path file) {
        Path within = mount.mountPoint().relativize(file);
        return within.toString().isEmpty()
                ? mount.rootInFilesystem()
                : Path.of(mount.rootInFilesystem()).resolve(within).toString();
    }
}
