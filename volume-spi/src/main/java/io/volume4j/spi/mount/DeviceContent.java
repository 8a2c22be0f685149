package io.volume4j.spi.mount;

import java.util.Objects;

/**
 * The content of a device.
 * @param kind whether the device may be formatted
 * @param type the filesystem ({@code ext4}) or another recognised format ({@code gpt}, {@code lvm2}); {@code ""} if
 *     nothing was recognised
 * @param evidence which regions were read and what they contained, for messages and journals
 * @since 0.1.0
 */
public record DeviceContent(Kind kind, String type, String evidence) {
    public DeviceContent {
        Objects.requireNonNull(kind, "kind");
    }

    /** What the content means for the decision to format. */
    public enum Kind {
        /** Proved blank: each byte was read as zero or is a hole of the device's file. */
        BLANK,
        /**
         * Every region where a filesystem, partition table or volume manager writes its signature was read and is
         * zero. The rest of the device was not read and may contain data.
         */
        UNPROVED,
        FILESYSTEM,
        /** Partitions, the header of a volume manager or of an encryption, or data of an unknown kind. */
        FOREIGN
    }
}
