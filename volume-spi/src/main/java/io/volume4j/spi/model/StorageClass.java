package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How volumes of a class are made. It has no {@code spec}.
 *
 * @param provisioner the plugin that makes them; {@link WellKnown#NO_PROVISIONER} for a class that never makes any
 * @param allowedTopologies where they may be made, null for everywhere
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

    /** Whether claims that name no class get this one. */
    public boolean isDefault() {
        return "true".equals(metadata.annotation(WellKnown.DEFAULT_CLASS))
                || "true".equals(metadata.annotation(WellKnown.BETA_DEFAULT_CLASS));
    }
}
