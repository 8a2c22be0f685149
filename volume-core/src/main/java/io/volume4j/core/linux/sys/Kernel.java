package io.volume4j.core.linux.sys;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The system calls on files, one method each. Arguments are Java types, and errors are {@link SyscallException}s with
 * the call and its operands. Contains no decisions. Thread-safe.
 */
public final class Kernel {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    public static final int O_PATH = 0x200000;
    public static final int MOUNTS_CHANGED = 1;
    public static final int READABLE = 2;
    public static final int RESOLVE_NO_XDEV = 0x01;
    public static final int RESOLVE_NO_MAGICLINKS = 0x02;
    public static final int RESOLVE_NO_SYMLINKS = 0x04;
    public static final int RESOLVE_BENEATH = 0x08;

    private static final long SYS_OPENAT2 = 437;
    private static final long SYS_OPEN_TREE = 428;
    private static final long SYS_MOUNT_SETATTR = 442;
    private static final long SYS_QUOTACTL_FD = 443;
    private static final int AT_FDCWD = -100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_NO_AUTOMOUNT = 0x800;
    private static final int AT_EMPTY_PATH = 0x1000;
    /** Avoids a query to a server: the answer for a dead NFS mount comes from memory. */
    private static final int AT_STATX_DONT_SYNC = 0x4000;

    private static final int PROJECTS = 2;
    private static final int RENAME_NOREPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;

    /** {@code PATH_MAX}; the target of a link is not longer. */
    private static final int LONGEST_PATH = 4096;

    private static final int SEEK_SET = 0;
    private static final int SEEK_END = 2;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final short POLLIN = 1;
    private static final short POLLPRI = 2;
    private static final short POLLERR = 8;
    private static final byte[] EMPTY = {0};

    private final Architecture architecture;
    private final KernelFeatures features;

    private Kernel(Architecture architecture, KernelFeatures features) {
        this.architecture = architecture;
        this.features = features;
    }

    /** Loads the native part. Fails with a {@link LinkageError} if JNA is missing or cannot be unpacked. */
    public static Kernel load() {
        Architecture architecture =
                Architecture.of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        LibC.load();
        return new Kernel(architecture, probe(new Kernel(architecture, KernelFeatures.NONE)));
    }

    private static KernelFeatures probe(Kernel kernel) {
        // Each test call has an error that a supporting kernel finds before it checks rights. So the error of an
        // unknown call is unambiguous.
        boolean openat2 = answers(() -> LibC.syscall(SYS_OPENAT2, AT_FDCWD, EMPTY, EMPTY, 0), Errno.EINVAL);
        boolean tree = answers(() -> LibC.syscall(SYS_OPEN_TREE, -1, EMPTY, AT_EMPTY_PATH), Errno.EBADF);
        boolean setattr = answers(() -> LibC.syscall(SYS_MOUNT_SETATTR, -1, EMPTY, 0, EMPTY, 0), Errno.EINVAL);
        boolean ids = kernel.facts(Path.of("/")).mountId() >= 0;
        return new KernelFeatures(openat2, tree && setattr, ids, true, true, true);
    }

    private static boolean answers(Runnable wrongCall, Errno expected) {
        try {
            wrongCall.run();
            return true;
        } catch (LastErrorException e) {
            return Errno.of(e.getErrorCode()) == expected;
        }
    }

    @Override
    public String toString() {
        return features.toString();
    }

    public Architecture architecture() {
        return architecture;
    }

    public KernelFeatures features() {
        return features;
    }

    /** The same kernel with fewer features, for tests of older kernels. */
    public Kernel with(KernelFeatures fewer) {
        return new Kernel(architecture, fewer);
    }

    /** geteuid(2): the effective user of this process. */
    public long user() {
        return Integer.toUnsignedLong(LibC.geteuid());
    }

    /** open(2), following links. */
    public Descriptor open(Object path, int flags) {
        try {
            return new Descriptor(this, LibC.open(PathText.bytes(path), flags | O_CLOEXEC, 0));
        } catch (LastErrorException e) {
            throw failed(e, "open " + path);
        }
    }

    /** openat(2) of one name, without following links. */
    public Descriptor openAt(Descriptor directory, Object name, int flags, int mode) {
        try {
            int all = flags | O_CLOEXEC | architecture.openNoFollow;
            return new Descriptor(this, LibC.openat(directory.number(), PathText.bytes(name), all, mode));
        } catch (LastErrorException e) {
            throw failed(e, "openat " + name);
        }
    }

    /** openat2(2). */
    public Descriptor openBelow(Descriptor root, Object relative, int flags, int resolve) {
        byte[] how = ByteBuffer.allocate(24)
                .order(ByteOrder.nativeOrder())
                .putLong(flags | O_CLOEXEC)
                .putLong(0)
                .putLong(resolve)
                .array();
        try {
            byte[] path = PathText.bytes(relative);
            return new Descriptor(this, (int) LibC.syscall(SYS_OPENAT2, root.number(), path, how, how.length));
        } catch (LastErrorException e) {
            throw failed(e, "openat2 " + relative);
        }
    }

    /** openat2(2) of an absolute path; {@code ELOOP} if any name is a link. */
    public Descriptor openWithoutLinks(Path path, int flags) {
        byte[] how = ByteBuffer.allocate(24)
                .order(ByteOrder.nativeOrder())
                .putLong(flags | O_CLOEXEC)
                .putLong(0)
                .putLong(RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)
                .array();
        try {
            return new Descriptor(
                    this, (int) LibC.syscall(SYS_OPENAT2, AT_FDCWD, PathText.bytes(path), how, how.length));
        } catch (LastErrorException e) {
            throw failed(e, "openat2 " + path);
        }
    }

    void close(int descriptor) {
        try {
            LibC.close(descriptor);
        } catch (LastErrorException e) {
            if (Errno.of(e.getErrorCode()) == Errno.EBADF) {
                throw new IllegalStateException("descriptor " + descriptor + " was closed by another owner", e);
            }
            // Linux frees the descriptor even if close(2) fails. Writers sync before they close.
        }
    }

    public FileFacts facts(Descriptor file) {
        return statx(file.number(), EMPTY, AT_EMPTY_PATH, "descriptor " + file.number());
    }

    public FileFacts facts(Path path) {
        return statx(AT_FDCWD, PathText.bytes(path), AT_NO_AUTOMOUNT, path);
    }

    public FileFacts factsAt(Descriptor directory, Object name) {
        return statx(directory.number(), PathText.bytes(name), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, name);
    }

    private FileFacts statx(int directory, byte[] path, int flags, Object what) {
        byte[] result = new byte[FileFacts.SIZE];
        try {
            long all = flags | AT_STATX_DONT_SYNC;
            LibC.syscall(architecture.statx, directory, path, all, FileFacts.WANTED, result);
        } catch (LastErrorException e) {
            throw failed(e, "statx " + what);
        }
        return FileFacts.of(result);
    }

    public void makeDirectory(Descriptor parent, String name, int mode) {
        try {
            LibC.mkdirat(parent.number(), PathText.bytes(name), mode);
        } catch (LastErrorException e) {
            throw failed(e, "mkdirat " + name);
        }
    }

    public void removeDirectory(Descriptor parent, Object name) {
        try {
            LibC.unlinkat(parent.number(), PathText.bytes(name), AT_REMOVEDIR);
        } catch (LastErrorException e) {
            throw failed(e, "unlinkat(AT_REMOVEDIR) " + name);
        }
    }

    public void removeFile(Descriptor parent, Object name) {
        try {
            LibC.unlinkat(parent.number(), PathText.bytes(name), 0);
        } catch (LastErrorException e) {
            throw failed(e, "unlinkat " + name);
        }
    }

    public void rename(Descriptor fromDirectory, Object from, Descriptor toDirectory, Object to) {
        try {
            LibC.renameat(fromDirectory.number(), PathText.bytes(from), toDirectory.number(), PathText.bytes(to));
        } catch (LastErrorException e) {
            throw failed(e, "renameat " + from + " " + to);
        }
    }

    /** renameat2(2) that never replaces a file; {@code EINVAL} if the filesystem does not support that. */
    public void renameToFree(Descriptor fromDirectory, String from, Descriptor toDirectory, String to) {
        if (!features.renameToFree()) {
            throw new SyscallException(Errno.EINVAL.number(), "renameat2 " + from + " " + to);
        }
        try {
            byte[] old = PathText.bytes(from);
            byte[] free = PathText.bytes(to);
            LibC.syscall(
                    architecture.renameat2, fromDirectory.number(), old, toDirectory.number(), free, RENAME_NOREPLACE);
        } catch (LastErrorException e) {
            throw failed(e, "renameat2 " + from + " " + to);
        }
    }

    /** renameat2(2) that exchanges two names of a directory; {@code EINVAL} if the filesystem does not support it. */
    public void exchange(Descriptor parent, String one, String other) {
        try {
            byte[] first = PathText.bytes(one);
            byte[] second = PathText.bytes(other);
            LibC.syscall(architecture.renameat2, parent.number(), first, parent.number(), second, RENAME_EXCHANGE);
        } catch (LastErrorException e) {
            throw failed(e, "renameat2(RENAME_EXCHANGE) " + one + " " + other);
        }
    }

    /** linkat(2): gives a file a second name, unless that name exists. */
    public void link(Descriptor parent, String from, String to) {
        try {
            LibC.linkat(parent.number(), PathText.bytes(from), parent.number(), PathText.bytes(to), 0);
        } catch (LastErrorException e) {
            throw failed(e, "linkat " + from + " " + to);
        }
    }

    /** symlinkat(2): refuses an existing name. */
    public void symbolicLink(Descriptor parent, String text, String name) {
        try {
            LibC.symlinkat(PathText.bytes(text), parent.number(), PathText.bytes(name));
        } catch (LastErrorException e) {
            throw failed(e, "symlinkat " + name);
        }
    }

    /** readlinkat(2). */
    public String readLink(Descriptor parent, String name) {
        byte[] buffer = new byte[LONGEST_PATH];
        try {
            int length = (int) LibC.readlinkat(parent.number(), PathText.bytes(name), buffer, buffer.length);
            return PathText.text(buffer, 0, length);
        } catch (LastErrorException e) {
            throw failed(e, "readlinkat " + name);
        }
    }

    /** fchownat(2) of the group alone, for a path-only descriptor. Changes the group of a link itself. */
    public void changeGroupOfPlace(Descriptor file, long group) {
        try {
            LibC.fchownat(file.number(), EMPTY, -1, (int) group, AT_EMPTY_PATH);
        } catch (LastErrorException e) {
            throw failed(e, "fchownat to group " + group);
        }
    }

    /** chmod(2) for a path-only descriptor, which fchmod refuses. Never for a link. */
    public void changeModeOfPlace(Descriptor file, int mode) {
        try {
            LibC.chmod(PathText.bytes(file.magicLink()), mode);
        } catch (LastErrorException e) {
            throw failed(e, "chmod " + Integer.toOctalString(mode));
        }
    }

    /** fchown(2) of the group alone. */
    public void changeGroup(Descriptor file, long group) {
        try {
            LibC.fchown(file.number(), -1, (int) group);
        } catch (LastErrorException e) {
            throw failed(e, "fchown to group " + group);
        }
    }

    /** fchown(2) of the owner alone. */
    public void changeUser(Descriptor file, long user) {
        try {
            LibC.fchown(file.number(), (int) user, -1);
        } catch (LastErrorException e) {
            throw failed(e, "fchown to user " + user);
        }
    }

    public void changeMode(Descriptor file, int mode) {
        try {
            LibC.fchmod(file.number(), mode);
        } catch (LastErrorException e) {
            throw failed(e, "fchmod " + Integer.toOctalString(mode));
        }
    }

    public void truncate(Descriptor file, long bytes) {
        try {
            LibC.ftruncate(file.number(), bytes);
        } catch (LastErrorException e) {
            throw failed(e, "ftruncate to " + bytes + " bytes");
        }
    }

    public void sync(Descriptor file) {
        try {
            LibC.fsync(file.number());
        } catch (LastErrorException e) {
            throw failed(e, "fsync");
        }
    }

    /** read(2), at most the buffer's length; 0 at the end. */
    public int read(Descriptor file, byte[] buffer) {
        try {
            return (int) LibC.read(file.number(), buffer, buffer.length);
        } catch (LastErrorException e) {
            throw failed(e, "read");
        }
    }

    /** pread(2), at most the buffer's length; 0 at the end. */
    public int read(Descriptor file, Memory buffer, long length, long offset) {
        try {
            return (int) LibC.pread(file.number(), buffer, length, offset);
        } catch (LastErrorException e) {
            throw failed(e, "pread " + length + " bytes at " + offset);
        }
    }

    /** write(2) of all bytes. */
    public void write(Descriptor file, byte[] content) {
        int written = 0;
        while (written < content.length) {
            byte[] rest = written == 0 ? content : Arrays.copyOfRange(content, written, content.length);
            try {
                written += (int) LibC.write(file.number(), rest, rest.length);
            } catch (LastErrorException e) {
                throw failed(e, "write " + content.length + " bytes");
            }
        }
    }

    /** The size, also of a block device. */
    public long size(Descriptor file) {
        try {
            return LibC.lseek(file.number(), 0, SEEK_END);
        } catch (LastErrorException e) {
            throw failed(e, "lseek to the end");
        }
    }

    /** lseek(2) of a directory to the position after an entry. */
    public void position(Descriptor directory, long position) {
        try {
            LibC.lseek(directory.number(), position, SEEK_SET);
        } catch (LastErrorException e) {
            throw failed(e, "lseek");
        }
    }

    /** lseek(2) to the next data at or after the offset; -1 if only a hole follows. */
    public long seekData(Descriptor file, long offset) {
        try {
            return LibC.lseek(file.number(), offset, SEEK_DATA);
        } catch (LastErrorException e) {
            if (Errno.of(e.getErrorCode()) == Errno.ENXIO) {
                return -1;
            }
            throw failed(e, "lseek(SEEK_DATA)");
        }
    }

    /** lseek(2) to the next hole at or after the offset. The end of the file counts as a hole. */
    public long seekHole(Descriptor file, long offset) {
        try {
            return LibC.lseek(file.number(), offset, SEEK_HOLE);
        } catch (LastErrorException e) {
            throw failed(e, "lseek(SEEK_HOLE)");
        }
    }

    /** lseek(2) to the offset. */
    public void seekTo(Descriptor file, long offset) {
        try {
            LibC.lseek(file.number(), offset, SEEK_SET);
        } catch (LastErrorException e) {
            throw failed(e, "lseek");
        }
    }

    /** lseek(2) to the beginning. */
    public void rewind(Descriptor file) {
        try {
            LibC.lseek(file.number(), 0, SEEK_SET);
        } catch (LastErrorException e) {
            throw failed(e, "lseek to the beginning");
        }
    }

    /** One call of getdents64(2): raw entries, and their size in bytes; 0 at the end. */
    public int entries(Descriptor directory, byte[] buffer) {
        try {
            return (int) LibC.syscall(architecture.getdents64, directory.number(), buffer, buffer.length);
        } catch (LastErrorException e) {
            throw failed(e, "getdents64");
        }
    }

    /** Whether the mount table of the descriptor has changed since the last query; proc_pid_mounts(5). */
    public boolean changed(Descriptor mountInfo) {
        return (poll(mountInfo, mountInfo) & MOUNTS_CHANGED) != 0;
    }

    /** Both in one call: whether the mount table changed, and whether the other descriptor is readable. */
    public int poll(Descriptor mountInfo, Descriptor readable) {
        ByteBuffer poll = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        poll.putInt(mountInfo.number()).putShort((short) (POLLPRI | POLLERR)).putShort((short) 0);
        poll.putInt(readable.number()).putShort(POLLIN).putShort((short) 0);
        try {
            LibC.poll(poll.array(), readable == mountInfo ? 1 : 2, 0);
        } catch (LastErrorException e) {
            throw failed(e, "poll /proc/self/mountinfo");
        }
        return ((poll.getShort(6) & (POLLPRI | POLLERR)) != 0 ? MOUNTS_CHANGED : 0)
                | ((poll.getShort(14) & POLLIN) != 0 ? READABLE : 0);
    }

    /** ioctl(2) with a number or no argument; its result. */
    public int control(Descriptor file, IoctlRequest request, long argument) {
        try {
            return LibC.ioctl(file.number(), request.number, argument);
        } catch (LastErrorException e) {
            throw failed(e, "ioctl " + request);
        }
    }

    /** ioctl(2) with a structure. */
    public void control(Descriptor file, IoctlRequest request, byte[] argument) {
        try {
            LibC.ioctl(file.number(), request.number, argument);
        } catch (LastErrorException e) {
            throw failed(e, "ioctl " + request);
        }
    }

    /**
     * quotactl_fd(2) on project quotas of the file's filesystem; {@code ENOSYS} before Linux 5.14 and for filesystems
     * without quotas.
     *
     * @param command without the kind of quota
     * @param argument the structure that the command reads or fills
     */
    public void projectQuota(Descriptor file, int command, int project, byte[] argument) {
        long ofProjects = Integer.toUnsignedLong(command << 8 | PROJECTS);
        try {
            LibC.syscall(SYS_QUOTACTL_FD, file.number(), ofProjects, Integer.toUnsignedLong(project), argument);
        } catch (LastErrorException e) {
            throw failed(e, "quotactl_fd of project " + Integer.toUnsignedString(project));
        }
    }

    /** statvfs(3). May hang together with the filesystem. */
    public ByteBuffer filesystemStatus(Path path) {
        byte[] result = new byte[256];
        try {
            LibC.statvfs(PathText.bytes(path), result);
        } catch (LastErrorException e) {
            throw failed(e, "statvfs " + path);
        }
        return ByteBuffer.wrap(result).order(ByteOrder.nativeOrder());
    }

    static SyscallException failed(LastErrorException e, String call) {
        return new SyscallException(e.getErrorCode(), call);
    }
}
