package io.volume4j.csi.driver.server;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory of a socket. No other user may write to it: a user who can replace the socket gets the secrets. */
public final class PrivateDirectory {
    private static final int STICKY = 01000;
    private static final int GROUP_OR_OTHERS_WRITE = 0022;
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private PrivateDirectory() {}

    /**
     * Creates the directory of the socket, for this user only, if it does not exist. Removes a socket that a dead process left.
     *
     * @throws IOException if other users may write to the directory, or may exchange one of its parents; if a process listens at the
     *     socket; or if the path exists and is not a socket
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
        makeRoom(socket);
    }

    /** A user may have mistyped the path. So the driver removes only the socket of a dead process. */
    private static void makeRoom(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int type = (Integer) Files.getAttribute(socket, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE;
        if (type != SOCKET) {
            throw new IOException(socket + " is there and is no socket; name another path, or remove it");
        }
        if (isServed(socket)) {
            throw new IOException("another process listens at " + socket + "; stop it, or name another path");
        }
        Files.deleteIfExists(socket);
    }

    private static boolean isServed(Path socket) {
        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return peer.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
