package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of storage of the cluster, with a life of its own. */
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
     * What the volume is.
     *
     * @param capacity the size of its storage, null where the manifest gave none
     * @param claimRef the claim that it is bound to or reserved for, null for nobody's
     * @param nodeAffinity the nodes that can reach it, null for all
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
    }

    /** How far the volume is. */
    public record Status(VolumePhase phase, String reason, String message) {
        private static final Status NONE = new Status(VolumePhase.NONE, "", "");

        public Status {
            phase = phase == null ? VolumePhase.NONE : phase;
            reason = Copies.text(reason);
            message = Copies.text(message);
        }

        static Status none() {
            return NONE;
        }
    }

    /** The class, by the old annotation first, as Kubernetes reads it; {@code ""} for none. */
    public String className() {
        String beta = metadata.annotation(WellKnown.BETA_STORAGE_CLASS);
        return beta.isEmpty() ? spec.storageClassName() : beta;
    }
}
