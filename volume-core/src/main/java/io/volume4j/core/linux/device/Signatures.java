package io.volume4j.core.linux.device;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The marks of filesystems, partition tables and volume managers: a table of magic numbers and the few formats that
 * need more than one. Pure.
 *
 * <p>A missing mark only makes a message less precise, because unknown contents count as foreign.
 */
final class Signatures {
    private static final long KIB = 1024;
    private static final long EXT_SUPERBLOCK = KIB;

    /** Negative offsets count from the end of the device. */
    private static final List<Magic> MAGICS = List.of(
            new Magic("f2fs", true, hex("1020f5f2"), 1024),
            new Magic("erofs", true, hex("e2e1f5e0"), 1024),
            new Magic("squashfs", true, "hsqs", 0),
            new Magic("iso9660", true, "CD001", 0x8001),
            new Magic("udf", true, "BEA01", 0x8001),
            new Magic("jfs", true, "JFS1", 0x8000),
            new Magic("reiserfs", true, "ReIsEr", 0x2034, 0x10034),
            new Magic("gfs2", true, hex("01161970"), 0x10000),
            new Magic("ocfs2", true, "OCFSV2", 0x400, 0x800, 0x1000, 0x2000),
            new Magic("nilfs2", true, hex("3434"), 0x406),
            new Magic("hfsplus", true, "H+", 0x400),
            new Magic("apfs", true, "NXSB", 0x20),
            new Magic("exfat", true, "EXFAT   ", 3),
            new Magic("ntfs", true, "NTFS    ", 3),
            new Magic("vfat", true, "FAT1", 0x36),
            new Magic("vfat", true, "FAT32", 0x52),
            new Magic("swap", false, "SWAPSPACE2", 0xff6, 0x1ff6, 0x3ff6, 0x7ff6, 0xfff6),
            new Magic("swap", false, "SWAP-SPACE", 0xff6, 0x1ff6, 0x3ff6, 0x7ff6, 0xfff6),
            new Magic("lvm2", false, "LABELONE", 0, 512, 1024, 1536),
            new Magic("luks", false, "LUKS" + hex("babe"), 0),
            new Magic(
                    "luks",
                    false,
                    "SKUL" + hex("babe"),
                    0x4000,
                    0x8000,
                    0x10000,
                    0x20000,
                    0x40000,
                    0x80000,
                    0x100000,
                    0x200000,
                    0x400000),
            new Magic("bitlocker", false, "-FVE-FS-", 3),
            new Magic("bcache", false, hex("c68573f64e1a45ca8265f57f48ba6d81"), 0x1018),
            new Magic("ceph_bluestore", false, "bluestore block device", 0),
            new Magic("stratis", false, "!Stra0tis" + hex("86ff025e417268"), 0x210, 0x1210),
            new Magic("vdo", false, "dmvdo001", 0),
            new Magic("dm_integrity", false, "integrt" + hex("00"), 0),
            new Magic("dm_verity", false, "verity" + hex("0000"), 0),
            new Magic("vmfs", false, hex("0dd001c0"), 0x100000),
            new Magic("drbd", false, hex("837402"), -4096 + 60),
            new Magic("isw_raid", false, "Intel Raid ISM Cfg Sig. ", -1024),
            new Magic("ddf_raid", false, hex("de11de11"), -512));

    private Signatures() {}

    /** A recognised mark. */
    record Found(String name, boolean filesystem, long offset) {}

    static List<Found> in(DeviceImage image) {
        List<Found> found = new ArrayList<>();
        ext(image, found);
        boolean ext = !found.isEmpty();
        xfs(image, found);
        for (Magic magic : MAGICS) {
            LongStream.of(magic.offsets)
                    .map(offset -> offset < 0 ? image.bytes() + offset : offset)
                    // Counters in an ext superblock may have the value of another format's short magic number.
                    .filter(at -> !(ext && at >= EXT_SUPERBLOCK && at < 2 * EXT_SUPERBLOCK))
                    .filter(at -> at >= 0 && image.has(at, magic.bytes))
                    .findFirst()
                    .ifPresent(at -> found.add(new Found(magic.label, magic.filesystem, at)));
        }
        btrfs(image, found);
        raid(image, found);
        zfs(image, found);
        partitions(image, found);
        return found;
    }

    /** Bytes at one of several offsets. */
    private static final class Magic {
        private final String label;
        private final boolean filesystem;
        private final byte[] bytes;
        private final long[] offsets;

        Magic(String label, boolean filesystem, String bytes, long... offsets) {
            this.label = label;
            this.filesystem = filesystem;
            this.bytes = bytes.getBytes(StandardCharsets.ISO_8859_1);
            this.offsets = offsets;
        }
    }

    private static String hex(String digits) {
        return new String(HexFormat.of().parseHex(digits), StandardCharsets.ISO_8859_1);
    }

    /** Ext2, 3 and 4 have one magic number. The features in the superblock distinguish them. */
    private static void ext(DeviceImage image, List<Found> found) {
        long superblock = EXT_SUPERBLOCK;
        boolean plausible = image.number(superblock + 0x18, 4) <= 6
                && image.number(superblock, 4) != 0
                && image.number(superblock + 4, 4) != 0
                && image.number(superblock + 0x14, 4) <= 1
                && image.number(superblock + 0x4c, 4) <= 1;
        if (image.number(superblock + 0x38, 2) != 0xef53 || !plausible) {
            return;
        }
        long compatible = image.number(superblock + 0x5c, 4);
        long incompatible = image.number(superblock + 0x60, 4);
        long readOnlyCompatible = image.number(superblock + 0x64, 4);
        boolean journalDevice = (incompatible & 0x8) != 0;
        // Extents, 64 bit, flexible groups and others; huge files, checksums, many links and others.
        boolean ext4 = (incompatible & ~0x17L) != 0 || (readOnlyCompatible & ~0x7L) != 0;
        boolean journal = (compatible & 0x4) != 0;
        String name = journalDevice ? "jbd" : ext4 ? "ext4" : journal ? "ext3" : "ext2";
        found.add(new Found(name, !journalDevice, superblock));
    }

    /**
     * mkfs.xfs writes the superblock first, with the byte {@code sb_inprogress}, and clears that byte last. The kernel
     * refuses such a filesystem. So what a killed mkfs.xfs leaves is none.
     */
    private static void xfs(DeviceImage image, List<Found> found) {
        if (image.has(0, "XFSB".getBytes(StandardCharsets.US_ASCII)) && image.number(126, 1) == 0) {
            found.add(new Found("xfs", true, 0));
        }
    }

    /**
     * Three superblocks that contain their own offset. Without this check, a btrfs image in a file might count as one.
     */
    private static void btrfs(DeviceImage image, List<Found> found) {
        byte[] magic = "_BHRfS_M".getBytes(StandardCharsets.US_ASCII);
        LongStream.of(64 * KIB, 64 * KIB * KIB, 256 * KIB * KIB * KIB)
                .filter(at -> image.has(at + 0x40, magic) && image.number(at + 0x30, 6) == at)
                .findFirst()
                .ifPresent(at -> found.add(new Found("btrfs", true, at)));
    }

    /**
     * Linux software RAID. Its superblocks are at the back (0.90, 1.0), at the front (1.1) or just after the front
     * (1.2). Those of version 1 contain their own offset.
     */
    private static void raid(DeviceImage image, List<Found> found) {
        long at090 = (image.bytes() & -64 * KIB) - 64 * KIB;
        long at10 = (image.bytes() / 512 - 16 & ~7L) * 512;
        LongStream.concat(
                        LongStream.of(at090).filter(at -> at >= 0 && isRaid(image, at) && image.number(at + 4, 4) == 0),
                        LongStream.of(at10, 0, 4 * KIB)
                                .filter(at -> at >= 0 && isRaid(image, at) && image.number(at + 0x90, 6) * 512 == at))
                .findFirst()
                .ifPresent(at -> found.add(new Found("md", false, at)));
    }

    private static boolean isRaid(DeviceImage image, long at) {
        // In the byte order of the machine that created it.
        return image.number(at, 4) == 0xa92b4efcL || image.number(at, 4) == 0xfc4e2ba9L;
    }

    /** Four labels, two at each end. Each has up to 128 uberblocks of at least one KiB in its second half. */
    private static void zfs(DeviceImage image, List<Found> found) {
        long label = 256 * KIB;
        long end = image.bytes() / label * label;
        LongStream.of(0, label, end - 2 * label, end - label)
                .filter(at -> at >= 0)
                .flatMap(at -> IntStream.range(0, 128).mapToLong(i -> at + label / 2 + i * KIB))
                .filter(at -> image.number(at, 4) == 0x00bab10cL || image.number(at + 4, 4) == 0x0cb1ba00L)
                .findFirst()
                .ifPresent(at -> found.add(new Found("zfs", false, at)));
    }

    private static void partitions(DeviceImage image, List<Found> found) {
        byte[] gpt = "EFI PART".getBytes(StandardCharsets.US_ASCII);
        boolean usable = found.stream().anyMatch(Found::filesystem);
        if (image.has(512, gpt) || image.has(4096, gpt)) {
            found.add(new Found("gpt", false, image.has(512, gpt) ? 512 : 4096));
        } else if (!usable && (image.has(image.bytes() - 512, gpt) || image.has(image.bytes() - 4096, gpt))) {
            // A filesystem on a whole disk that once had partitions often leaves the second table at the very end.
            found.add(new Found("gpt", false, image.bytes() - (image.has(image.bytes() - 512, gpt) ? 512 : 4096)));
        }
        boolean bootSector = found.stream().anyMatch(each -> each.offset() < 512 && each.filesystem());
        if (!bootSector
                && image.number(510, 2) == 0xaa55
                && IntStream.range(0, 4).anyMatch(i -> isPartition(image, 446 + 16L * i))) {
            found.add(new Found("mbr", false, 0));
        }
    }

    private static boolean isPartition(DeviceImage image, long entry) {
        long status = image.number(entry, 1);
        boolean flagged = status == 0 || status == 0x80;
        return flagged && image.number(entry + 4, 1) != 0 && image.number(entry + 12, 4) != 0;
    }
}
