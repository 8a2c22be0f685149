package io.volume4j.spi.model;

import java.util.Objects;

/**
 * Announces that a populator fills volumes from objects of this kind. The object has no {@code spec}.
 *
 * @param sourceGroup API group of the source objects, {@code ""} for the core group
 * @param sourceKind kind of the source objects
 * @since 0.1.0
 */
public record VolumePopulator(ObjectMeta metadata, String sourceGroup, String sourceKind, Unmodeled unmodeled)
        implements ApiObject {
    public VolumePopulator {
        Objects.requireNonNull(metadata, "metadata");
        sourceGroup = Copies.text(sourceGroup);
        sourceKind = Copies.text(sourceKind);
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_POPULATOR;
    }
}
