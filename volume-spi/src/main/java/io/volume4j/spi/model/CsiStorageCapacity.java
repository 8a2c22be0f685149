package io.volume4j.spi.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of a class can still be provisioned for the nodes of one segment. It has no {@code spec}.
 *
 * @param nodeTopology the nodes, null for none: such storage is out of reach
 * @param capacity what the driver said, null where it said nothing
 * @param maximumVolumeSize the greatest single volume, null where the driver said nothing
 * @since 0.1.0
 */
public record CsiStorageCapacity(
        ObjectMeta metadata,
        @Nullable LabelSelector nodeTopology,
        String storageClassName,
        @Nullable Quantity capacity,
        @Nullable Quantity maximumVolumeSize,
        Unmodeled unmodeled)
        implements ApiObject {
    public CsiStorageCapacity {
        Objects.requireNonNull(metadata, "metadata");
        storageClassName = Copies.text(storageClassName);
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.CSI_STORAGE_CAPACITY;
    }
}
