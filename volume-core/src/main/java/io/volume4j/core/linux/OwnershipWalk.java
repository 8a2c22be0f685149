package io.volume4j.core.linux;

import io.volume4j.core.linux.SafePaths.Reach;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a tree of files to a group, each file by a descriptor of itself that was opened from the directory which holds its
 * name, on that directory's own mount. So no link and no mount leads elsewhere, whoever renames and links meanwhile: what
 * was looked at is what is changed. A directory is changed when all in it is, the topmost last.
 *
 * <p>Directories may be nested deeper than there are descriptors to spare. Then the outer ones are closed and reached again
 * from below, and only if what is found there is the very directory that was left. Thread-safe.
 */
final class OwnershipWalk {
    private static final int OPEN_AT_ONCE = 64;
    private static final long PROGRESS_EVERY = 1_000;

    private final Kernel kernel;
    private final SafePaths paths;

    OwnershipWalk(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    OwnershipReport change(RootedPath path, OwnershipChange change, CallContext context) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor root = paths.root(path.root())) {
            Descriptor top = paths.open(root, path.relative(), flags, Reach.ACROSS_MOUNTS);
            return new Walk(path, change, context, top, kernel.facts(top)).run();
        }
    }

    /** A directory on the way to the one that is read now. */
    private static final class Level {
        private final FileFacts facts;
        private final Deque<RawName> rest = new ArrayDeque<>();
        private @Nullable Descriptor directory;
        private long position;

        Level(Descriptor directory, FileFacts facts) {
            this.directory = directory;
            this.facts = facts;
        }
    }

    private final class Walk {
        private final RootedPath path;
        private final OwnershipChange change;
        private final CallContext context;
        private final List<Level> levels = new ArrayList<>();
        private final byte[] buffer = new byte[DirectoryEntries.BUFFER];
        private long examined;
        private long changed;
        private long refused;
        private String firstRefusal = "";

        Walk(RootedPath path, OwnershipChange change, CallContext context, Descriptor top, FileFacts facts) {
            this.path = path;
            this.change = change;
            this.context = context;
            levels.add(new Level(top, facts));
        }

        OwnershipReport run() {
            try {
                while (!levels.isEmpty()) {
                    stopIfCancelled();
                    Level level = levels.get(levels.size() - 1);
                    Descriptor directory = opened(level);
                    if (level.rest.isEmpty() && !refill(level, directory)) {
                        leave(level, directory);
                    } else {
                        visit(directory, level.rest.remove());
                    }
                }
                return new OwnershipReport(examined, changed, refused, firstRefusal);
            } finally {
                levels.forEach(OwnershipWalk::close);
            }
        }

        private void stopIfCancelled() {
            if (context.cancelled()) {
                throw VolumeException.uncertain("giving the files of " + path + " to group " + change.group()
                        + " was stopped after " + examined + " of them; the next try goes on from there");
            }
        }

        private boolean refill(Level level, Descriptor directory) {
            int length = kernel.entries(directory, buffer);
            // Entries of one filled buffer may all be dots.
            while (length > 0) {
                level.rest.addAll(DirectoryEntries.names(buffer, length));
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
                    return;
                }
                count();
                if (fits(seen)) {
                    return;
                }
                try (Descriptor file = paths.openEvenLink(directory, name)) {
                    give(file, kernel.facts(file));
                }
            } catch (SyscallException e) {
                bear(name, e);
            }
        }

        private boolean fits(FileFacts file) {
            return file.type() == FileStatus.Type.LINK
                    ? file.group() == change.group()
                    : change.fitsFile(file.group(), file.mode());
        }

        private void give(Descriptor file, FileFacts facts) {
            // Somebody may have put a directory there since; the walk that comes next will see it.
            if (facts.isDirectory() || fits(facts)) {
                return;
            }
            if (facts.group() != change.group()) {
                kernel.changeGroupOfPlace(file, change.group());
            }
            if (facts.type() != FileStatus.Type.LINK) {
                // Always, because a change of group takes the set-user and set-group bits away.
                kernel.changeModeOfPlace(file, facts.mode() | change.addToFiles());
            }
            changed++;
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
                level.position = kernel.position(directory);
                level.directory = null;
                directory.close();
            }
        }

        private Descriptor opened(Level level) {
            Descriptor directory = level.directory;
            if (directory == null) {
                throw new IllegalStateException("the innermost directory is always open");
            }
            return directory;
        }

        private void leave(Level level, Descriptor directory) {
            int last = levels.size() - 1;
            count();
            boolean top = last == 0;
            try {
                FileFacts facts = kernel.facts(directory);
                if (!change.fitsDirectory(facts.group(), facts.mode())) {
                    if (facts.group() != change.group()) {
                        kernel.changeGroup(directory, change.group());
                    }
                    kernel.changeMode(directory, facts.mode() | change.addToDirectories());
                    changed++;
                }
            } catch (SyscallException e) {
                if (top) {
                    throw e.of(e.call() + " of " + path);
                }
                bear("a directory " + last + " levels down", e);
            }
            if (!top) {
                reopen(levels.get(last - 1), directory);
            }
            levels.remove(last);
            close(level);
        }

        /** The way up leads to wherever the directory lies now, which is only believed if it is where it came from. */
        private void reopen(Level above, Descriptor from) {
            if (above.directory != null) {
                return;
            }
            int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
            Descriptor found = kernel.openAt(from, "..", flags, 0);
            if (!kernel.facts(found).sameFile(above.facts)) {
                found.close();
                throw VolumeException.transientFailure(
                        "a directory in " + path + " was moved while its files were given to group " + change.group());
            }
            kernel.position(found, above.position);
            above.directory = found;
        }

        private void count() {
            examined++;
            if (examined % PROGRESS_EVERY == 0) {
                context.progress(examined + " files of " + path + " looked at, " + changed + " given to group "
                        + change.group());
            }
        }

        /**
         * What is gone, became something else or is another mount is none of ours; what is refused is told; what is broken
         * ends the walk.
         */
        private void bear(Object name, SyscallException e) {
            switch (e.errno()) {
                case ENOENT, EXDEV, ELOOP, ENOTDIR -> {}
                case EPERM, EACCES, EROFS, EOPNOTSUPP -> {
                    refused++;
                    if (firstRefusal.isEmpty()) {
                        firstRefusal = name + ": " + e.text();
                    }
                }
                default -> throw e.of(e.call() + " while giving " + path + " to group " + change.group());
            }
        }
    }

    private static void close(Level level) {
        Descriptor directory = level.directory;
        if (directory != null) {
            level.directory = null;
            directory.close();
        }
    }
}
