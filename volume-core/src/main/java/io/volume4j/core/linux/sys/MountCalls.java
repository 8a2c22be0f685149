package io.volume4j.core.linux.sys;

import com.sun.jna.LastErrorException;
import io.volume4j.spi.VolumeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** The system calls on mounts, one method each, as {@link Kernel} does for files. Thread-safe. */
public final class MountCalls {
    public static final long MS_RDONLY = 1;
    public static final long MS_REMOUNT = 0x20;
    public static final long MS_BIND = 0x1000;
    public static final long MS_REC = 0x4000;
    public static final long MS_PRIVATE = 1 << 18;
    public static final long MS_SLAVE = 1 << 19;
    public static final long MS_SHARED = 1 << 20;
    public static final long ATTR_RDONLY = 1;
    private static final long ATTR_IDMAP = 0x10_0000;
    public static final int UMOUNT_FORCE = 1;
    public static final int UMOUNT_DETACH = 2;

    private static final int UMOUNT_NOFOLLOW = 8;
    private static final long SYS_OPEN_TREE = 428;
    private static final long SYS_MOVE_MOUNT = 429;
    private static final long SYS_FSOPEN = 430;
    private static final long SYS_FSCONFIG = 431;
    private static final long SYS_FSMOUNT = 432;
    private static final long SYS_FSPICK = 433;
    private static final long SYS_MOUNT_SETATTR = 442;
    private static final int AT_FDCWD = -100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_RECURSIVE = 0x8000;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int MOVE_FROM_EMPTY_PATH = 4;
    private static final int MOVE_TO_EMPTY_PATH = 0x40;
    private static final int FSOPEN_CLOEXEC = 1;
    private static final int FSMOUNT_CLOEXEC = 1;
    private static final int FSCONFIG_SET_FLAG = 0;
    private static final int FSCONFIG_SET_STRING = 1;
    private static final int FSCONFIG_CMD_CREATE = 6;
    private static final int FSCONFIG_CMD_RECONFIGURE = 7;
    private static final int FSPICK_CLOEXEC = 1;
    private static final int FSPICK_EMPTY_PATH = 8;
    private static final byte[] EMPTY = {0};

    private final Kernel kernel;

    public MountCalls(Kernel kernel) {
        this.kernel = kernel;
    }

    /** mount(2) on the directory or file of the descriptor. */
    public void mount(Object source, Descriptor target, String type, long flags, String data, Object targetName) {
        try {
            LibC.mount(
                    PathText.bytes(source),
                    PathText.bytes(target.magicLink()),
                    PathText.bytes(type),
                    flags,
                    PathText.bytes(data));
        } catch (LastErrorException e) {
            String what = (flags & MS_REMOUNT) != 0 ? "mount(MS_REMOUNT) " : "mount ";
            throw Kernel.failed(e, what + (type.isEmpty() ? "" : type + " ") + source + " on " + targetName);
        }
    }

    /** umount2(2) of a name in a directory. Neither follows a link nor opens the mounted storage. */
    public void unmount(Descriptor directory, Object name, int flags, Object targetName) {
        try {
            LibC.umount2(PathText.joined(directory.magicLink() + "/", name), flags | UMOUNT_NOFOLLOW);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "umount2 " + targetName);
        }
    }

    /** umount2(2) of the mount of which the descriptor is the root. */
    public void unmount(Descriptor mount, int flags, Object targetName) {
        try {
            LibC.umount2(PathText.bytes(mount.magicLink()), flags);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "umount2 " + targetName);
        }
    }

    /**
     * Removes a mount that could not be completed.
     *
     * @return the exception to throw: the failure, or an uncertain one if the mount still exists
     */
    public RuntimeException takenBack(SyscallException failure, Descriptor mount, Object targetName) {
        try {
            unmount(mount, UMOUNT_DETACH, targetName);
            return failure;
        } catch (SyscallException e) {
            return VolumeException.uncertain(failure.text() + "; and it is still mounted: " + e.text())
                    .withCause(failure);
        }
    }

    /** open_tree(2): a detached mount of the same files. Closing the descriptor removes it unless it was attached. */
    public Descriptor cloneTree(Descriptor source, boolean recursive, Object sourceName) {
        try {
            long flags = OPEN_TREE_CLONE | Kernel.O_CLOEXEC | AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0);
            return new Descriptor(kernel, (int) LibC.syscall(SYS_OPEN_TREE, source.number(), EMPTY, flags));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "open_tree " + sourceName);
        }
    }

    /** open_tree(2) by path, following links. */
    public Descriptor cloneTree(Path source, boolean recursive) {
        try {
            long flags = OPEN_TREE_CLONE | Kernel.O_CLOEXEC | (recursive ? AT_RECURSIVE : 0);
            return new Descriptor(kernel, (int) LibC.syscall(SYS_OPEN_TREE, AT_FDCWD, PathText.bytes(source), flags));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "open_tree " + source);
        }
    }

    /** mount_setattr(2). */
    public void setAttributes(Descriptor mount, long set, long propagation, boolean recursive, Object targetName) {
        long flags = AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0);
        setAttributes(mount, set, propagation, 0, flags, "mount_setattr " + targetName);
    }

    /**
     * mount_setattr(2) that maps the IDs of the topmost mount as a user namespace does. The mount must be detached.
     */
    public void mapIds(Descriptor mount, Descriptor userNamespace, Object targetName) {
        String call = "mount_setattr(MOUNT_ATTR_IDMAP) " + targetName;
        setAttributes(mount, ATTR_IDMAP, 0, userNamespace.number(), AT_EMPTY_PATH, call);
    }

    /** With {@code struct mount_attr}. */
    private static void setAttributes(
            Descriptor mount, long set, long propagation, long userNamespace, long flags, String call) {
        byte[] attributes = ByteBuffer.allocate(32)
                .order(ByteOrder.nativeOrder())
                .putLong(set)
                .putLong(0)
                .putLong(propagation)
                .putLong(userNamespace)
                .array();
        try {
            LibC.syscall(SYS_MOUNT_SETATTR, mount.number(), EMPTY, flags, attributes, attributes.length);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, call);
        }
    }

    /** move_mount(2) of a detached mount. */
    public void attach(Descriptor mount, Descriptor target, Object targetName) {
        try {
            long flags = MOVE_FROM_EMPTY_PATH | MOVE_TO_EMPTY_PATH;
            LibC.syscall(SYS_MOVE_MOUNT, mount.number(), EMPTY, target.number(), EMPTY, flags);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "move_mount to " + targetName);
        }
    }

    /** fsopen(2). */
    public Descriptor openFilesystem(String type) {
        try {
            return new Descriptor(kernel, (int) LibC.syscall(SYS_FSOPEN, PathText.bytes(type), FSOPEN_CLOEXEC));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsopen " + type);
        }
    }

    /** fsconfig(2) of a word without a value. */
    public void configure(Descriptor filesystem, String flag) {
        try {
            LibC.syscall(SYS_FSCONFIG, filesystem.number(), FSCONFIG_SET_FLAG, PathText.bytes(flag), null, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsconfig " + flag);
        }
    }

    /** fsconfig(2) of a key with its value, which may be confidential. */
    public void configure(Descriptor filesystem, String key, String value) {
        try {
            long set = FSCONFIG_SET_STRING;
            LibC.syscall(SYS_FSCONFIG, filesystem.number(), set, PathText.bytes(key), PathText.bytes(value), 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsconfig " + key);
        }
    }

    /** fsconfig(2) that creates the superblock: this call accesses devices and servers. */
    public void create(Descriptor filesystem) {
        try {
            LibC.syscall(SYS_FSCONFIG, filesystem.number(), FSCONFIG_CMD_CREATE, null, null, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsconfig(FSCONFIG_CMD_CREATE)");
        }
    }

    /** fspick(2): the mounted filesystem of which the descriptor is the root, to change its options. */
    public Descriptor pickFilesystem(Descriptor mount, Object targetName) {
        try {
            long flags = FSPICK_CLOEXEC | FSPICK_EMPTY_PATH;
            return new Descriptor(kernel, (int) LibC.syscall(SYS_FSPICK, mount.number(), EMPTY, flags));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fspick " + targetName);
        }
    }

    /** fsconfig(2) that applies the options to a mounted filesystem. */
    public void reconfigure(Descriptor filesystem) {
        try {
            LibC.syscall(SYS_FSCONFIG, filesystem.number(), FSCONFIG_CMD_RECONFIGURE, null, null, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsconfig(FSCONFIG_CMD_RECONFIGURE)");
        }
    }

    /** fsmount(2): a detached mount. */
    public Descriptor mountFilesystem(Descriptor filesystem, long attributes) {
        try {
            return new Descriptor(
                    kernel, (int) LibC.syscall(SYS_FSMOUNT, filesystem.number(), FSMOUNT_CLOEXEC, attributes));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fsmount");
        }
    }
}
