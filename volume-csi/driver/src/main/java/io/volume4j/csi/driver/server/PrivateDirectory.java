package io.volume4j.csi.driver.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory of a socket. No other user may write to it: a user who can replace the socket gets the secrets. */
public final class PrivateDirectory {
    private static final int STICKY = 01000;
    private static final int GROUP_OR_OTHERS_WRITE = 0022;

    private PrivateDirectory() {}

    /**
     * Creates the directory of the socket, for this user only, if it does not exist.
     *
     * @throws IOException if other users may write to it, or may exchange one of its parents
     */
    public static void prepare(Path socket) throws IOException {
        Path directory = socket.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Path real = directory.toRealPath();
        for (Path each = real; each != null; each = each.getParent()) {
            int mode = (Integer) Files.getAttribute(each, "unix:mode");
            boolean sticky = (mode & STICKY) != 0;
            // in a sticky directory other users cannot exchange this directory, but can be the first to create a socket
            if ((mode & GROUP_OR_OTHERS_WRITE) != 0 && (each.equals(real) || !sticky)) {
                throw new IOException(
                        "%s may be written by others (mode %o), so any user could put another socket in the place of %s;"
                                        .formatted(each, mode & 07777, socket)
                                + " name a path in a directory that only you may write, or in one that is not there yet:"
                                + " the driver makes it so");
            }
        }
    }
}
