package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says how a volume is. For people: nothing is decided by it. */
public interface HealthReporter {
    Health health(VolumeId volume, CallContext context);

    /** The same, as seen also from where the volume is mounted on this node. */
    default Health health(HealthRequest request, CallContext context) {
        return health(request.volume(), context);
    }

    /**
     * Which volume, and where this node has it.
     *
     * @param path null if no pod of this node has it
     * @param deviceMountPath null if the node has no device mount of it
     */
    record HealthRequest(
            VolumeId volume, @Nullable Path path, @Nullable Path deviceMountPath) {}

    record Health(boolean abnormal, String message) {}
}
