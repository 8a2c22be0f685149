package io.volume4j.spi.mount;

import java.util.Objects;

/**
 * What is on a device.
 *
 * @param kind see there
 * @param type the filesystem ({@code ext4}), or what else was recognised ({@code gpt}, {@code lvm2}); {@code ""} if nothing
 * @param evidence the regions that were read and what they held, for messages and journals
 */
public record DeviceContent(Kind kind, String type, String evidence) {
    public DeviceContent {
        Objects.requireNonNull(kind, "kind");
    }

    /** What that means for a format. */
    public enum Kind {
        /** Proved: every signature region was read and is zero. Only this may be formatted. */
        BLANK,
        FILESYSTEM,
        /** Partitions, a volume manager's or an encryption's header, or data that nobody recognised. */
        FOREIGN
    }
}
