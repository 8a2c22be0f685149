package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.FileReason;
import io.volume4j.examples.commandline.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory where the CSI drivers of a node announce themselves. */
final class RegistrationDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationDirectory.class);
    private static final String OPTION = "--csi-registration: ";
    private static final String ADVICE = "name the directory where the drivers register, as kubelet's plugins_registry";

    private RegistrationDirectory() {}

    /**
     * Makes sure that there is such a directory. Creates it if only its last name is missing, for this process's user alone, and
     * logs that: the agent may start before the first driver. In a mistaken path more is missing, and there no driver would ever
     * announce itself.
     *
     * @throws Usage if it cannot be used
     */
    static void require(Path directory) {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path missing = firstMissing(directory);
        if (!missing.equals(directory)) {
            throw new Usage(OPTION + "there is no directory " + directory + ", not even " + missing
                    + "; correct the path or create " + directory.getParent() + ", or " + ADVICE);
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failed) {
            if (Files.isDirectory(directory)) {
                // a kubelet or a driver was faster
                return;
            }
            throw new Usage(
                    OPTION + "cannot create the directory " + directory + ": " + FileReason.of(failed) + "; " + ADVICE);
        }
        LOG.atInfo()
                .addKeyValue("action", "create")
                .addKeyValue("directory", directory)
                .log("created the directory of --csi-registration; no driver has registered there yet");
    }

    /**
     * The first part of the path, from the root, that does not exist; the whole path if only that is missing, or if a part is a file or
     * may not be looked at: the attempt to create the directory then has the reason.
     */
    private static Path firstMissing(Path directory) {
        Path missing = directory;
        for (Path parent = directory.getParent();
                parent != null && Files.notExists(parent);
                parent = parent.getParent()) {
            missing = parent;
        }
        Path there = missing.getParent();
        // newer JDKs call a path below a file missing, too
        return there == null || Files.isDirectory(there) ? missing : directory;
    }
}
