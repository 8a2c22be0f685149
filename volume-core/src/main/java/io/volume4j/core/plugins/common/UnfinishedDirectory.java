package io.volume4j.core.plugins.common;

import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.util.Optional;

/**
 * A directory that a crash left between its creation and the change of its mode, so that the umask still affects it.
 */
public final class UnfinishedDirectory {
    private UnfinishedDirectory() {}

    /**
     * Gives such a directory the mode, and changes no other directory. The umask only removes bits. A directory with
     * other bits has its pod's group; it, and a directory with content, may be in use already.
     */
    public static void finish(HostFiles files, RootedPath directory, int mode) {
        Optional<FileStatus> there = files.status(directory);
        if (there.isPresent() && isUnfinished(files, directory, there.get(), mode)) {
            files.changeUser(directory, there.get().user(), mode);
        }
    }

    private static boolean isUnfinished(HostFiles files, RootedPath directory, FileStatus there, int mode) {
        boolean masked =
                there.type() == FileStatus.Type.DIRECTORY && there.mode() != mode && (there.mode() & ~mode) == 0;
        return masked && files.list(directory).isEmpty();
    }
}
