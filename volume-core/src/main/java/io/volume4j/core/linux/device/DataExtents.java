package io.volume4j.core.linux.device;

import io.volume4j.core.linux.device.SignatureRegions.Region;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The parts of a device that may contain bytes other than zero: all of it, the blocks of a loop device's file, or the
 * mapped blocks of a thinly provisioned unit. Holes read as zeros; lseek(2), {@code SEEK_DATA}.
 *
 * @param parts in order and without overlap; each begins on {@link SignatureRegions#ALIGNMENT}
 * @param bytes of the device
 * @param rest the reason why the other bytes are zero, for users
 */
record DataExtents(List<Region> parts, long bytes, String rest) {
    /** If a file has more parts than this, the rest counts as one part. */
    private static final int MOST_PARTS = 10_000;

    DataExtents {
        parts = Collections.unmodifiableList(new ArrayList<>(parts));
    }

    static DataExtents everything(long bytes) {
        return new DataExtents(List.of(new Region(0, bytes)), bytes, "nothing");
    }

    /**
     * The parts of a device that maps to the file from its beginning. The caller must first flush all written data to
     * the filesystem.
     */
    static DataExtents ofFile(Kernel kernel, Descriptor file, long bytes) {
        List<Region> parts = new ArrayList<>();
        try {
            long data = kernel.seekData(file, 0);
            while (data >= 0 && data < bytes) {
                long hole = parts.size() < MOST_PARTS ? Math.min(kernel.seekHole(file, data), bytes) : bytes;
                add(parts, data / SignatureRegions.ALIGNMENT * SignatureRegions.ALIGNMENT, hole);
                data = hole < bytes ? kernel.seekData(file, hole) : -1;
            }
        } catch (SyscallException e) {
            if (e.is(Errno.EINVAL) || e.is(Errno.EOPNOTSUPP)) {
                return everything(bytes);
            }
            throw e;
        }
        return new DataExtents(parts, bytes, "holes of its file");
    }

    /** Adds a part after the others. Merges it with the last one if they touch. */
    static void add(List<Region> parts, long from, long to) {
        int last = parts.size() - 1;
        if (last >= 0 && from <= parts.get(last).to()) {
            parts.set(last, new Region(parts.get(last).from(), to));
        } else {
            parts.add(new Region(from, to));
        }
    }

    long size() {
        return parts.stream().mapToLong(Region::length).sum();
    }

    /** The source of this knowledge, for messages and journals. */
    String describe() {
        return size() == bytes
                ? "all of its " + bytes + " bytes"
                : size() + " bytes, and the other " + (bytes - size()) + " are " + rest;
    }
}
