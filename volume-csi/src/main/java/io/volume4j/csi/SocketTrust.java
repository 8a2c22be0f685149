package io.volume4j.csi;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * The users whose processes the library trusts as drivers. The process at a driver's socket gets secrets and decides
 * what is mounted. Therefore the socket, every directory on the path to it, and the process must belong to root, to
 * the user of this process, or to one of these users.
 *
 * @param uids numeric ids of users that are trusted, in addition to root and the user of this process
 * @param worldWritableSocket whether to accept a socket to which every user may connect; false by default, because
 *     such a driver accepts calls from all users
 * @since 0.1.0
 */
public record SocketTrust(Set<Integer> uids, boolean worldWritableSocket) {
    private static final SocketTrust STRICT = new SocketTrust(Set.of(), false);

    /** @throws IllegalArgumentException if a uid is negative */
    public SocketTrust {
        uids = Collections.unmodifiableSet(new TreeSet<>(uids));
        for (int uid : uids) {
            if (uid < 0) {
                throw new IllegalArgumentException("not a user id: " + uid);
            }
        }
    }

    /** Trusts root and the user of this process; the default. */
    public static SocketTrust strict() {
        return STRICT;
    }

    /** The same trust with this user added. */
    public SocketTrust andUser(int uid) {
        Set<Integer> more = new TreeSet<>(uids);
        more.add(uid);
        return new SocketTrust(more, worldWritableSocket);
    }

    /** The same trust, but accepts sockets to which every user may connect. */
    public SocketTrust acceptingWorldWritableSockets() {
        return new SocketTrust(uids, true);
    }
}
