package io.volume4j.spi.model;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A piece of storage of the cluster. It exists independently of the pods that use it.
 *
 * @since 0.1.0
 */
public record PersistentVolume(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public PersistentVolume {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.PERSISTENT_VOLUME;
    }

    /**
     * The specification of the volume.
     *
     * @param capacity the size of its storage, null if the manifest has none
     * @param claimRef the claim that it is bound to or reserved for, null if it is free
     * @param nodeAffinity the nodes that can access it, null for all
     */
    public record Spec(
            @Nullable Quantity capacity,
            List<AccessMode> accessModes,
            ReclaimPolicy reclaimPolicy,
            String storageClassName,
            VolumeMode volumeMode,
            @Nullable ObjectReference claimRef,
            List<String> mountOptions,
            @Nullable NodeSelector nodeAffinity,
            String volumeAttributesClassName,
            VolumeSource source) {
        public Spec {
            accessModes = Copies.list(accessModes);
            reclaimPolicy = reclaimPolicy == null ? ReclaimPolicy.RETAIN : reclaimPolicy;
            storageClassName = Copies.text(storageClassName);
            volumeMode = volumeMode == null ? VolumeMode.FILESYSTEM : volumeMode;
            mountOptions = Copies.list(mountOptions);
            volumeAttributesClassName = Copies.text(volumeAttributesClassName);
            Objects.requireNonNull(source, "source");
        }

        /**
         * The field with a word that this version does not know, such as {@code accessModes}; empty if it knows all.
         * The library does not bind, provision or mount a volume with an unknown word.
         */
        public Optional<String> unknownWord() {
            if (!volumeMode.known()) {
                return Optional.of("volumeMode");
            }
            return accessModes.stream().allMatch(AccessMode::known) ? Optional.empty() : Optional.of("accessModes");
        }

        /** A builder for a volume with reclaim policy Retain, without a size and access modes. */
        public static Builder builder(VolumeSource source) {
            return new Builder(source);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(source);
            builder.capacity = capacity;
            builder.accessModes = accessModes;
            builder.reclaimPolicy = reclaimPolicy;
            builder.storageClassName = storageClassName;
            builder.volumeMode = volumeMode;
            builder.claimRef = claimRef;
            builder.mountOptions = mountOptions;
            builder.nodeAffinity = nodeAffinity;
            builder.volumeAttributesClassName = volumeAttributesClassName;
            return builder;
        }

        /** Builds a {@link Spec}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private @Nullable Quantity capacity;
            private List<AccessMode> accessModes = List.of();
            private ReclaimPolicy reclaimPolicy = ReclaimPolicy.RETAIN;
            private String storageClassName = "";
            private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
            private @Nullable ObjectReference claimRef;
            private List<String> mountOptions = List.of();
            private @Nullable NodeSelector nodeAffinity;
            private String volumeAttributesClassName = "";
            private VolumeSource source;

            private Builder(VolumeSource source) {
                this.source = source;
            }

            public Builder capacity(@Nullable Quantity value) {
                capacity = value;
                return this;
            }

            public Builder accessModes(List<AccessMode> value) {
                accessModes = value;
                return this;
            }

            public Builder reclaimPolicy(ReclaimPolicy value) {
                reclaimPolicy = value;
                return this;
            }

            public Builder storageClassName(String value) {
                storageClassName = value;
                return this;
            }

            public Builder volumeMode(VolumeMode value) {
                volumeMode = value;
                return this;
            }

            public Builder claimRef(@Nullable ObjectReference value) {
                claimRef = value;
                return this;
            }

            public Builder mountOptions(List<String> value) {
                mountOptions = value;
                return this;
            }

            public Builder nodeAffinity(@Nullable NodeSelector value) {
                nodeAffinity = value;
                return this;
            }

            public Builder volumeAttributesClassName(String value) {
                volumeAttributesClassName = value;
                return this;
            }

            public Builder source(VolumeSource value) {
                source = value;
                return this;
            }

            public Spec build() {
                return new Spec(
                        capacity,
                        accessModes,
                        reclaimPolicy,
                        storageClassName,
                        volumeMode,
                        claimRef,
                        mountOptions,
                        nodeAffinity,
                        volumeAttributesClassName,
                        source);
            }
        }
    }

    /**
     * The status of the volume.
     *
     * @param lastPhaseTransitionTime when the phase last changed; null if unknown
     */
    public record Status(
            VolumePhase phase,
            String reason,
            String message,
            @Nullable Instant lastPhaseTransitionTime) {
        private static final Status NONE = new Status(VolumePhase.NONE, "", "");

        /** A status without the time of the last phase transition. */
        public Status(VolumePhase phase, String reason, String message) {
            this(phase, reason, message, null);
        }

        public Status {
            phase = phase == null ? VolumePhase.NONE : phase;
            reason = Copies.text(reason);
            message = Copies.text(message);
        }

        static Status none() {
            return NONE;
        }
    }

    /** The name of the class, {@code ""} for none. As in Kubernetes, the old annotation overrides the field. */
    public String className() {
        String beta = metadata.annotation(WellKnown.BETA_STORAGE_CLASS);
        return beta.isEmpty() ? spec.storageClassName() : beta;
    }
}
