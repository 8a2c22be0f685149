package io.volume4j.csi.internal.transport;

import io.volume4j.csi.SocketTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides whether only a trusted driver can own the socket at a path: no other user may be able to put another socket
 * there. The guard checks each name of the path, through links too, because one writable directory in the path is enough
 * to exchange what is behind it (CVE-2024-25621).
 *
 * <p>The guard checks before the connection; {@link PeerCheck} checks the process that accepted it.
 */
final class SocketGuard {
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;
    private static final int LINK = 0120000;
    private static final int DIRECTORY = 0040000;
    private static final int STICKY = 01000;
    private static final int GROUP_OR_OTHERS_WRITE = 0022;
    private static final int OTHERS_WRITE = 0002;
    private static final int MOST_LINKS = 40;

    private final Set<Integer> trusted;
    private final boolean worldWritableSocket;

    SocketGuard(SocketTrust trust, int ownUid) {
        Set<Integer> uids = new TreeSet<>(trust.uids());
        uids.add(0);
        uids.add(ownUid);
        this.trusted = uids;
        this.worldWritableSocket = trust.worldWritableSocket();
    }

    /** The users as which a driver may run. */
    Set<Integer> trusted() {
        return trusted;
    }

    /**
     * The identity of the socket.
     *
     * @throws UntrustedSocketException if another user could own the socket
     * @throws IOException if it does not exist or cannot be checked
     */
    SocketIdentity check(Path socket) throws IOException {
        Path done = socket.getRoot();
        Path rest = done.relativize(socket);
        int links = 0;
        checkDirectory(done, stat(done), socket.getNameCount() == 1);
        while (true) {
            boolean last = rest.getNameCount() == 1;
            Path here = done.resolve(rest.getName(0));
            Path beyond = last ? null : rest.subpath(1, rest.getNameCount());
            Stat stat = stat(here);
            switch (stat.type()) {
                case LINK -> {
                    if (++links > MOST_LINKS) {
                        throw new UntrustedSocketException("too many links on the way to " + socket);
                    }
                    checkOwner(here, stat);
                    Path target = done.resolve(Files.readSymbolicLink(here));
                    Path whole = (beyond == null ? target : target.resolve(beyond)).normalize();
                    done = whole.getRoot();
                    rest = done.relativize(whole);
                }
                case DIRECTORY -> {
                    if (beyond == null) {
                        throw new UntrustedSocketException(here + " is a directory, not a socket");
                    }
                    checkDirectory(here, stat, beyond.getNameCount() == 1);
                    done = here;
                    rest = beyond;
                }
                default -> {
                    if (beyond != null || stat.type() != SOCKET) {
                        throw new UntrustedSocketException(here + " is not a socket");
                    }
                    checkSocket(here, stat);
                    return sameAsKernelSees(socket, here);
                }
            }
        }
    }

    /** The guard may resolve a link differently than the kernel does, or a user exchanged the link meanwhile. */
    private static SocketIdentity sameAsKernelSees(Path socket, Path found) throws IOException {
        SocketIdentity checked = SocketIdentity.of(found);
        if (!checked.equals(SocketIdentity.of(socket))) {
            throw new UntrustedSocketException("%s does not lead to %s any more".formatted(socket, found));
        }
        return checked;
    }

    /** In a sticky directory a user cannot exchange the files of others, but can be the first to create a socket. */
    private void checkDirectory(Path directory, Stat stat, boolean holdsSocket) throws UntrustedSocketException {
        checkOwner(directory, stat);
        boolean sticky = (stat.mode & STICKY) != 0;
        if ((stat.mode & GROUP_OR_OTHERS_WRITE) != 0 && (holdsSocket || !sticky)) {
            throw new UntrustedSocketException(
                    "%s may be written by others (mode %o), so another user could exchange the driver's socket"
                            .formatted(directory, stat.mode & 07777));
        }
    }

    private void checkSocket(Path socket, Stat stat) throws UntrustedSocketException {
        checkOwner(socket, stat);
        if ((stat.mode & OTHERS_WRITE) != 0 && !worldWritableSocket) {
            throw new UntrustedSocketException(
                    "%s takes orders from every user (mode %o)".formatted(socket, stat.mode & 07777));
        }
    }

    private void checkOwner(Path path, Stat stat) throws UntrustedSocketException {
        if (!trusted.contains(stat.uid)) {
            throw new UntrustedSocketException(
                    "%s belongs to user %d; trusted are %s".formatted(path, stat.uid, trusted));
        }
    }

    private static Stat stat(Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        return new Stat(number(attributes, "mode"), number(attributes, "uid"));
    }

    private static int number(Map<String, Object> attributes, String name) {
        return (Integer) Objects.requireNonNull(attributes.get(name), name);
    }

    private record Stat(int mode, int uid) {
        int type() {
            return mode & TYPE;
        }
    }
}
