package io.volume4j.csi;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The endpoint of a CSI driver: a Unix domain socket in the filesystem. CSI has no other kind of endpoint. The
 * permissions of the filesystem control access to the socket. Therefore this class refuses names in the abstract
 * namespace, which have no permissions.
 *
 * @param socket absolute and normalized, at most {@value #MAX_PATH_BYTES} bytes
 * @since 0.1.0
 */
public record CsiEndpoint(Path socket) {
    /**
     * The maximum length of a path in a socket address, in bytes ({@code sun_path} of unix(7), without the final
     * zero).
     */
    public static final int MAX_PATH_BYTES = 107;

    /** @throws IllegalArgumentException if the path is relative, not normalized or too long */
    public CsiEndpoint {
        if (!socket.isAbsolute() || !socket.equals(socket.normalize())) {
            throw new IllegalArgumentException("socket path must be absolute and without '.' or '..': " + socket);
        }
        if (socket.getNameCount() < 1) {
            throw new IllegalArgumentException("socket path names a directory: " + socket);
        }
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH_BYTES) {
            throw new IllegalArgumentException(
                    "socket path has %d bytes, a socket address holds %d: %s".formatted(bytes, MAX_PATH_BYTES, socket));
        }
    }

    /**
     * Reads {@code unix:///run/driver/csi.sock}, {@code unix:/run/driver/csi.sock} or a plain absolute path.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static CsiEndpoint parse(String text) {
        String path = path(text);
        if (path.startsWith("@") || path.startsWith("\0")) {
            throw new IllegalArgumentException("abstract sockets have no permissions and are not supported: " + text);
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "not a socket endpoint, expected unix:///path or an absolute path: " + text);
        }
        try {
            return new CsiEndpoint(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path: " + text, e);
        }
    }

    private static String path(String text) {
        if (!text.startsWith("unix:")) {
            return text;
        }
        String rest = text.substring("unix:".length());
        return rest.startsWith("//") ? rest.substring(2) : rest;
    }

    /** In the form {@code unix:///run/driver/csi.sock}. */
    @Override
    public String toString() {
        return "unix://" + socket;
    }
}
