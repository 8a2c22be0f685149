package io.volume4j.core.control.host;

import io.volume4j.core.engine.Step;
import io.volume4j.spi.model.VolumeSource;
import org.jspecify.annotations.Nullable;

/**
 * A step of a feature for an object of the cluster: either {@link ClusterWork}, which the host executes for all
 * features, or a step of the feature's own type.
 */
public interface ClusterStep extends Step {
    /**
     * The call of a plugin for metrics.
     *
     * @param operation Kubernetes' name of the operation: {@code provision}
     * @param className the storage class that shows whether the call was migrated to CSI, {@code ""} if a source shows it
     * @param source the source of the volume that shows it, null if the class does or nothing does
     */
    record Measured(
            String plugin,
            String operation,
            String className,
            @Nullable VolumeSource source) {}

    /** The measurement of the step; null for none. */
    default @Nullable Measured measured() {
        return null;
    }

    /** Intents on the control plane are fields of objects; the host writes them like every other field. */
    @Override
    default boolean needsIntent() {
        return false;
    }
}
