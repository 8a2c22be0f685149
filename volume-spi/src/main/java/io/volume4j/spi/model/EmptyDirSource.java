package io.volume4j.spi.model;

import org.jspecify.annotations.Nullable;

/**
 * A directory that exists as long as its pod.
 *
 * @param medium {@code ""} for the node's disk, {@code Memory}, {@code HugePages} or {@code HugePages-<size>}
 * @param sizeLimit null for none
 * @param mode permission bits of the directory, 0 to 01777, where 01000 is the sticky bit; null for 0777
 * @since 0.1.0
 */
public record EmptyDirSource(
        String medium,
        @Nullable Quantity sizeLimit,
        @Nullable Integer mode) implements VolumeSource {
    /** A directory with mode 0777. */
    public EmptyDirSource(String medium, @Nullable Quantity sizeLimit) {
        this(medium, sizeLimit, null);
    }

    public EmptyDirSource {
        medium = Copies.text(medium);
    }

    @Override
    public String type() {
        return "emptyDir";
    }
}
