package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.mount.HeldPath;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds paths until this object is closed: directories by descriptors, one for each directory. While a directory is
 * open, the filesystem does not give its inode number to another file. A file may be replaced by another one, so it
 * needs no descriptor. Thread-safe.
 */
final class PinnedPaths implements AutoCloseable {
    private static final int STICKY = 01000;
    private static final int GROUP_OR_OTHERS_WRITE = 0022;
    private static final int ROOT_USER = 0;
    /** The kernel's limit; path_resolution(7). */
    private static final int MOST_LINKS = 40;

    private final Kernel kernel;
    private final SafePaths paths;
    /** By device and inode. */
    private final Map<String, Descriptor> held = new HashMap<>();

    PinnedPaths(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    /** Opens the file at the path, following links. {@code ENOENT} if there is none. */
    HeldPath hold(Path path) {
        Walk walk = new Walk(path);
        Descriptor found = walk.toTheEnd();
        try {
            FileFacts facts = kernel.facts(found);
            Held result = new Held(paths.canonical(found), facts, walk.exposure);
            if (!facts.isDirectory() || !keep(found, facts)) {
                found.close();
            }
            return result;
        } catch (RuntimeException e) {
            found.close();
            throw e;
        }
    }

    /** False if a descriptor of the directory is already held. Callers hold the same path again and again. */
    private boolean keep(Descriptor directory, FileFacts facts) {
        synchronized (held) {
            return held.putIfAbsent(facts.device() + " " + facts.inode(), directory) == null;
        }
    }

    @Override
    public void close() {
        synchronized (held) {
            held.values().forEach(Descriptor::close);
            held.clear();
        }
    }

    private final class Held implements HeldPath {
        private final Path path;
        private final FileFacts facts;
        private final @Nullable String exposure;

        Held(Path path, FileFacts facts, @Nullable String exposure) {
            this.path = path;
            this.facts = facts;
            this.exposure = exposure;
        }

        @Override
        public Path path() {
            return path;
        }

        @Override
        public boolean inPlace() {
            try (Descriptor now = new Walk(path).refusingLinks().toTheEnd()) {
                FileFacts there = kernel.facts(now);
                return facts.isDirectory() ? there.sameFile(facts) : there.type() == facts.type();
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
                    return false;
                }
                throw Failures.of(e);
            }
        }

        @Override
        public Optional<String> exposure() {
            return Optional.ofNullable(exposure);
        }
    }

    /** Walks from the root directory name by name, as the kernel does, and checks the rights of each directory. */
    private final class Walk {
        private final Path whole;
        private final Deque<String> names = new ArrayDeque<>();
        private boolean followsLinks = true;

        @Nullable
        String exposure;

        Walk(Path whole) {
            this.whole = whole;
            push(whole.toString());
        }

        Walk refusingLinks() {
            followsLinks = false;
            return this;
        }

        Descriptor toTheEnd() {
            Descriptor at = root();
            int links = 0;
            try {
                while (!names.isEmpty()) {
                    String name = names.pop();
                    Descriptor next = kernel.openAt(at, name, Kernel.O_PATH, 0);
                    boolean link;
                    try {
                        FileFacts facts = kernel.facts(next);
                        judge(at, name, facts);
                        link = facts.type() == FileStatus.Type.LINK;
                    } catch (RuntimeException e) {
                        next.close();
                        throw e;
                    }
                    if (!link) {
                        at.close();
                        at = next;
                        continue;
                    }
                    next.close();
                    if (!followsLinks || ++links > MOST_LINKS) {
                        throw new SyscallException(Errno.ELOOP.number(), "open " + whole);
                    }
                    String text = kernel.readLink(at, name);
                    push(text);
                    if (text.startsWith("/")) {
                        at.close();
                        at = root();
                    }
                }
                return at;
            } catch (RuntimeException e) {
                at.close();
                throw e;
            }
        }

        private Descriptor root() {
            return kernel.open(Path.of("/"), Kernel.O_PATH | kernel.architecture().openDirectory);
        }

        private void push(String text) {
            List<String> parts = new ArrayList<>(List.of(text.split("/")));
            for (int i = parts.size() - 1; i >= 0; i--) {
                if (!parts.get(i).isEmpty() && !parts.get(i).equals(".")) {
                    names.push(parts.get(i));
                }
            }
        }

        /** In a sticky directory, only the owner of an entry can replace it. */
        private void judge(Descriptor directory, String name, FileFacts entry) {
            FileFacts facts = kernel.facts(directory);
            boolean writable = (facts.mode() & GROUP_OR_OTHERS_WRITE) != 0;
            boolean sticky = (facts.mode() & STICKY) != 0 && trusted(entry.owner());
            if (exposure != null || name.equals("..") || (trusted(facts.owner()) && (!writable || sticky))) {
                return;
            }
            exposure = "directory " + paths.canonical(directory)
                    + (trusted(facts.owner())
                            ? " can be written by other users (mode " + Integer.toOctalString(facts.mode()) + ")"
                            : " belongs to user " + facts.owner());
        }

        private boolean trusted(long user) {
            return user == ROOT_USER || user == kernel.user();
        }
    }
}
