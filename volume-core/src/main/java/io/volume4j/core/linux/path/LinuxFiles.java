package io.volume4j.core.linux.path;

import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Failures.Effect;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HeldPath;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link HostFiles} by descriptors. This class handles directories and names, and {@link FileContents} the contents of
 * files.
 */
public final class LinuxFiles implements HostFiles {
    /** The mode of missing parents of a requested directory. Only their owner and group can pass through. */
    private static final int INNER_MODE = 0750;

    private static final int ROOT_MODE = 0700;
    /** 32 bits, except for the number that chown(2) takes for "no change". */
    private static final long LARGEST_ID = 0xFFFF_FFFEL;

    private final Kernel kernel;
    private final MountCalls calls;
    private final SafePaths paths;
    private final FileContents contents;
    private final FileCopies copies;
    private final TreeRemoval trees;
    private final DirectoryRename renames;
    private final OwnershipWalk ownership;
    private final TreeMeasure measure;
    private final ProjectQuotas quotas;
    private final PinnedPaths held;
    private final RootRights rights;

    public LinuxFiles(Kernel kernel, MountCalls calls, SafePaths paths) {
        this.kernel = kernel;
        this.calls = calls;
        this.paths = paths;
        this.contents = new FileContents(kernel, paths);
        this.copies = new FileCopies(kernel, contents);
        this.trees = new TreeRemoval(kernel, paths);
        this.renames = new DirectoryRename(kernel, paths);
        this.ownership = new OwnershipWalk(kernel, paths);
        this.measure = new TreeMeasure(kernel, paths);
        this.quotas = new ProjectQuotas(kernel, paths);
        this.held = new PinnedPaths(kernel, paths);
        this.rights = new RootRights(kernel);
    }

    @Override
    public void createRoot(Path root) {
        if (!root.isAbsolute() || !root.normalize().equals(root)) {
            throw new IllegalArgumentException("root must be absolute and normalised: " + root);
        }
        try {
            makeRoot(root);
        } catch (VolumeException failed) {
            throw VolumeException.of(failed.kind(), "directory " + root + " cannot be used: " + failed.reason())
                    .withAdvice(
                            failed.advice().isEmpty()
                                    ? "name a directory that this process can make, or write to"
                                    : failed.advice())
                    .withCause(failed);
        }
    }

    private void makeRoot(Path root) {
        doing(Effect.POSSIBLE, () -> {
            Path parent = Path.of("/");
            for (Path name : root) {
                // Links above the root are the owner's choice; below it none is followed.
                try (Descriptor directory = paths.root(parent)) {
                    Descriptor made = make(directory, name.toString(), ROOT_MODE);
                    if (made != null) {
                        made.close();
                    }
                }
                parent = parent.resolve(name);
            }
            try (Descriptor whole = paths.root(root)) {
                rights.check(root, whole);
            }
            return null;
        });
    }

    @Override
    public void createDirectory(RootedPath path, int mode) {
        doing(Effect.POSSIBLE, () -> {
            int last = path.relative().getNameCount() - 1;
            Descriptor at = paths.root(path.root());
            try {
                boolean missing = false;
                for (int i = 0; i < last; i++) {
                    Path name = path.relative().getName(i);
                    Descriptor next = missing ? null : openIfThere(at, name);
                    if (next == null) {
                        // A new directory contains no directories, unless another process creates one now.
                        missing = true;
                        next = makeOrOpen(at, name);
                    }
                    at.close();
                    at = next;
                }
                Path name = path.relative().getName(last);
                Descriptor made = make(at, name.toString(), mode);
                if (made == null) {
                    refuseOtherThanDirectory(at, name, path);
                } else {
                    made.close();
                }
            } finally {
                at.close();
            }
            return null;
        });
    }

    private @Nullable Descriptor openIfThere(Descriptor parent, Path name) {
        try {
            return paths.open(parent, name, Kernel.O_PATH, Reach.ACROSS_MOUNTS);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    private Descriptor makeOrOpen(Descriptor parent, Path name) {
        Descriptor made = make(parent, name.toString(), INNER_MODE);
        return made != null ? made : paths.open(parent, name, Kernel.O_PATH, Reach.ACROSS_MOUNTS);
    }

    /** Creates one directory with exactly this mode and opens it; null if the name exists. */
    private @Nullable Descriptor make(Descriptor parent, String name, int mode) {
        try {
            kernel.makeDirectory(parent, name, mode);
        } catch (SyscallException e) {
            if (e.is(Errno.EEXIST)) {
                return null;
            }
            throw e;
        }
        Descriptor made = kernel.openAt(parent, name, kernel.architecture().openDirectory, 0);
        try {
            // mkdirat applies the umask.
            kernel.changeMode(made, mode);
            return made;
        } catch (SyscallException e) {
            made.close();
            throw e;
        }
    }

    private void refuseOtherThanDirectory(Descriptor parent, Path name, RootedPath path) {
        try (Descriptor there = paths.open(parent, name, Kernel.O_PATH, Reach.SAME_MOUNT)) {
            if (!kernel.facts(there).isDirectory()) {
                throw VolumeException.finalFailure("mkdirat " + path + ": there is something else of that name");
            }
        } catch (SyscallException e) {
            // A mount point: this check must not access the mounted storage.
            if (!e.is(Errno.EXDEV)) {
                throw e;
            }
        }
    }

    @Override
    public void removeDirectory(RootedPath path) {
        removing(path, parent -> {
            String name = path.relative().getFileName().toString();
            try {
                kernel.removeDirectory(parent, name);
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOTEMPTY) || !contents.removeLeftovers(parent, name)) {
                    throw e.of("rmdir " + path);
                }
                kernel.removeDirectory(parent, name);
            }
        });
    }

    @Override
    public void removeFile(RootedPath path) {
        removing(path, parent -> {
            try {
                kernel.removeFile(parent, path.relative().getFileName().toString());
            } catch (SyscallException e) {
                throw e.of("unlink " + path);
            }
        });
    }

    @Override
    public boolean renameDirectory(RootedPath from, RootedPath to) {
        return doing(Effect.POSSIBLE, () -> renames.rename(from, to));
    }

    private interface Removal {
        void from(Descriptor parent);
    }

    /** Removes only on the root's own mount, so that mounted storage never loses a file. */
    private void removing(RootedPath path, Removal removal) {
        doing(Effect.POSSIBLE, () -> {
            try (Descriptor root = paths.root(path.root());
                    Descriptor parent = paths.parent(root, path.relative(), Reach.SAME_MOUNT)) {
                removal.from(parent);
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOENT)) {
                    throw e;
                }
            }
            return null;
        });
    }

    @Override
    public void createSparseFile(RootedPath path, long bytes, int mode) {
        doing(Effect.POSSIBLE, () -> {
            contents.createSparse(path, bytes, mode);
            return null;
        });
    }

    @Override
    public void growFile(RootedPath path, long bytes) {
        doing(Effect.POSSIBLE, () -> {
            contents.grow(path, bytes);
            return null;
        });
    }

    @Override
    public void writeAtomically(RootedPath path, byte[] content, int mode) {
        replace(path, content, mode, true);
    }

    @Override
    public void writeUnsynced(RootedPath path, byte[] content, int mode) {
        replace(path, content, mode, false);
    }

    private void replace(RootedPath path, byte[] content, int mode, boolean durable) {
        try {
            contents.replace(path, content, mode, durable);
        } catch (SyscallException e) {
            VolumeException failure = Failures.of(e, Effect.POSSIBLE);
            throw e.is(Errno.ENOENT)
                    ? failure.withAdvice("make its directory first, with createDirectory: writing makes no parents")
                    : failure;
        }
    }

    @Override
    public void tellKernel(RootedPath attribute, String text) {
        doing(Effect.POSSIBLE, () -> {
            contents.overwrite(attribute, text.getBytes(StandardCharsets.US_ASCII));
            return null;
        });
    }

    @Override
    public void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context) {
        doing(Effect.POSSIBLE, () -> {
            copies.copy(from, to, mode, onlyShared, context);
            return null;
        });
    }

    @Override
    public void linkAtomically(RootedPath path, String text) {
        doing(Effect.POSSIBLE, () -> {
            contents.link(path, text);
            return null;
        });
    }

    @Override
    public Optional<String> readLink(RootedPath path) {
        return doing(Effect.NONE, () -> contents.readLink(path));
    }

    @Override
    public void changeGroup(RootedPath path, long group, int mode) {
        requireId(path, group, "group");
        changeOwner(path, mode, file -> kernel.changeGroup(file, group));
    }

    @Override
    public void changeUser(RootedPath path, long user, int mode) {
        requireId(path, user, "user");
        changeOwner(path, mode, file -> kernel.changeUser(file, user));
    }

    /** The kernel would ignore the upper bits of the number: a larger one could be root's. */
    private static void requireId(RootedPath path, long id, String what) {
        if (id < 0 || id > LARGEST_ID) {
            throw VolumeException.finalFailure("chown " + path + ": " + id + " is not a " + what + " ID");
        }
    }

    private void changeOwner(RootedPath path, int mode, Consumer<Descriptor> change) {
        doing(Effect.POSSIBLE, () -> {
            try (Descriptor root = paths.root(path.root());
                    Descriptor found = paths.open(root, path.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
                FileFacts facts = kernel.facts(found);
                if (!facts.isRegular() && !facts.isDirectory()) {
                    throw VolumeException.finalFailure("chown " + path + ": it is neither a file nor a directory");
                }
                try (Descriptor file = kernel.open(found.magicLink(), Kernel.O_RDONLY)) {
                    change.accept(file);
                    kernel.changeMode(file, mode);
                }
            }
            return null;
        });
    }

    @Override
    public Optional<Owner> owner(RootedPath path) {
        return doing(Effect.NONE, () -> {
            try (Descriptor root = paths.root(path.root());
                    Descriptor found = paths.open(root, path.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
                FileFacts facts = kernel.facts(found);
                return Optional.of(new Owner(facts.type(), facts.group(), facts.mode()));
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public OwnershipReport changeOwnership(RootedPath path, OwnershipChange change, CallContext context) {
        return doing(Effect.POSSIBLE, () -> ownership.change(path, change, context));
    }

    @Override
    public boolean setQuota(RootedPath directory, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a quota must be positive: " + bytes);
        }
        return doing(Effect.POSSIBLE, () -> quotas.set(directory, bytes));
    }

    @Override
    public void removeQuota(RootedPath directory) {
        doing(Effect.POSSIBLE, () -> {
            quotas.remove(directory);
            return null;
        });
    }

    @Override
    public TreeUsage measure(RootedPath path, CallContext context) {
        return doing(Effect.NONE, () -> measure.measure(path, context));
    }

    @Override
    public Optional<byte[]> read(RootedPath path, int maxBytes) {
        return doing(Effect.NONE, () -> contents.read(path, maxBytes));
    }

    @Override
    public Optional<FileStatus> status(RootedPath path) {
        return doing(Effect.NONE, () -> {
            try (Descriptor root = paths.root(path.root());
                    Descriptor parent = paths.parent(root, path.relative(), Reach.ACROSS_MOUNTS);
                    Descriptor file = uncovered(parent, path.relative().getFileName())) {
                FileFacts facts = kernel.facts(file);
                return Optional.of(new FileStatus(facts.type(), facts.bytes(), facts.mode(), facts.owner()));
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /** The file at the name itself, below any mount on it. */
    private Descriptor uncovered(Descriptor parent, Path name) {
        try {
            return paths.openEvenLink(parent, name);
        } catch (SyscallException e) {
            if (!e.is(Errno.EXDEV)) {
                throw e;
            }
        }
        if (!kernel.features().mountApi()) {
            // Older kernels have no better way.
            return kernel.openAt(parent, name.toString(), Kernel.O_PATH, 0);
        }
        // A private copy of the parent's mount does not contain the mounts below it.
        try (Descriptor bare = calls.cloneTree(parent, false, name)) {
            return paths.openEvenLink(bare, name);
        }
    }

    @Override
    public List<String> list(RootedPath path) {
        return doing(Effect.NONE, () -> {
            int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
            try (Descriptor root = paths.root(path.root());
                    Descriptor directory = paths.open(root, path.relative(), flags, Reach.ACROSS_MOUNTS)) {
                return contents.names(directory);
            } catch (SyscallException e) {
                return noneIfAbsent(e);
            }
        });
    }

    @Override
    public List<String> listRoot(Path root) {
        return doing(Effect.NONE, () -> {
            try (Descriptor directory = kernel.open(root, Kernel.O_RDONLY | kernel.architecture().openDirectory)) {
                return contents.names(directory);
            } catch (SyscallException e) {
                return noneIfAbsent(e);
            }
        });
    }

    @Override
    public void removeTree(RootedPath path, CallContext context) {
        doing(Effect.POSSIBLE, () -> {
            trees.remove(path, context);
            return null;
        });
    }

    @Override
    public void removeContents(Path root, CallContext context) {
        doing(Effect.POSSIBLE, () -> {
            trees.removeContents(root, context);
            return null;
        });
    }

    @Override
    public Optional<Path> resolve(Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
        return doing(Effect.NONE, () -> {
            try (Descriptor found = kernel.open(path, Kernel.O_PATH)) {
                return Optional.of(paths.canonical(found));
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    private static List<String> noneIfAbsent(SyscallException e) {
        if (e.is(Errno.ENOENT)) {
            return List.of();
        }
        throw e;
    }

    @Override
    public Optional<HeldPath> hold(Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
        return doing(Effect.NONE, () -> {
            try {
                return Optional.of(held.hold(path));
            } catch (SyscallException e) {
                if (e.is(Errno.ENOENT)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /** Releases the held paths. */
    public void close() {
        held.close();
    }

    private static <T extends @Nullable Object> T doing(Effect effect, Supplier<T> work) {
        try {
            return work.get();
        } catch (SyscallException e) {
            throw Failures.of(e, effect);
        }
    }
}
