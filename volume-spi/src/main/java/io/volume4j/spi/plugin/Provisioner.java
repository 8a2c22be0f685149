package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes backing storage for claims. */
public interface Provisioner {
    /**
     * Makes the storage, or finds what an earlier call with the same name made.
     *
     * @throws io.volume4j.spi.VolumeException exhausted, if another place or a later time may help; infeasible, if none
     *     will; final, if the name is taken by something that does not fit
     */
    ProvisionResult provision(ProvisionRequest request, CallContext context);

    /**
     * What to make.
     *
     * @param volumeName the deterministic name that makes the call idempotent, {@code pvc-<claim UID>}
     * @param requestedBytes the least size
     * @param limitBytes the greatest size, 0 for none
     * @param selectedNode where the first consumer will run, null if that does not matter
     */
    record ProvisionRequest(
            String volumeName,
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            long requestedBytes,
            long limitBytes,
            @Nullable Node selectedNode) {}

    /**
     * What was made.
     *
     * @param capacityBytes its real size, at least what was asked for
     * @param nodeAffinity the nodes that can reach it, null for all
     */
    record ProvisionResult(
            VolumeSource source,
            long capacityBytes,
            @Nullable NodeSelector nodeAffinity) {
        public ProvisionResult {
            Objects.requireNonNull(source, "source");
            if (capacityBytes <= 0) {
                throw new IllegalArgumentException("capacity must be positive, not " + capacityBytes);
            }
        }

        public static ProvisionResult of(VolumeSource source, long capacityBytes) {
            return new ProvisionResult(source, capacityBytes, null);
        }

        public ProvisionResult onlyOn(NodeSelector nodes) {
            return new ProvisionResult(source, capacityBytes, nodes);
        }
    }
}
