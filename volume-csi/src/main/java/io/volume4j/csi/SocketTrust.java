package io.volume4j.csi;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom the library believes to be a driver. The process that answers on a driver's socket is handed secrets and says what is
 * mounted where, so the socket, every directory on the way to it and the process behind it must belong to root, to the
 * user of this process, or to one of the users named here.
 *
 * @param uids numeric users that are trusted besides root and our own
 * @param worldWritableSocket whether a socket that every user may connect to is accepted; false by default, because such a
 *     driver takes orders from everybody
 * @since 0.1.0
 */
public record SocketTrust(Set<Integer> uids, boolean worldWritableSocket) {
    private static final SocketTrust STRICT = new SocketTrust(Set.of(), false);

    /** @throws IllegalArgumentException if a uid is negative */
    public SocketTrust {
        uids = Collections.unmodifiableSet(new TreeSet<>(uids));
        for (int uid : uids) {
            if (uid < 0) {
                throw new IllegalArgumentException("not a user: " + uid);
            }
        }
    }

    /** Root and our own user; the default. */
    public static SocketTrust strict() {
        return STRICT;
    }

    /** The same, and this user too. */
    public SocketTrust andUser(int uid) {
        Set<Integer> more = new TreeSet<>(uids);
        more.add(uid);
        return new SocketTrust(more, worldWritableSocket);
    }

    /** The same, but sockets that everybody may connect to are accepted. */
    public SocketTrust acceptingWorldWritableSockets() {
        return new SocketTrust(uids, true);
    }
}
