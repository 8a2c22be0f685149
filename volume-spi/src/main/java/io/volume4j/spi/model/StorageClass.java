package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes how a plugin creates the volumes of a class. The object has no {@code spec}.
 *
 * @param provisioner the plugin that creates the volumes; {@link WellKnown#NO_PROVISIONER} for a class without
 *     provisioning
 * @param allowedTopologies where the plugin may create the volumes, null for everywhere
 * @since 0.1.0
 */
public record StorageClass(
        ObjectMeta metadata,
        String provisioner,
        Map<String, String> parameters,
        ReclaimPolicy reclaimPolicy,
        List<String> mountOptions,
        boolean allowVolumeExpansion,
        VolumeBindingMode volumeBindingMode,
        @Nullable NodeSelector allowedTopologies,
        Unmodeled unmodeled)
        implements ApiObject {
    public StorageClass {
        Objects.requireNonNull(metadata, "metadata");
        provisioner = Copies.text(provisioner);
        parameters = Copies.map(parameters);
        reclaimPolicy = reclaimPolicy == null ? ReclaimPolicy.DELETE : reclaimPolicy;
        mountOptions = Copies.list(mountOptions);
        volumeBindingMode = volumeBindingMode == null ? VolumeBindingMode.IMMEDIATE : volumeBindingMode;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.STORAGE_CLASS;
    }

    /** Whether claims that set no class get this class. */
    public boolean isDefault() {
        return "true".equals(metadata.annotation(WellKnown.DEFAULT_CLASS))
                || "true".equals(metadata.annotation(WellKnown.BETA_DEFAULT_CLASS));
    }

    /** A builder for a class with reclaim policy Delete and immediate binding. */
    public static Builder builder(ObjectMeta metadata, String provisioner) {
        return new Builder(metadata, provisioner);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(metadata, provisioner);
        builder.parameters = parameters;
        builder.reclaimPolicy = reclaimPolicy;
        builder.mountOptions = mountOptions;
        builder.allowVolumeExpansion = allowVolumeExpansion;
        builder.volumeBindingMode = volumeBindingMode;
        builder.allowedTopologies = allowedTopologies;
        builder.unmodeled = unmodeled;
        return builder;
    }

    /** Builds a {@link StorageClass}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private ObjectMeta metadata;
        private String provisioner;
        private Map<String, String> parameters = Map.of();
        private ReclaimPolicy reclaimPolicy = ReclaimPolicy.DELETE;
        private List<String> mountOptions = List.of();
        private boolean allowVolumeExpansion;
        private VolumeBindingMode volumeBindingMode = VolumeBindingMode.IMMEDIATE;
        private @Nullable NodeSelector allowedTopologies;
        private Unmodeled unmodeled = Unmodeled.none();

        private Builder(ObjectMeta metadata, String provisioner) {
            this.metadata = metadata;
            this.provisioner = provisioner;
        }

        public Builder metadata(ObjectMeta value) {
            metadata = value;
            return this;
        }

        public Builder provisioner(String value) {
            provisioner = value;
            return this;
        }

        public Builder parameters(Map<String, String> value) {
            parameters = value;
            return this;
        }

        public Builder reclaimPolicy(ReclaimPolicy value) {
            reclaimPolicy = value;
            return this;
        }

        public Builder mountOptions(List<String> value) {
            mountOptions = value;
            return this;
        }

        public Builder allowVolumeExpansion(boolean value) {
            allowVolumeExpansion = value;
            return this;
        }

        public Builder volumeBindingMode(VolumeBindingMode value) {
            volumeBindingMode = value;
            return this;
        }

        public Builder allowedTopologies(@Nullable NodeSelector value) {
            allowedTopologies = value;
            return this;
        }

        public Builder unmodeled(Unmodeled value) {
            unmodeled = value;
            return this;
        }

        public StorageClass build() {
            return new StorageClass(
                    metadata,
                    provisioner,
                    parameters,
                    reclaimPolicy,
                    mountOptions,
                    allowVolumeExpansion,
                    volumeBindingMode,
                    allowedTopologies,
                    unmodeled);
        }
    }
}
