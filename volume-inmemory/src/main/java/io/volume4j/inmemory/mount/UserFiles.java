package io.volume4j.inmemory.mount;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine's files, as other processes access them: a pod through its mount, or an attacker. Follows links. Writes
 * are not durable before {@link #sync()}. Faults do not apply. Thread-safe.
 *
 * @since 0.1.0
 */
public final class UserFiles {
    private final Machine machine;

    UserFiles(Machine machine) {
        this.machine = machine;
    }

    /**
     * Writes a file, and creates it if necessary.
     *
     * @throws VolumeException with the error that a process would get, such as {@code EROFS}, {@code ENOSPC},
     *     {@code EDQUOT}
     */
    public void write(Path file, byte[] content) {
        String call = "write " + file;
        synchronized (machine) {
            Place there = machine.walk().tryFollow(file, call);
            Place target = there != null ? there : machine.walk().follow(parent(file), call);
            MemoryFiles.requireWritable(target, call);
            MemoryFiles.requireRoom(target.inode().filesystem, content.length, call);
            long old = there == null ? 0 : there.inode().data.allocated();
            machine.quotas.requireRoom(target.inode(), content.length - old, call);
            Inode inode = there != null
                    ? there.inode()
                    : MemoryFiles.add(target, name(file), FileStatus.Type.FILE, 0644, call);
            if (inode.type != FileStatus.Type.FILE) {
                throw KernelError.EISDIR.of(call);
            }
            inode.data.write(content);
        }
    }

    /** The whole content of a file. */
    public byte[] read(Path file) {
        String call = "read " + file;
        synchronized (machine) {
            Inode inode = machine.walk().follow(file, call).inode();
            if (inode.type != FileStatus.Type.FILE) {
                throw KernelError.EISDIR.of(call);
            }
            return inode.data.content();
        }
    }

    public boolean exists(Path path) {
        synchronized (machine) {
            return machine.walk().tryFollow(path, "stat " + path) != null;
        }
    }

    /** The group of a file or directory, as the mount at the path shows it. */
    public long group(Path path) {
        synchronized (machine) {
            Place place = machine.walk().follow(path, "stat " + path);
            return place.mount().seenGroup(place.inode().group);
        }
    }

    /** The owner of a file or directory, as the mount at the path shows it. */
    public long owner(Path path) {
        synchronized (machine) {
            Place place = machine.walk().follow(path, "stat " + path);
            return place.mount().seenUser(place.inode().user);
        }
    }

    /** Names in a directory, sorted. */
    public List<String> list(Path directory) {
        synchronized (machine) {
            return List.copyOf(machine.walk()
                    .follow(directory, "list " + directory)
                    .inode()
                    .children
                    .keySet());
        }
    }

    /** Creates a directory and its parents. */
    public void makeDirectory(Path directory) {
        String call = "mkdir " + directory;
        synchronized (machine) {
            Path at = Path.of("/");
            for (Path name : directory) {
                Path next = at.resolve(name);
                if (machine.walk().tryFollow(next, call) == null) {
                    MemoryFiles.add(
                            machine.walk().follow(at, call), name.toString(), FileStatus.Type.DIRECTORY, 0755, call);
                }
                at = next;
            }
        }
    }

    /** Creates a link, and replaces any existing file with that name. */
    public void link(Path link, String target) {
        String call = "symlink " + link;
        synchronized (machine) {
            Place directory = machine.walk().follow(parent(link), call);
            requireFree(directory, name(link), call);
            directory
                    .inode()
                    .put(name(link), directory.inode().filesystem.make(FileStatus.Type.LINK, 0777, target, null));
        }
    }

    /** Removes a file, or a directory with everything below it. */
    public void remove(Path path) {
        String call = "rm " + path;
        synchronized (machine) {
            Place directory = machine.walk().follow(parent(path), call);
            requireFree(directory, name(path), call);
            directory.inode().remove(name(path));
        }
    }

    /** Keeps a file or directory open until the returned hold is closed. Its mount is busy until then. */
    public Hold hold(Path path) {
        synchronized (machine) {
            Mount mount = machine.walk().follow(path, "open " + path).mount();
            mount.holders++;
            return new Hold(machine, mount);
        }
    }

    /** Makes all written data durable. */
    public void sync() {
        synchronized (machine) {
            machine.mounts().all().forEach(mount -> mount.filesystem.sync());
        }
    }

    private void requireFree(Place directory, String name, String call) {
        MemoryFiles.requireWritable(directory, call);
        Inode old = directory.inode().children.get(name);
        boolean mounted = old != null
                && machine.mounts().all().stream()
                        .anyMatch(
                                mount -> mount.covered == old || (mount.covered != null && mount.covered.isBelow(old)));
        if (mounted) {
            throw KernelError.EBUSY.of(call, "something is mounted there");
        }
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** An open file. Closing is idempotent. */
    public static final class Hold implements AutoCloseable {
        private final Machine machine;
        private final Mount mount;
        private final int boot;
        private boolean closed;

        Hold(Machine machine, Mount mount) {
            this.machine = machine;
            this.mount = mount;
            this.boot = machine.boots();
        }

        @Override
        public void close() {
            synchronized (machine) {
                if (closed) {
                    return;
                }
                closed = true;
                mount.holders--;
                if (mount.detached && mount.holders == 0 && machine.boots() == boot) {
                    mount.filesystem.hiddenUses--;
                }
            }
        }
    }
}
