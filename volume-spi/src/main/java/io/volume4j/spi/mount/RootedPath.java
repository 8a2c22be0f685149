package io.volume4j.spi.mount;

import java.nio.file.Path;

/**
 * A place below a root that the library owns. Backends resolve it descriptor by descriptor from the root and follow no
 * link on the way, so nobody who can write below the root can lead them elsewhere.
 *
 * @param root absolute and normalised
 * @param relative at least one name, none of them {@code .} or {@code ..}
 */
public record RootedPath(Path root, Path relative) {
    public RootedPath {
        if (!root.isAbsolute() || !root.normalize().equals(root)) {
            throw new IllegalArgumentException("root must be absolute and normalised: " + root);
        }
        if (relative.isAbsolute() || relative.toString().isEmpty()) {
            throw new IllegalArgumentException("must be a relative path below " + root + ": \"" + relative + "\"");
        }
        for (Path name : relative) {
            String text = name.toString();
            if (text.equals(".") || text.equals("..")) {
                throw new IllegalArgumentException("must not leave " + root + ": " + relative);
            }
        }
    }

    public static RootedPath of(Path root, String relative) {
        return new RootedPath(root, root.getFileSystem().getPath(relative));
    }

    public RootedPath resolve(String name) {
        return new RootedPath(root, relative.resolve(name));
    }

    /** The whole path, for the kernel's tables and for messages; never to be opened as it is. */
    public Path absolute() {
        return root.resolve(relative);
    }

    @Override
    public String toString() {
        return absolute().toString();
    }
}
