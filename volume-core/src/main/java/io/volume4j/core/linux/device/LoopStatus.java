package io.volume4j.core.linux.device;

import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.PathText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The status of a loop device: {@code struct loop_info64} of loop(4).
 *
 * @param device of the filesystem that contains the file, {@code major:minor}
 * @param goesWhenClosed whether the kernel detaches the device when its last user closes it. This library never sets
 *     this flag; LOOP_CLR_FD on an open device does
 * @param plain whether the device shows the whole file, without changes
 */
record LoopStatus(String device, long inode, boolean readOnly, boolean goesWhenClosed, boolean plain) {
    static final int SIZE = 232;
    private static final int OFFSET = 24;
    private static final int SIZE_LIMIT = 32;
    private static final int ENCRYPTION = 44;
    private static final int FLAGS = 52;
    private static final int FILE_NAME = 56;
    private static final int FILE_NAME_LIMIT = 63;
    private static final int READ_ONLY = 1;
    private static final int AUTOCLEAR = 4;

    static LoopStatus of(byte[] info) {
        ByteBuffer b = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
        long device = b.getLong(0);
        // The kernel's huge_encode_dev.
        long major = device >> 8 & 0xfff;
        long minor = (device & 0xff) | (device >> 12 & 0xfff00);
        boolean plain = b.getLong(OFFSET) == 0 && b.getLong(SIZE_LIMIT) == 0 && b.getInt(ENCRYPTION) == 0;
        int flags = b.getInt(FLAGS);
        return new LoopStatus(
                major + ":" + minor, b.getLong(8), (flags & READ_ONLY) != 0, (flags & AUTOCLEAR) != 0, plain);
    }

    /** The structure that sets a device up for a file. The name is for users of losetup. */
    static byte[] settings(boolean readOnly, Object name) {
        ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        b.putInt(FLAGS, readOnly ? READ_ONLY : 0);
        byte[] text = PathText.bytes(name);
        b.put(FILE_NAME, text, 0, Math.min(text.length - 1, FILE_NAME_LIMIT));
        return b.array();
    }

    boolean isOf(FileFacts file) {
        return inode == file.inode() && device.equals(file.device());
    }

    /** How well the device serves as that of its file. First it shows the whole file, then it stays, then it has the mode. */
    int fitness(boolean wantedReadOnly) {
        return (plain ? 4 : 0) + (goesWhenClosed ? 0 : 2) + (readOnly == wantedReadOnly ? 1 : 0);
    }
}
