package io.volume4j.examples.quickstart;

import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks for leftovers below the root: mounts, loop devices and files. */
final class LeakCheck {
    private LeakCheck() {}

    /** Prints what is left. True if nothing is left. */
    static boolean proveNothingIsLeft(MountBackend machine, Path root, Journey journey) {
        List<String> leaks = leaks(machine, root);
        if (leaks.isEmpty()) {
            journey.say("nothing is left: no mount, no loop device, no file");
            return true;
        }
        leaks.forEach(leak -> journey.say("LEFT BEHIND: " + leak));
        return false;
    }

    /** The leftovers. The root's identity and the journal are none: they stay for the next run. */
    static List<String> leaks(MountBackend machine, Path root) {
        List<String> leaks = new ArrayList<>();
        machine.table().below(root).forEach(mount -> leaks.add("mount " + mount.mountPoint()));
        machine.loops().below(root).forEach(loop -> leaks.add("loop device " + loop.device() + " of " + loop.file()));
        for (String name : machine.files().listRoot(root)) {
            if (!name.equals("root-id") && !name.equals("journal") && !name.startsWith("journal.")) {
                files(machine.files(), RootedPath.of(root, name), leaks);
            }
        }
        return leaks;
    }

    /** The library keeps empty directories for the next run, so only files in them are leaks. */
    private static void files(HostFiles files, RootedPath path, List<String> leaks) {
        FileStatus.Type type = files.status(path).map(FileStatus::type).orElse(FileStatus.Type.DIRECTORY);
        if (type != FileStatus.Type.DIRECTORY) {
            leaks.add("file " + path);
            return;
        }
        for (String name : files.list(path)) {
            files(files, path.resolve(name), leaks);
        }
    }
}
