package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Files below a root, with the library's guarantees: atomic and durable changes, and no link is followed. */
final class MemoryFiles implements HostFiles {
    /** 32 bits, except for the number that chown(2) takes for "no change". */
    private static final long LARGEST_ID = 0xFFFF_FFFEL;

    private static final int ROOT_MODE = 0700;
    private static final int INNER_MODE = 0750;

    private final Machine machine;
    private final MachineCalls calls;
    private final Map<Path, Consumer<String>> attributes = new ConcurrentHashMap<>();

    MemoryFiles(Machine machine, MachineCalls calls) {
        this.machine = machine;
        this.calls = calls;
    }

    @Override
    public void createRoot(Path root) {
        calls.make("createRoot", root, () -> {
            String call = "mkdir " + root;
            Path parent = Path.of("/");
            for (Path name : root) {
                Place directory = machine.walk().follow(parent, call);
                if (machine.walk().tryFollow(parent.resolve(name), call) == null) {
                    add(directory, name.toString(), FileStatus.Type.DIRECTORY, ROOT_MODE, call);
                }
                parent = parent.resolve(name);
            }
            if (!machine.walk().follow(root, call).inode().isDirectory()) {
                throw KernelError.ENOTDIR.of(call);
            }
        });
    }

    @Override
    public void createDirectory(RootedPath path, int mode) {
        calls.make("createDirectory", path.absolute(), () -> {
            String call = "mkdirat " + path;
            Place at = machine.walk().follow(path.root(), call);
            int last = path.relative().getNameCount() - 1;
            for (int i = 0; i <= last; i++) {
                String name = path.relative().getName(i).toString();
                if (!at.inode().isDirectory()) {
                    throw KernelError.ENOTDIR.of(call);
                }
                if (!at.inode().children.containsKey(name)) {
                    add(at, name, FileStatus.Type.DIRECTORY, i == last ? mode : INNER_MODE, call);
                }
                at = machine.walk().step(at, name, Reach.ACROSS_MOUNTS, call);
            }
            if (!at.inode().isDirectory()) {
                throw KernelError.EEXIST.of(call, "there is something else of that name");
            }
        });
    }

    @Override
    public void removeDirectory(RootedPath path) {
        remove("removeDirectory", "rmdir " + path, path, true);
    }

    @Override
    public void removeFile(RootedPath path) {
        remove("removeFile", "unlink " + path, path, false);
    }

    @Override
    public boolean renameDirectory(RootedPath from, RootedPath to) {
        if (!from.root().equals(to.root())) {
            throw new IllegalArgumentException("not below one root: " + from + " and " + to);
        }
        String call = "rename " + from + " to " + to;
        AtomicBoolean found = new AtomicBoolean();
        calls.make("renameDirectory", from.absolute(), () -> {
            Place parent = machine.walk().tryParentOf(from, Reach.SAME_MOUNT, call);
            Inode directory = parent == null ? null : parent.inode().children.get(PathWalk.name(from));
            found.set(directory != null);
            if (parent == null || directory == null) {
                return;
            }
            if (!directory.isDirectory()) {
                throw KernelError.ENOTDIR.of(call);
            }
            Place target = machine.walk().parentOf(to, Reach.SAME_MOUNT, call);
            if (target.inode().children.containsKey(PathWalk.name(to))) {
                throw KernelError.EEXIST.of(call, "there is something of that name already");
            }
            if (machine.mounts().covers(directory)) {
                throw KernelError.EBUSY.of(call, "something is mounted there");
            }
            requireWritable(parent, call);
            parent.inode().children.remove(PathWalk.name(from));
            target.inode().put(PathWalk.name(to), directory);
        });
        return found.get();
    }

    private void remove(String name, String call, RootedPath path, boolean directory) {
        calls.make(name, path.absolute(), () -> {
            Place parent = machine.walk().tryParentOf(path, Reach.SAME_MOUNT, call);
            Inode child = parent == null ? null : parent.inode().children.get(PathWalk.name(path));
            if (parent == null || child == null) {
                return;
            }
            if (child.isDirectory() != directory) {
                throw (directory ? KernelError.ENOTDIR : KernelError.EISDIR).of(call);
            }
            if (machine.mounts().covers(child)) {
                throw KernelError.EBUSY.of(call, "something is mounted there");
            }
            if (!child.children.isEmpty()) {
                throw KernelError.ENOTEMPTY.of(call);
            }
            requireWritable(parent, call);
            parent.inode().remove(PathWalk.name(path));
        });
    }

    /** Interrupted half-way, it has removed the first file in order of names. */
    @Override
    public void removeTree(RootedPath path, CallContext context) {
        TreeRemoval removal = new TreeRemoval(machine, path);
        calls.make("removeTree", path.absolute(), context, removal::removeFirst, removal::removeAll);
    }

    void attribute(Path file, Consumer<String> behaviour) {
        attributes.put(file, behaviour);
    }

    /** The test implements the kernel's reaction, which may call the machine. */
    @Override
    public void tellKernel(RootedPath attribute, String text) {
        String call = "write " + attribute;
        calls.make("tellKernel", attribute.absolute(), () -> {
            Path file = PathWalk.canonical(machine.walk().below(attribute, Reach.ACROSS_MOUNTS, call));
            Consumer<String> behaviour = attributes.get(file);
            if (behaviour == null) {
                throw KernelError.EINVAL.of(call, "no attribute of the kernel");
            }
            behaviour.accept(text);
        });
    }

    @Override
    public Optional<Path> resolve(Path path) {
        return calls.get(
                "resolve",
                path,
                () -> Optional.ofNullable(machine.walk().tryFollow(path, "resolve " + path))
                        .map(PathWalk::canonical));
    }

    @Override
    public void createSparseFile(RootedPath path, long bytes, int mode) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a file cannot have " + bytes + " bytes");
        }
        calls.make("createSparseFile", path.absolute(), () -> {
            String call = "create " + path + " of " + bytes + " bytes";
            Place parent = machine.walk().parentOf(path, Reach.ACROSS_MOUNTS, call);
            Inode there = parent.inode().children.get(PathWalk.name(path));
            if (there != null) {
                if (there.type != FileStatus.Type.FILE || there.data.bytes() != bytes) {
                    throw KernelError.EEXIST.of(call, "there is something else already");
                }
                return;
            }
            FileData data = add(parent, PathWalk.name(path), FileStatus.Type.FILE, mode, call).data;
            data.grow(bytes);
            data.sync();
        });
    }

    @Override
    public void growFile(RootedPath path, long bytes) {
        calls.make("growFile", path.absolute(), () -> {
            String call = "ftruncate " + path;
            Place file = file(path, call);
            requireWritable(file, call);
            file.inode().data.grow(bytes);
            file.inode().data.sync();
        });
    }

    @Override
    public void writeAtomically(RootedPath path, byte[] content, int mode) {
        calls.make(
                "writeAtomically",
                path.absolute(),
                () -> write(path, content, mode).sync());
    }

    @Override
    public void writeUnsynced(RootedPath path, byte[] content, int mode) {
        calls.make("writeUnsynced", path.absolute(), () -> write(path, content, mode));
    }

    private FileData write(RootedPath path, byte[] content, int mode) {
        String call = "write " + path;
        @Nullable Place parent = machine.walk().tryParentOf(path, Reach.ACROSS_MOUNTS, call);
        if (parent == null) {
            throw KernelError.ENOENT
                    .of(call)
                    .withAdvice("make its directory first, with createDirectory: writing makes no parents");
        }
        Inode there = parent.inode().children.get(PathWalk.name(path));
        if (there != null && there.isDirectory()) {
            throw KernelError.EISDIR.of(call);
        }
        requireRoom(parent.inode().filesystem, content.length, call);
        // Creates a new file in place of the old one, as a rename does: replaces links, and open files keep the old
        // file.
        FileData data = add(parent, PathWalk.name(path), FileStatus.Type.FILE, mode, call).data;
        data.write(content);
        return data;
    }

    /** Memory shares all data, so a copy is always atomic. */
    @Override
    public void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context) {
        calls.make("copyFile", to.absolute(), context, () -> {
            String call = "copy " + from + " to " + to;
            FileData source = file(from, call).inode().data;
            Place parent = machine.walk().parentOf(to, Reach.ACROSS_MOUNTS, call);
            Inode there = parent.inode().children.get(PathWalk.name(to));
            if (there != null && there.type == FileStatus.Type.FILE) {
                return;
            }
            if (there != null) {
                throw KernelError.EEXIST.of(call);
            }
            requireRoom(parent.inode().filesystem, source.allocated(), call);
            FileData copy = add(parent, PathWalk.name(to), FileStatus.Type.FILE, mode, call).data;
            copy.becomeCopyOf(source, machine::nextAnonymousDevice);
            copy.sync();
        });
    }

    @Override
    public void linkAtomically(RootedPath path, String text) {
        calls.make("linkAtomically", path.absolute(), () -> {
            String call = "symlink " + path;
            Place parent = machine.walk().parentOf(path, Reach.ACROSS_MOUNTS, call);
            Inode there = parent.inode().children.get(PathWalk.name(path));
            if (there != null && there.isDirectory()) {
                throw KernelError.EISDIR.of(call);
            }
            requireWritable(parent, call);
            parent.inode()
                    .put(PathWalk.name(path), parent.inode().filesystem.make(FileStatus.Type.LINK, 0777, text, null));
        });
    }

    @Override
    public Optional<String> readLink(RootedPath path) {
        return calls.get("readLink", path.absolute(), () -> {
            String call = "readlink " + path;
            Place parent = machine.walk().tryParentOf(path, Reach.ACROSS_MOUNTS, call);
            Inode there = parent == null ? null : parent.inode().children.get(PathWalk.name(path));
            if (there != null && there.type != FileStatus.Type.LINK) {
                throw KernelError.EINVAL.of(call, "it is no symbolic link");
            }
            return Optional.ofNullable(there).map(link -> link.linkTarget);
        });
    }

    @Override
    public void changeGroup(RootedPath path, long group, int mode) {
        calls.make("changeGroup", path.absolute(), () -> {
            String call = "chown " + path;
            Place found = ownable(path, call);
            requireId(group, "group", call);
            found.inode().group = found.mount().givenGroup(group, call);
            found.inode().mode = mode;
        });
    }

    @Override
    public void changeUser(RootedPath path, long user, int mode) {
        calls.make("changeUser", path.absolute(), () -> {
            String call = "chown " + path;
            Place found = ownable(path, call);
            requireId(user, "user", call);
            found.inode().user = found.mount().givenUser(user, call);
            found.inode().mode = mode;
        });
    }

    private static void requireId(long id, String what, String call) {
        if (id < 0 || id > LARGEST_ID) {
            throw KernelError.EINVAL.of(call, id + " is not a " + what + " ID");
        }
    }

    private Place ownable(RootedPath path, String call) {
        Place found = machine.walk().below(path, Reach.ACROSS_MOUNTS, call);
        if (found.inode().type != FileStatus.Type.FILE && !found.inode().isDirectory()) {
            throw KernelError.EINVAL.of(call, "it is neither a file nor a directory");
        }
        requireWritable(found, call);
        return found;
    }

    @Override
    public Optional<Owner> owner(RootedPath path) {
        return calls.get(
                "owner",
                path.absolute(),
                () -> Optional.ofNullable(machine.walk().tryBelow(path, Reach.ACROSS_MOUNTS, "stat " + path))
                        .map(place -> new Owner(
                                place.inode().type, place.mount().seenGroup(place.inode().group), place.inode().mode)));
    }

    /** Interrupted half-way, it has changed everything except the directory itself. */
    @Override
    public OwnershipReport changeOwnership(RootedPath path, OwnershipChange change, CallContext context) {
        OwnershipWalk walk = new OwnershipWalk(machine, path, change, context);
        calls.make("changeOwnership", path.absolute(), context, walk::changeContent, walk::changeAll);
        return walk.report();
    }

    @Override
    public boolean setQuota(RootedPath path, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a quota must be positive: " + bytes);
        }
        AtomicBoolean set = new AtomicBoolean();
        calls.make("setQuota", path.absolute(), () -> {
            Inode directory = machine.walk()
                    .below(path, Reach.ACROSS_MOUNTS, "quota of " + path)
                    .inode();
            set.set(machine.quotas.set(directory, path.absolute(), bytes));
        });
        return set.get();
    }

    @Override
    public void removeQuota(RootedPath path) {
        calls.make("removeQuota", path.absolute(), () -> {
            Place directory = machine.walk().tryBelow(path, Reach.ACROSS_MOUNTS, "quota of " + path);
            if (directory != null) {
                machine.quotas.remove(directory.inode());
            }
        });
    }

    @Override
    public TreeUsage measure(RootedPath path, CallContext context) {
        TreeMeasure measure = new TreeMeasure(machine, path, context);
        return calls.run("measure", path.absolute(), context, measure::run);
    }

    @Override
    public Optional<byte[]> read(RootedPath path, int maxBytes) {
        return calls.get("read", path.absolute(), () -> {
            String call = "read " + path;
            Place found = machine.walk().tryBelow(path, Reach.ACROSS_MOUNTS, call);
            if (found == null) {
                return Optional.empty();
            }
            FileData data = file(path, call).inode().data;
            if (data.bytes() > maxBytes) {
                throw VolumeException.finalFailure(call + ": it is longer than " + maxBytes + " bytes");
            }
            return Optional.of(data.content());
        });
    }

    @Override
    public Optional<FileStatus> status(RootedPath path) {
        return calls.get("status", path.absolute(), () -> {
            Place parent = machine.walk().tryParentOf(path, Reach.ACROSS_MOUNTS, "stat " + path);
            if (parent == null) {
                return Optional.empty();
            }
            return Optional.ofNullable(parent.inode().children.get(PathWalk.name(path)))
                    .map(inode -> statusOf(inode, parent.mount()));
        });
    }

    @Override
    public List<String> list(RootedPath path) {
        return calls.get(
                "list",
                path.absolute(),
                () -> names(
                        machine.walk().tryBelow(path, Reach.ACROSS_MOUNTS, "getdents " + path), "getdents " + path));
    }

    @Override
    public List<String> listRoot(Path root) {
        return calls.get(
                "list", root, () -> names(machine.walk().tryFollow(root, "getdents " + root), "getdents " + root));
    }

    private static List<String> names(@Nullable Place directory, String call) {
        if (directory == null) {
            return List.of();
        }
        if (!directory.inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        return List.copyOf(directory.inode().children.keySet());
    }

    private Place file(RootedPath path, String call) {
        Place file = machine.walk().below(path, Reach.ACROSS_MOUNTS, call);
        if (file.inode().type != FileStatus.Type.FILE) {
            throw KernelError.EINVAL.of(call, "not a regular file");
        }
        return file;
    }

    private static FileStatus statusOf(Inode inode, Mount mount) {
        long bytes = inode.type == FileStatus.Type.LINK ? inode.linkTarget.length() : inode.data.bytes();
        return new FileStatus(inode.type, bytes, inode.mode, mount.seenUser(inode.user));
    }

    static Inode add(Place directory, String name, FileStatus.Type type, int mode, String call) {
        requireWritable(directory, call);
        Inode made = directory.inode().filesystem.make(type, mode, "", null);
        directory.inode().put(name, made);
        return made;
    }

    static void requireWritable(Place place, String call) {
        if (place.mount().readOnly) {
            throw KernelError.EROFS.of(call);
        }
    }

    static void requireRoom(Filesystem filesystem, long more, String call) {
        if (filesystem.bytes > 0 && filesystem.usedBytes() + more > filesystem.bytes) {
            throw KernelError.ENOSPC.of(call);
        }
    }
}
