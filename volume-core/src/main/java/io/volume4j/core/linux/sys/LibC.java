package io.volume4j.core.linux.sys;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The C library's wrappers of system calls, mapped directly. The only class that calls native code. Every call reports
 * its error in the exception that it throws, because later calls would overwrite errno before a caller could read it.
 *
 * <p>Structures are byte arrays in the processor's byte order: all those used here have the same layout on every
 * 64-bit Linux. {@code syscall} takes longs, so that the upper half of each argument is defined.
 */
public final class LibC {
    private LibC() {}

    static {
        // The process itself contains the C library, whatever its name is here (glibc, musl).
        Native.register(LibC.class, NativeLibrary.getProcess());
    }

    /** Loads the native part. Fails with a {@link LinkageError} if that is impossible. */
    static void load() {
        getpid();
    }

    static native int getpid();

    static native int geteuid();

    static native int open(byte[] path, int flags, int mode) throws LastErrorException;

    static native int openat(int directory, byte[] path, int flags, int mode) throws LastErrorException;

    static native int close(int descriptor) throws LastErrorException;

    static native int mkdirat(int directory, byte[] path, int mode) throws LastErrorException;

    static native int unlinkat(int directory, byte[] path, int flags) throws LastErrorException;

    static native int renameat(int fromDirectory, byte[] from, int toDirectory, byte[] to) throws LastErrorException;

    static native int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags)
            throws LastErrorException;

    static native int symlinkat(byte[] text, int directory, byte[] name) throws LastErrorException;

    static native long readlinkat(int directory, byte[] name, byte[] buffer, long length) throws LastErrorException;

    static native int fchown(int descriptor, int owner, int group) throws LastErrorException;

    static native int fchownat(int directory, byte[] path, int owner, int group, int flags) throws LastErrorException;

    static native int chmod(byte[] path, int mode) throws LastErrorException;

    static native int fchmod(int descriptor, int mode) throws LastErrorException;

    static native int ftruncate(int descriptor, long bytes) throws LastErrorException;

    static native int fsync(int descriptor) throws LastErrorException;

    static native long read(int descriptor, byte[] buffer, long length) throws LastErrorException;

    static native long pread(int descriptor, Pointer buffer, long length, long offset) throws LastErrorException;

    static native long write(int descriptor, byte[] buffer, long length) throws LastErrorException;

    static native long lseek(int descriptor, long offset, int whence) throws LastErrorException;

    static native int poll(byte[] descriptors, long count, int timeoutMillis) throws LastErrorException;

    static native int statvfs(byte[] path, byte[] result) throws LastErrorException;

    static native int mount(byte[] source, byte[] target, byte[] type, long flags, byte[] data)
            throws LastErrorException;

    static native int umount2(byte[] target, int flags) throws LastErrorException;

    static native int ioctl(int descriptor, long request, long argument) throws LastErrorException;

    static native int ioctl(int descriptor, long request, byte[] argument) throws LastErrorException;

    static native int kill(int process, int signal) throws LastErrorException;

    public static native long syscall(long number, long a, long b, long c) throws LastErrorException;

    public static native long syscall(long number, long a, byte[] b, long c) throws LastErrorException;

    public static native long syscall(long number, byte[] a, long b) throws LastErrorException;

    public static native long syscall(long number, byte[] a, byte[] b, long c, long d) throws LastErrorException;

    public static native long syscall(long number, long a, long b, long c, byte[] d) throws LastErrorException;

    public static native long syscall(long number, long a, long b, long c, long d, long e) throws LastErrorException;

    public static native long syscall(long number, long a, byte[] b, byte[] c, long d) throws LastErrorException;

    public static native long syscall(long number, long a, byte[] b, long c, long d, byte[] e)
            throws LastErrorException;

    public static native long syscall(long number, long a, byte[] b, long c, byte[] d, long e)
            throws LastErrorException;

    public static native long syscall(long number, long a, long b, byte @Nullable [] c, byte @Nullable [] d, long e)
            throws LastErrorException;
}
