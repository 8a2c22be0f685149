package io.volume4j.core.linux.sys;

import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What statx(2) knows of a file.
 *
 * @param mode permission bits with setuid, setgid and sticky
 * @param owner id of the user that it belongs to
 * @param group id of the group that it belongs to
 * @param allocated bytes of the blocks that the filesystem keeps for it
 * @param device of the filesystem that holds it, {@code major:minor}
 * @param represents the device that a device node stands for, {@code major:minor}
 * @param mountId as in mountinfo; -1 where the kernel (before 5.8) does not tell
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
        String born) {
    static final int SIZE = 256;
    static final long WANTED = 0x7ff | 0x800 | 0x1000;

    /** statx(2) counts blocks of this size, whatever the filesystem's own is. */
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
