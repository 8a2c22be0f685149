package io.volume4j.examples.benchmarks.world;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Bare system calls: the lower limit for a bind mount from a JVM. */
public final class BareMounts {
    private static final long MS_BIND = 4096;
    private static final long MS_PRIVATE = 1 << 18;
    private static final int UMOUNT_NOFOLLOW = 8;
    private static final int O_PATH_AND_CLOEXEC = 0x280000;
    private static final long OPENAT2 = 437;
    private static final long OPEN_TREE = 428;
    private static final long MOVE_MOUNT = 429;
    private static final long MOUNT_SETATTR = 442;
    private static final long AT_FDCWD = -100;
    private static final long AT_EMPTY_PATH = 0x1000;
    private static final long CLONE_AND_CLOEXEC = 0x80001;
    private static final long BOTH_BY_DESCRIPTOR = 0x44;
    private static final long WITHOUT_LINKS = 0x06;
    private static final long BENEATH_ON_ONE_MOUNT = 0x0f;
    private static final byte[] NONE = {0};

    private final byte[] root;
    private final byte[] source;
    private final byte[] target;
    private final byte[] targetName;
    private final String name;
    private final byte[] withoutLinks = how(WITHOUT_LINKS);
    private final byte[] beneath = how(BENEATH_ON_ONE_MOUNT);
    private final byte[] madePrivate = ByteBuffer.allocate(32)
            .order(ByteOrder.nativeOrder())
            .putLong(16, MS_PRIVATE)
            .array();

    static {
        Native.register(BareMounts.class, NativeLibrary.getProcess());
    }

    public BareMounts(Path root, Path source, String name) {
        this.root = bytes(root.toString());
        this.source = bytes(source.toString());
        this.name = name;
        this.target = bytes(root.resolve(name).toString());
        this.targetName = bytes(name);
    }

    /** By path, without protection against links. */
    public void bindAndUnmount() {
        mount(source, target, NONE, MS_BIND, NONE);
        umount2(target, 0);
    }

    /** All calls that are needed so that no link redirects the mount, and that it does not propagate. */
    public void safelyBindAndUnmount() {
        int top = open(root, O_PATH_AND_CLOEXEC, 0);
        int place = (int) syscall(OPENAT2, top, targetName, beneath, beneath.length);
        close(top);
        int from = (int) syscall(OPENAT2, AT_FDCWD, source, withoutLinks, withoutLinks.length);
        int mount = (int) syscall(OPEN_TREE, from, NONE, CLONE_AND_CLOEXEC | AT_EMPTY_PATH);
        close(from);
        syscall(MOVE_MOUNT, mount, NONE, place, NONE, BOTH_BY_DESCRIPTOR);
        syscall(MOUNT_SETATTR, mount, NONE, AT_EMPTY_PATH, madePrivate, madePrivate.length);
        close(mount);
        close(place);
        int parent = (int) syscall(OPENAT2, AT_FDCWD, root, withoutLinks, withoutLinks.length);
        umount2(bytes("/proc/self/fd/" + parent + "/" + name), UMOUNT_NOFOLLOW);
        close(parent);
    }

    /** {@code struct open_how}. */
    private static byte[] how(long resolve) {
        return ByteBuffer.allocate(24)
                .order(ByteOrder.nativeOrder())
                .putLong(O_PATH_AND_CLOEXEC)
                .putLong(0)
                .putLong(resolve)
                .array();
    }

    private static byte[] bytes(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(plain, plain.length + 1);
    }

    private static native int mount(byte[] source, byte[] target, byte[] type, long flags, byte[] data)
            throws LastErrorException;

    private static native int umount2(byte[] target, int flags) throws LastErrorException;

    private static native int open(byte[] path, int flags, int mode) throws LastErrorException;

    private static native int close(int descriptor) throws LastErrorException;

    private static native long syscall(long number, long a, byte[] b, long c) throws LastErrorException;

    private static native long syscall(long number, long a, byte[] b, byte[] c, long d) throws LastErrorException;

    private static native long syscall(long number, long a, byte[] b, long c, byte[] d, long e)
            throws LastErrorException;
}
