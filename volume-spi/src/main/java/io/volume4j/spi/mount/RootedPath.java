package io.volume4j.spi.mount;

import java.nio.file.Path;

/**
 * A path below a root that the library owns. Backends resolve it name by name with descriptors from the root and
 * follow no link. A process that can write below the root therefore cannot redirect them.
 *
 * @param root absolute and normalised
 * @param relative at least one name; no name is {@code .} or {@code ..}
 * @since 0.1.0
 */
public record RootedPath(Path root, Path relative) {
    public RootedPath {
        if (!root.isAbsolute() || hasDots(root)) {
            throw new IllegalArgumentException("root must be absolute and normalised: " + root);
        }
        if (relative.isAbsolute() || relative.toString().isEmpty()) {
            throw new IllegalArgumentException("must be a relative path below " + root + ": \"" + relative + "\"");
        }
        if (hasDots(relative)) {
            throw new IllegalArgumentException("must not leave " + root + ": " + relative);
        }
    }

    public static RootedPath of(Path root, String relative) {
        return new RootedPath(root, root.getFileSystem().getPath(relative));
    }

    public RootedPath resolve(String name) {
        return new RootedPath(root, relative.resolve(name));
    }

    /** The whole path, for comparison with the kernel's tables and for messages. Never open this path directly. */
    public Path absolute() {
        return root.resolve(relative);
    }

    @Override
    public String toString() {
        return absolute().toString();
    }

    /** Whether a name is {@code .} or {@code ..}. Paths are made for every call, and walking their names makes many more. */
    private static boolean hasDots(Path path) {
        String text = path.toString();
        char separator = path.getFileSystem().getSeparator().charAt(0);
        int start = 0;
        while (start <= text.length()) {
            int end = text.indexOf(separator, start);
            end = end < 0 ? text.length() : end;
            int length = end - start;
            if (length >= 1 && length <= 2 && text.charAt(start) == '.' && text.charAt(end - 1) == '.') {
                return true;
            }
            start = end + 1;
        }
        return false;
    }
}
