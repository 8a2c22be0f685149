package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user's request for storage.
 *
 * @since 0.1.0
 */
public record PersistentVolumeClaim(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public PersistentVolumeClaim {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.PERSISTENT_VOLUME_CLAIM;
    }

    /**
     * The requested storage.
     *
     * @param request the minimum size, null if the manifest has none
     * @param storageClassName null if the manifest does not set it (the claim may get the default class), {@code ""} if
     *     the manifest requests no class
     * @param volumeName the volume that the claim is bound to or requests by name; {@code ""} for none
     * @param selector selects volumes by their labels, null for all
     */
    public record Spec(
            List<AccessMode> accessModes,
            @Nullable Quantity request,
            @Nullable String storageClassName,
            VolumeMode volumeMode,
            String volumeName,
            @Nullable LabelSelector selector,
            @Nullable TypedReference dataSource,
            @Nullable TypedReference dataSourceRef,
            String volumeAttributesClassName) {
        public Spec {
            accessModes = Copies.list(accessModes);
            volumeMode = volumeMode == null ? VolumeMode.FILESYSTEM : volumeMode;
            volumeName = Copies.text(volumeName);
            volumeAttributesClassName = Copies.text(volumeAttributesClassName);
        }

        /**
         * The field with a word that this version does not know, such as {@code accessModes}; empty if it knows all.
         * The library does not bind a claim with an unknown word, and does not provision or mount a volume for it.
         */
        public Optional<String> unknownWord() {
            if (!volumeMode.known()) {
                return Optional.of("volumeMode");
            }
            return accessModes.stream().allMatch(AccessMode::known) ? Optional.empty() : Optional.of("accessModes");
        }

        /** A builder for a claim that requests nothing yet and does not set a class. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.accessModes = accessModes;
            builder.request = request;
            builder.storageClassName = storageClassName;
            builder.volumeMode = volumeMode;
            builder.volumeName = volumeName;
            builder.selector = selector;
            builder.dataSource = dataSource;
            builder.dataSourceRef = dataSourceRef;
            builder.volumeAttributesClassName = volumeAttributesClassName;
            return builder;
        }

        /** Builds a {@link Spec}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private List<AccessMode> accessModes = List.of();
            private @Nullable Quantity request;
            private @Nullable String storageClassName;
            private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
            private String volumeName = "";
            private @Nullable LabelSelector selector;
            private @Nullable TypedReference dataSource;
            private @Nullable TypedReference dataSourceRef;
            private String volumeAttributesClassName = "";

            private Builder() {}

            public Builder accessModes(List<AccessMode> value) {
                accessModes = value;
                return this;
            }

            public Builder request(@Nullable Quantity value) {
                request = value;
                return this;
            }

            public Builder storageClassName(@Nullable String value) {
                storageClassName = value;
                return this;
            }

            public Builder volumeMode(VolumeMode value) {
                volumeMode = value;
                return this;
            }

            public Builder volumeName(String value) {
                volumeName = value;
                return this;
            }

            public Builder selector(@Nullable LabelSelector value) {
                selector = value;
                return this;
            }

            public Builder dataSource(@Nullable TypedReference value) {
                dataSource = value;
                return this;
            }

            public Builder dataSourceRef(@Nullable TypedReference value) {
                dataSourceRef = value;
                return this;
            }

            public Builder volumeAttributesClassName(String value) {
                volumeAttributesClassName = value;
                return this;
            }

            public Spec build() {
                return new Spec(
                        accessModes,
                        request,
                        storageClassName,
                        volumeMode,
                        volumeName,
                        selector,
                        dataSource,
                        dataSourceRef,
                        volumeAttributesClassName);
            }
        }
    }

    /**
     * The status of the claim.
     *
     * @param capacity the actual size, null before the claim is bound
     * @param allocatedResources the sizes that a running expansion has requested, by resource
     * @param allocatedResourceStatuses the state of such an expansion, by resource
     */
    public record Status(
            ClaimPhase phase,
            List<AccessMode> accessModes,
            @Nullable Quantity capacity,
            Map<String, Quantity> allocatedResources,
            Map<String, String> allocatedResourceStatuses,
            String currentVolumeAttributesClassName) {
        private static final Status NONE = new Status(ClaimPhase.NONE, List.of(), null, Map.of(), Map.of(), "");

        public Status {
            phase = phase == null ? ClaimPhase.NONE : phase;
            accessModes = Copies.list(accessModes);
            allocatedResources = Copies.map(allocatedResources);
            allocatedResourceStatuses = Copies.map(allocatedResourceStatuses);
            currentVolumeAttributesClassName = Copies.text(currentVolumeAttributesClassName);
        }

        static Status none() {
            return NONE;
        }

        /** A builder for the status of a claim that no controller has processed. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.phase = phase;
            builder.accessModes = accessModes;
            builder.capacity = capacity;
            builder.allocatedResources = allocatedResources;
            builder.allocatedResourceStatuses = allocatedResourceStatuses;
            builder.currentVolumeAttributesClassName = currentVolumeAttributesClassName;
            return builder;
        }

        /** Builds a {@link Status}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private ClaimPhase phase = ClaimPhase.NONE;
            private List<AccessMode> accessModes = List.of();
            private @Nullable Quantity capacity;
            private Map<String, Quantity> allocatedResources = Map.of();
            private Map<String, String> allocatedResourceStatuses = Map.of();
            private String currentVolumeAttributesClassName = "";

            private Builder() {}

            public Builder phase(ClaimPhase value) {
                phase = value;
                return this;
            }

            public Builder accessModes(List<AccessMode> value) {
                accessModes = value;
                return this;
            }

            public Builder capacity(@Nullable Quantity value) {
                capacity = value;
                return this;
            }

            public Builder allocatedResources(Map<String, Quantity> value) {
                allocatedResources = value;
                return this;
            }

            public Builder allocatedResourceStatuses(Map<String, String> value) {
                allocatedResourceStatuses = value;
                return this;
            }

            public Builder currentVolumeAttributesClassName(String value) {
                currentVolumeAttributesClassName = value;
                return this;
            }

            public Status build() {
                return new Status(
                        phase,
                        accessModes,
                        capacity,
                        allocatedResources,
                        allocatedResourceStatuses,
                        currentVolumeAttributesClassName);
            }
        }
    }

    /**
     * The name of the class. As in Kubernetes, the old annotation overrides the field. {@code ""} if the claim
     * requests no class or does not set one (see {@link #classUnset()}).
     */
    public String className() {
        if (metadata.annotations().containsKey(WellKnown.BETA_STORAGE_CLASS)) {
            return metadata.annotation(WellKnown.BETA_STORAGE_CLASS);
        }
        String name = spec.storageClassName();
        return name == null ? "" : name;
    }

    /** Whether the claim does not set a class, so that the default class applies. */
    public boolean classUnset() {
        return spec.storageClassName() == null && !metadata.annotations().containsKey(WellKnown.BETA_STORAGE_CLASS);
    }
}
