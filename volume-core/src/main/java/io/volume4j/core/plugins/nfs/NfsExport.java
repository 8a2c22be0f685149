package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PlainPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import java.util.regex.Pattern;

/**
 * A valid export. Pure.
 *
 * @param server a host name or an address
 * @param path absolute, on the server
 */
public record NfsExport(String server, String path) {
    /** A DNS name, an IPv4 address, or an IPv6 address with or without a zone. Never an option. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_](?:[-A-Za-z0-9_.]{0,252}[A-Za-z0-9_.])?");

    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,15})?");
    private static final int LONGEST_PATH = 1024;

    public static NfsExport of(NfsSource source) {
        String server = source.server();
        if (!HOST.matcher(server).matches()
                && !(isIpv6(server) && IPV6.matcher(server).matches())) {
            throw VolumeException.finalFailure(
                    "nfs server " + MessageText.text(server) + " is no host name or address");
        }
        String path = source.path();
        if (!path.startsWith("/")) {
            throw VolumeException.finalFailure("nfs path " + MessageText.text(path) + " is not an absolute path");
        }
        if (path.codePoints().anyMatch(Character::isISOControl) || path.length() > LONGEST_PATH) {
            throw VolumeException.finalFailure(
                    "nfs path " + MessageText.text(path) + " has control characters or is longer than " + LONGEST_PATH);
        }
        for (String name : path.split("/")) {
            if (name.equals("..")) {
                throw VolumeException.finalFailure("nfs path " + MessageText.text(path) + " must not contain \"..\"");
            }
        }
        return new NfsExport(server, path);
    }

    /** Whether the mount table's source is this export. NFSv3 shows the path as an earlier mount wrote it. */
    boolean isAt(String source) {
        int colon = source.indexOf(":/");
        return colon >= 0
                && toString().equals(source.substring(0, colon + 2) + PlainPath.of(source.substring(colon + 2)));
    }

    /**
     * The source for mount(2), as the mount table shows it. An IPv6 address is in brackets, nfs(5). The path has no
     * needless slashes and dots: for NFSv4 the table shows {@code /export/} as {@code /export}, so that a repeated
     * call would not know its own mount.
     */
    @Override
    public String toString() {
        return (isIpv6(server) ? "[" + server + "]" : server) + ":/" + PlainPath.of(path);
    }

    private static boolean isIpv6(String server) {
        return server.indexOf(':') >= 0;
    }
}
