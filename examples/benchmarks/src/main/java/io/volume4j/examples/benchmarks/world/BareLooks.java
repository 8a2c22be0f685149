package io.volume4j.examples.benchmarks.world;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The system calls that show whether a path is a mount point, and what a mount is. */
public final class BareLooks {
    private static final long STATX = 332;
    private static final long STATMOUNT = 457;
    private static final long AT_FDCWD = -100;
    /** Does not follow links, and triggers no automount. */
    private static final long AT_SYMLINK_NOFOLLOW_NO_AUTOMOUNT = 0x900;

    private static final long STATX_MNT_ID_UNIQUE = 0x4000;
    private static final long STATX_ATTR_MOUNT_ROOT = 0x2000;
    private static final int STATX_ATTRIBUTES = 8;
    private static final int STATX_MNT_ID = 144;
    private static final int STATMOUNT_MASK = 8;
    /** Of the superblock, the mount, its mount point, its root, and the type of filesystem. */
    private static final long EVERYTHING = 0x3f;

    // Outside the heap, so that a call copies nothing.
    private final Memory path;
    private final Memory seen = new Memory(256);
    private final Memory question = new Memory(24);
    private final Memory answer = new Memory(4096);

    static {
        Native.register(BareLooks.class, NativeLibrary.getProcess());
    }

    public BareLooks(Path place) {
        byte[] name = (place + "\0").getBytes(StandardCharsets.UTF_8);
        this.path = new Memory(name.length);
        path.write(0, name, 0, name.length);
    }

    /** Whether the path is the root of a mount; not what is mounted. */
    public boolean mounted() {
        syscall(STATX, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW_NO_AUTOMOUNT, STATX_MNT_ID_UNIQUE, seen);
        return (seen.getLong(STATX_ATTRIBUTES) & STATX_ATTR_MOUNT_ROOT) != 0;
    }

    /**
     * Whether the path is the root of a mount, and what is mounted.
     *
     * @throws LastErrorException on a kernel before 6.8
     */
    public boolean mountedWithWhat() {
        if (!mounted()) {
            return false;
        }
        question.setLong(0, question.size());
        question.setLong(8, seen.getLong(STATX_MNT_ID));
        question.setLong(16, EVERYTHING);
        syscall(STATMOUNT, question, answer, answer.size(), 0);
        return (answer.getLong(STATMOUNT_MASK) & EVERYTHING) != 0;
    }

    private static native long syscall(long number, long directory, Pointer path, long flags, long mask, Pointer seen)
            throws LastErrorException;

    private static native long syscall(long number, Pointer question, Pointer answer, long size, long flags)
            throws LastErrorException;
}
