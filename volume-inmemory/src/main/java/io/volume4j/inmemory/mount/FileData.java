package io.volume4j.inmemory.mount;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file: written bytes, then a hole up to its size; and, after it served as a disk, the disk's image.
 * Content that was not synced is lost when the machine loses power. Guarded by the machine.
 */
final class FileData {
    private static final byte[] EMPTY = new byte[0];

    private byte[] written = EMPTY;
    private long bytes;
    private byte[] synced = EMPTY;
    private long syncedBytes;
    private @Nullable DiskImage image;
    /** The overwritten image, which a loss of power before the next sync restores. */
    private @Nullable DiskImage overwritten;

    byte[] content() {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("a file of " + bytes + " bytes is not to be read as a whole");
        }
        return Arrays.copyOf(written, (int) bytes);
    }

    long bytes() {
        return bytes;
    }

    /** The bytes that take space on a disk; holes do not. */
    long allocated() {
        return written.length;
    }

    void write(byte[] content) {
        written = content.clone();
        bytes = content.length;
        overwritten = overwritten == null ? image : overwritten;
        image = null;
    }

    void grow(long newBytes) {
        bytes = Math.max(bytes, newBytes);
    }

    void sync() {
        synced = written;
        syncedBytes = bytes;
        overwritten = null;
    }

    void losePower() {
        written = synced;
        bytes = syncedBytes;
        if (overwritten != null) {
            image = overwritten;
            overwritten = null;
        }
    }

    /** Copies the content of another file, also its disk image. */
    void becomeCopyOf(FileData other, Supplier<String> numbers) {
        written = other.written;
        bytes = other.bytes;
        image = other.image == null ? null : other.image.copy(numbers);
    }

    /** The file as a disk. */
    DiskImage image() {
        if (image == null) {
            image = new DiskImage();
            boolean blank = true;
            for (byte each : written) {
                blank &= each == 0;
            }
            if (!blank) {
                image.becomeForeign("");
            }
        }
        return image;
    }

    @Nullable
    DiskImage imageIfUsed() {
        return image;
    }
}
