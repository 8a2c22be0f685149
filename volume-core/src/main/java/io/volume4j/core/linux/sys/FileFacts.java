package io.volume4j.core.linux.sys;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/**
 * The result of statx(2) for a file.
 *
 * @param mode permission bits with setuid, setgid and sticky
 * @param owner user id of the owner
 * @param group group id
 * @param allocated bytes of the blocks that the filesystem allocates for it
 * @param device of the filesystem that contains it, {@code major:minor}
 * @param represents the device of a device node, {@code major:minor}
 * @param mountId as in mountinfo; -1 on kernels before 5.8
 * @param changed ctime: when its content or status changed last, in nanoseconds since 1970. No program can set it
 * @param born {@code seconds.nanoseconds}, {@code ""} if the filesystem does not record it
 */
public record FileFacts(
        FileStatus.Type type,
        int mode,
        long owner,
        long group,
        long inode,
        int links,
        long bytes,
        long allocated,
        String device,
        String represents,
        long mountId,
        long changed,
        String born) {
    static final int SIZE = 256;
    static final long WANTED = 0x7ff | 0x800 | 0x1000;

    /** The block size of statx(2), independent of the filesystem's own. */
    private static final int BLOCK = 512;

    private static final int HAS_BIRTH = 0x800;
    private static final int HAS_MOUNT_ID = 0x1000;

    static FileFacts of(byte[] statx) {
        ByteBuffer b = ByteBuffer.wrap(statx).order(ByteOrder.nativeOrder());
        int has = b.getInt(0);
        int mode = Short.toUnsignedInt(b.getShort(28));
        return new FileFacts(
                type(mode),
                mode & 07777,
                Integer.toUnsignedLong(b.getInt(20)),
                Integer.toUnsignedLong(b.getInt(24)),
                b.getLong(32),
                b.getInt(16),
                b.getLong(40),
                b.getLong(48) * BLOCK,
                b.getInt(136) + ":" + b.getInt(140),
                b.getInt(128) + ":" + b.getInt(132),
                (has & HAS_MOUNT_ID) == 0 ? -1 : b.getLong(144),
                TimeUnit.SECONDS.toNanos(b.getLong(96)) + b.getInt(104),
                (has & HAS_BIRTH) == 0 ? "" : b.getLong(80) + "." + b.getInt(88));
    }

    public boolean isDirectory() {
        return type == FileStatus.Type.DIRECTORY;
    }

    public boolean isRegular() {
        return type == FileStatus.Type.FILE;
    }

    public boolean sameFile(FileFacts other) {
        return inode == other.inode && device.equals(other.device);
    }

    private static FileStatus.Type type(int mode) {
        switch (mode & 0170000) {
            case 0040000:
                return FileStatus.Type.DIRECTORY;
            case 0100000:
                return FileStatus.Type.FILE;
            case 0120000:
                return FileStatus.Type.LINK;
            case 0060000:
                return FileStatus.Type.BLOCK_DEVICE;
            case 0020000:
                return FileStatus.Type.CHARACTER_DEVICE;
            case 0140000:
                return FileStatus.Type.SOCKET;
            default:
                return FileStatus.Type.OTHER;
        }
    }
}
