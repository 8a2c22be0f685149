package io.volume4j.core.linux.sys;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Parses {@code struct statmount} of {@code linux/mount.h}, and translates its flags to the words of mountinfo, see
 * {@code fs/proc_namespace.c}. Pure.
 */
final class MountStatus {
    private static final long SUPERBLOCK = 0x1;
    private static final long MOUNT = 0x2;
    private static final long ROOT = 0x8;
    private static final long POINT = 0x10;
    private static final long TYPE = 0x20;
    private static final long OPTIONS = 0x80;
    private static final long SUBTYPE = 0x100;
    private static final long SOURCE = 0x200;
    private static final long SECURITY = 0x800;
    private static final long NEEDED = SUPERBLOCK | MOUNT | ROOT | POINT | TYPE;
    static final long WANTED = NEEDED | OPTIONS | SUBTYPE | SOURCE | SECURITY;

    private static final int TEXTS = 512;
    private static final long READ_ONLY = 1;
    private static final long ACCESS_TIMES = 0x70;
    private static final long NO_ACCESS_TIMES = 0x10;
    private static final long SUPER_READ_ONLY = 1;

    private final byte[] bytes;
    private final ByteBuffer fields;
    private final long has;

    private MountStatus(byte[] bytes) {
        this.bytes = bytes;
        this.fields = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        this.has = fields.getLong(8);
    }

    /** The mount; empty if it is at no path that this process can reach. */
    static Optional<MountEntry> decode(byte[] status) {
        return new MountStatus(status).entry();
    }

    private Optional<MountEntry> entry() {
        if ((has & NEEDED) != NEEDED) {
            throw VolumeException.transientFailure("statmount told only 0x" + Long.toHexString(has)
                    + " of a mount, not 0x" + Long.toHexString(NEEDED));
        }
        String point = plain(108);
        if (point.isEmpty()) {
            return Optional.empty();
        }
        String type = plain(36);
        String subtype = (has & SUBTYPE) == 0 ? "" : plain(120);
        return Optional.of(new MountEntry(
                Integer.toUnsignedLong(fields.getInt(56)),
                Integer.toUnsignedLong(fields.getInt(60)),
                Integer.toUnsignedString(fields.getInt(16)) + ":" + Integer.toUnsignedString(fields.getInt(20)),
                plain(104),
                PathText.path(point),
                options(),
                subtype.isEmpty() ? type : type + "." + subtype,
                (has & SOURCE) == 0 ? "none" : plain(124),
                superOptions()));
    }

    private List<String> options() {
        long flags = fields.getLong(64);
        List<String> words = new ArrayList<>(4);
        words.add((flags & READ_ONLY) != 0 ? "ro" : "rw");
        addIf(words, flags, 0x2, "nosuid");
        addIf(words, flags, 0x4, "nodev");
        addIf(words, flags, 0x8, "noexec");
        long times = flags & ACCESS_TIMES;
        addIf(words, times, NO_ACCESS_TIMES, "noatime");
        addIf(words, flags, 0x80, "nodiratime");
        if (times == 0) {
            words.add("relatime");
        }
        addIf(words, flags, 0x20_0000, "nosymfollow");
        addIf(words, flags, 0x10_0000, "idmapped");
        return Collections.unmodifiableList(words);
    }

    private List<String> superOptions() {
        long flags = Integer.toUnsignedLong(fields.getInt(32));
        List<String> words = new ArrayList<>(4);
        words.add((flags & SUPER_READ_ONLY) != 0 ? "ro" : "rw");
        addIf(words, flags, 0x10, "sync");
        addIf(words, flags, 0x80, "dirsync");
        addIf(words, flags, 0x200_0000, "lazytime");
        if ((has & SECURITY) != 0) {
            int at = TEXTS + fields.getInt(140);
            for (int i = fields.getInt(136); i > 0; i--) {
                words.add(PathText.text(bytes, at, end(at)));
                at = end(at) + 1;
            }
        }
        if ((has & OPTIONS) != 0) {
            int at = TEXTS + fields.getInt(4);
            String own = PathText.unescape(bytes, at, end(at));
            if (!own.isEmpty()) {
                Collections.addAll(words, own.split(",", -1));
            }
        }
        return Collections.unmodifiableList(words);
    }

    private static void addIf(List<String> words, long flags, long flag, String word) {
        if ((flags & flag) != 0) {
            words.add(word);
        }
    }

    /** The text at the offset of that field. Only the filesystem's own options contain escapes. */
    private String plain(int field) {
        int at = TEXTS + fields.getInt(field);
        return PathText.text(bytes, at, end(at));
    }

    private int end(int from) {
        int end = from;
        while (bytes[end] != 0) {
            end++;
        }
        return end;
    }
}
