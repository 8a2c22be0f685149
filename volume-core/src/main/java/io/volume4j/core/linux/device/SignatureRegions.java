package io.volume4j.core.linux.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The parts of a device in which every known format leaves a mark. A device is blank only if all of these were read
 * and are zero. A small device is read completely.
 */
final class SignatureRegions {
    /** A smaller device is probably not ready yet, and is too small for a useful filesystem. */
    static final long SMALLEST_DEVICE = 1L << 20;

    /** Regions begin and end at multiples of this, so that direct reads work on every device. */
    static final int ALIGNMENT = 4096;

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private SignatureRegions() {}

    /** The bytes {@code [from, to)} of the device. */
    record Region(long from, long to) {
        long length() {
            return to - from;
        }

        @Override
        public String toString() {
            return from + "-" + to;
        }
    }

    /** The regions of a device of this size, in order and without overlap. */
    static List<Region> of(long bytes) {
        List<Region> wanted = new ArrayList<>();
        // The front: partition tables (LBA 0 and 1), boot sectors, superblocks of ext (1 KiB), xfs (0), btrfs (64
        // KiB), swap (one page), LVM2 (first four sectors), md 1.1 and 1.2, LUKS with its second header (up to 4 MiB),
        // bcache, ZFS labels 0 and 1 (first 512 KiB), VMFS (1 and 2 MiB), and the beginning of the first partition of
        // a lost table (1 MiB).
        wanted.add(new Region(0, 4 * MIB + 64 * KIB));
        // Copies that survive overwriting of the front. Ext with 1, 2 and 4 KiB blocks: its second block group.
        wanted.add(new Region(8 * MIB, 8 * MIB + 64 * KIB));
        wanted.add(new Region(32 * MIB, 32 * MIB + 64 * KIB));
        wanted.add(new Region(128 * MIB, 128 * MIB + 64 * KIB));
        // Btrfs: its second and third superblock.
        wanted.add(new Region(64 * MIB, 64 * MIB + 64 * KIB));
        wanted.add(new Region(256 * GIB, 256 * GIB + 64 * KIB));
        // The back: the second GPT (last sector), md 0.90 (last 128 KiB) and 1.0 (last 12 KiB), ZFS labels 2 and 3
        // (last 768 KiB, as they are aligned), DRBD, firmware RAID (last sectors), the second superblock of NILFS2.
        wanted.add(new Region(Math.max(0, bytes - MIB) / ALIGNMENT * ALIGNMENT, bytes));
        return merged(wanted, bytes);
    }

    private static List<Region> merged(List<Region> wanted, long bytes) {
        List<Region> inOrder = new ArrayList<>(wanted);
        inOrder.sort(Comparator.comparingLong(Region::from));
        List<Region> merged = new ArrayList<>();
        for (Region next : inOrder) {
            Region region = new Region(Math.min(next.from, bytes), Math.min(next.to, bytes));
            int last = merged.size() - 1;
            if (last >= 0 && region.from <= merged.get(last).to) {
                merged.set(last, new Region(merged.get(last).from, Math.max(merged.get(last).to, region.to)));
            } else if (region.length() > 0) {
                merged.add(region);
            }
        }
        return Collections.unmodifiableList(merged);
    }
}
