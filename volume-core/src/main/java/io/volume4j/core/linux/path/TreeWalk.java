package io.volume4j.core.linux.path;

import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.DirectoryEntries;
import io.volume4j.core.linux.sys.DirectoryEntries.Entry;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks a tree of files. It reaches each file by a descriptor of the directory that contains its name, on that
 * directory's own mount. So no link and no mount leads elsewhere, even if other processes rename and link meanwhile.
 *
 * <p>Directories may be nested deeper than the number of available descriptors, or have more names than fit in memory.
 * Then the walk closes the outer ones and reopens them later from below. It continues only if it finds the same
 * directory again, and reads on after the name that led inwards. For one walk, on one thread.
 */
final class TreeWalk {
    private static final int OPEN_AT_ONCE = 64;

    /** The actions of a walk. */
    interface Visitor {
        /** Called before every name; an exception ends the walk. */
        void goOn();

        /** An entry that was no directory when the walk examined it. */
        void file(Descriptor directory, RawName name, FileFacts seen);

        /**
         * A directory, after its contents.
         *
         * @param depth 0 for the topmost
         */
        void directory(Descriptor directory, int depth);

        /** A name that the walk could not examine, enter or handle; an exception ends the walk. */
        void bear(Object name, SyscallException failure);

        /** The failure for a directory that was moved during the walk. */
        VolumeException moved();
    }

    /** A directory above the one that the walk reads now. */
    private static final class Level {
        private final FileFacts facts;
        /** Entries that were read and not visited yet; empty while the directory is closed. */
        private Deque<Entry> rest = new ArrayDeque<>();

        private @Nullable Descriptor directory;
        /** The position after the last visited name. */
        private long position;

        Level(Descriptor directory, FileFacts facts) {
            this.directory = directory;
            this.facts = facts;
        }
    }

    private final Kernel kernel;
    private final SafePaths paths;
    private final Visitor visitor;
    private final List<Level> levels = new ArrayList<>();
    private final byte[] buffer = new byte[DirectoryEntries.BUFFER];

    TreeWalk(Kernel kernel, SafePaths paths, Visitor visitor) {
        this.kernel = kernel;
        this.paths = paths;
        this.visitor = visitor;
    }

    /** Walks the tree at the path, which may be the root of a mount. */
    void run(RootedPath path) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor root = paths.root(path.root())) {
            Descriptor top = paths.open(root, path.relative(), flags, Reach.ACROSS_MOUNTS);
            levels.add(new Level(top, kernel.facts(top)));
            walk();
        } finally {
            levels.forEach(TreeWalk::close);
        }
    }

    private void walk() {
        while (!levels.isEmpty()) {
            visitor.goOn();
            Level level = levels.get(levels.size() - 1);
            Descriptor directory = opened(level);
            if (level.rest.isEmpty() && !refill(level, directory)) {
                leave(level, directory);
            } else {
                Entry entry = level.rest.remove();
                level.position = entry.next();
                visit(directory, entry.name());
            }
        }
    }

    private boolean refill(Level level, Descriptor directory) {
        int length = kernel.entries(directory, buffer);
        // One buffer may contain only dot entries.
        while (length > 0) {
            level.rest.addAll(DirectoryEntries.entries(buffer, length));
            if (!level.rest.isEmpty()) {
                return true;
            }
            length = kernel.entries(directory, buffer);
        }
        return false;
    }

    private void visit(Descriptor directory, RawName name) {
        try {
            FileFacts seen = kernel.factsAt(directory, name);
            if (seen.isDirectory()) {
                enter(directory, name);
            } else {
                visitor.file(directory, name, seen);
            }
        } catch (SyscallException e) {
            visitor.bear(name, e);
        }
    }

    private void enter(Descriptor directory, RawName name) {
        Descriptor inner = paths.enter(directory, name);
        levels.add(new Level(inner, kernel.facts(inner)));
        int outermost = levels.size() - 1 - OPEN_AT_ONCE;
        if (outermost >= 0) {
            park(levels.get(outermost));
        }
    }

    private void park(Level level) {
        Descriptor directory = level.directory;
        if (directory != null) {
            level.rest = new ArrayDeque<>(0);
            level.directory = null;
            directory.close();
        }
    }

    private static Descriptor opened(Level level) {
        Descriptor directory = level.directory;
        if (directory == null) {
            throw new IllegalStateException("the innermost directory is always open");
        }
        return directory;
    }

    private void leave(Level level, Descriptor directory) {
        int last = levels.size() - 1;
        visitor.directory(directory, last);
        if (last > 0) {
            reopen(levels.get(last - 1), directory);
        }
        levels.remove(last);
        close(level);
    }

    /**
     * Reopens the directory above. {@code ..} leads to its present parent, so the walk verifies that it is the same
     * directory as before.
     */
    private void reopen(Level above, Descriptor from) {
        if (above.directory != null) {
            return;
        }
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        Descriptor found = kernel.openAt(from, "..", flags, 0);
        if (!kernel.facts(found).sameFile(above.facts)) {
            found.close();
            throw visitor.moved();
        }
        kernel.position(found, above.position);
        above.directory = found;
    }

    /** The number of stored names, in all open directories; for tests. */
    int remembered() {
        return levels.stream().mapToInt(level -> level.rest.size()).sum();
    }

    private static void close(Level level) {
        Descriptor directory = level.directory;
        if (directory != null) {
            level.directory = null;
            directory.close();
        }
    }
}
