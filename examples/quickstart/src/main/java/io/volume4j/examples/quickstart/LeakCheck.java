package io.volume4j.examples.quickstart;

import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks for what should be gone: mounts, loop devices and files below the root. */
final class LeakCheck {
    private LeakCheck() {}

    /** Says what is left; true if nothing is. */
    static boolean proveNothingIsLeft(MountBackend machine, Path root, Journey journey) {
        List<String> leaks = leaks(machine, root);
        if (leaks.isEmpty()) {
            journey.say("nothing is left: no mount, no loop device, no file");
            return true;
        }
        leaks.forEach(leak -> journey.say("LEFT BEHIND: " + leak));
        return false;
    }

    /** What is left; the root's identity and the journal stay for the next run. */
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

    /** Empty directories that the library keeps for next time are no leak; anything in them is. */
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
