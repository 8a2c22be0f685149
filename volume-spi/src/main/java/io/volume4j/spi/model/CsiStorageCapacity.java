package io.volume4j.spi.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much storage of a class can still be provisioned for the nodes of one topology segment. The object has no
 * {@code spec}.
 *
 * @param nodeTopology selects the nodes; null for none: no node can access such storage
 * @param capacity the available capacity, null if the driver did not report it
 * @param maximumVolumeSize the maximum size of one volume, null if the driver did not report it
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

    /** A builder for a class, without nodes and figures. */
    public static Builder builder(ObjectMeta metadata, String storageClassName) {
        return new Builder(metadata, storageClassName);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(metadata, storageClassName);
        builder.nodeTopology = nodeTopology;
        builder.capacity = capacity;
        builder.maximumVolumeSize = maximumVolumeSize;
        builder.unmodeled = unmodeled;
        return builder;
    }

    /** Builds a {@link CsiStorageCapacity}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private ObjectMeta metadata;
        private @Nullable LabelSelector nodeTopology;
        private String storageClassName;
        private @Nullable Quantity capacity;
        private @Nullable Quantity maximumVolumeSize;
        private Unmodeled unmodeled = Unmodeled.none();

        private Builder(ObjectMeta metadata, String storageClassName) {
            this.metadata = metadata;
            this.storageClassName = storageClassName;
        }

        public Builder metadata(ObjectMeta value) {
            metadata = value;
            return this;
        }

        public Builder nodeTopology(@Nullable LabelSelector value) {
            nodeTopology = value;
            return this;
        }

        public Builder storageClassName(String value) {
            storageClassName = value;
            return this;
        }

        public Builder capacity(@Nullable Quantity value) {
            capacity = value;
            return this;
        }

        public Builder maximumVolumeSize(@Nullable Quantity value) {
            maximumVolumeSize = value;
            return this;
        }

        public Builder unmodeled(Unmodeled value) {
            unmodeled = value;
            return this;
        }

        public CsiStorageCapacity build() {
            return new CsiStorageCapacity(
                    metadata, nodeTopology, storageClassName, capacity, maximumVolumeSize, unmodeled);
        }
    }
}
