package io.volume4j.spi.mount;

import java.util.Objects;

/**
 * What is on a device.
 *
 * @param kind see there
 * @param type the filesystem ({@code ext4}), or what else was recognised ({@code gpt}, {@code lvm2}); {@code ""} if nothing
 * @param evidence what was read and what it held, for messages and journals
 * @since 0.1.0
 */
public record DeviceContent(Kind kind, String type, String evidence) {
    public DeviceContent {
        Objects.requireNonNull(kind, "kind");
    }

    /** What that means for a format. */
    public enum Kind {
        /** Proved: each byte was read as zero or is a hole of the device's file. */
        BLANK,
        /**
         * Every region in which a filesystem, a partition table or a volume manager leaves its mark was read and is zero. What
         * lies elsewhere is not known: it may be data.
         */
        UNPROVED,
        FILESYSTEM,
        /** Partitions, a volume manager's or an encryption's header, or data of no known kind. */
        FOREIGN
    }
}
