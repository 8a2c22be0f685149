package io.volume4j.spi.model;

import org.jspecify.annotations.Nullable;

/**
 * A directory that lives and dies with its pod.
 *
 * @param medium {@code ""} for the node's disk, {@code Memory}, {@code HugePages} or {@code HugePages-<size>}
 * @param sizeLimit null for none
 * @since 0.1.0
 */
public record EmptyDirSource(String medium, @Nullable Quantity sizeLimit) implements VolumeSource {
    public EmptyDirSource {
        medium = Copies.text(medium);
    }

    @Override
    public String type() {
        return "emptyDir";
    }
}
