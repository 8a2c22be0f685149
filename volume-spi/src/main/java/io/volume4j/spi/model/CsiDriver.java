package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's settings for a CSI driver. The object has the name of the driver.
 *
 * @since 0.1.0
 */
public record CsiDriver(ObjectMeta metadata, Spec spec, Unmodeled unmodeled) implements ApiObject {
    public CsiDriver {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? Spec.defaults() : spec;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.CSI_DRIVER;
    }

    /** The key of a driver's object. */
    public static ObjectKey key(String driver) {
        return new ObjectKey(Kind.CSI_DRIVER, "", driver);
    }

    /** Which program applies a pod's fsGroup to the content of its volumes. */
    public enum FsGroupPolicy implements ApiWord {
        /** The library, for volumes with a filesystem type that one node uses at a time. */
        READ_WRITE_ONCE_WITH_FS_TYPE("ReadWriteOnceWithFSType"),
        /** The library, always. */
        FILE("File"),
        /** The driver, or no program at all. */
        NONE("None"),
        /** A word that this version does not know. The library does not use the driver's volumes. */
        UNKNOWN("");

        private final String apiName;

        FsGroupPolicy(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }

        @Override
        public boolean known() {
            return this != UNKNOWN;
        }
    }

    /** How long volumes of the driver exist. */
    public enum LifecycleMode implements ApiWord {
        /** As long as its PersistentVolume. */
        PERSISTENT("Persistent"),
        /** As long as the pod that describes the volume inline. */
        EPHEMERAL("Ephemeral"),
        /** A word that this version does not know. The library does not use the driver's volumes. */
        UNKNOWN("");

        private final String apiName;

        LifecycleMode(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }

        @Override
        public boolean known() {
            return this != UNKNOWN;
        }
    }

    /**
     * A token of the pod's service account that the driver needs.
     * @param audience {@code ""} for the default audience of the cluster
     * @param expirationSeconds the wanted lifetime, null for one hour
     */
    public record TokenRequest(String audience, @Nullable Long expirationSeconds) {
        public TokenRequest {
            audience = Copies.text(audience);
        }
    }

    /**
     * The settings of the driver. {@link #defaults} has the values of a manifest without fields; {@link #toBuilder}
     * changes single fields.
     *
     * @param attachRequired whether its volumes must be attached to a node
     * @param podInfoOnMount whether NodePublishVolume contains the pod
     * @param volumeLifecycleModes the permitted lifecycle modes of its volumes; never empty
     * @param storageCapacity whether a pod can get only nodes for which the driver has published enough capacity
     * @param tokenRequests the tokens of the pod's service account that NodePublishVolume contains
     * @param requiresRepublish whether the node repeats NodePublishVolume for a running pod
     * @param seLinuxMount whether the driver mounts volumes with the pod's SELinux context as a mount option
     * @param nodeAllocatableUpdatePeriodSeconds how often the node asks the driver how many volumes it can have; null
     *     for once
     * @param serviceAccountTokenInSecrets whether the request contains tokens as secrets instead of in its volume
     *     context
     * @param preventPodSchedulingIfMissing whether a pod can get only nodes on which the driver is registered
     */
    public record Spec(
            boolean attachRequired,
            boolean podInfoOnMount,
            List<LifecycleMode> volumeLifecycleModes,
            boolean storageCapacity,
            FsGroupPolicy fsGroupPolicy,
            List<TokenRequest> tokenRequests,
            boolean requiresRepublish,
            boolean seLinuxMount,
            @Nullable Long nodeAllocatableUpdatePeriodSeconds,
            boolean serviceAccountTokenInSecrets,
            boolean preventPodSchedulingIfMissing) {
        private static final List<LifecycleMode> PERSISTENT = List.of(LifecycleMode.PERSISTENT);

        private static final Spec DEFAULTS = new Spec(
                true,
                false,
                PERSISTENT,
                false,
                FsGroupPolicy.READ_WRITE_ONCE_WITH_FS_TYPE,
                List.of(),
                false,
                false,
                null,
                false,
                false);

        public Spec {
            volumeLifecycleModes = Copies.list(volumeLifecycleModes.isEmpty() ? PERSISTENT : volumeLifecycleModes);
            Objects.requireNonNull(fsGroupPolicy, "fsGroupPolicy");
            tokenRequests = Copies.list(tokenRequests);
        }

        /** The settings of a driver without an object, and of an object without fields, as in Kubernetes. */
        public static Spec defaults() {
            return DEFAULTS;
        }

        public Builder toBuilder() {
            return new Builder(this);
        }
    }

    /** Changes single fields of a {@link Spec}. The fields are documented there. Not thread-safe. */
    public static final class Builder {
        private boolean attachRequired;
        private boolean podInfoOnMount;
        private List<LifecycleMode> volumeLifecycleModes;
        private boolean storageCapacity;
        private FsGroupPolicy fsGroupPolicy;
        private List<TokenRequest> tokenRequests;
        private boolean requiresRepublish;
        private boolean seLinuxMount;
        private @Nullable Long nodeAllocatableUpdatePeriodSeconds;
        private boolean serviceAccountTokenInSecrets;
        private boolean preventPodSchedulingIfMissing;

        private Builder(Spec from) {
            attachRequired = from.attachRequired;
            podInfoOnMount = from.podInfoOnMount;
            volumeLifecycleModes = from.volumeLifecycleModes;
            storageCapacity = from.storageCapacity;
            fsGroupPolicy = from.fsGroupPolicy;
            tokenRequests = from.tokenRequests;
            requiresRepublish = from.requiresRepublish;
            seLinuxMount = from.seLinuxMount;
            nodeAllocatableUpdatePeriodSeconds = from.nodeAllocatableUpdatePeriodSeconds;
            serviceAccountTokenInSecrets = from.serviceAccountTokenInSecrets;
            preventPodSchedulingIfMissing = from.preventPodSchedulingIfMissing;
        }

        public Builder attachRequired(boolean value) {
            attachRequired = value;
            return this;
        }

        public Builder podInfoOnMount(boolean value) {
            podInfoOnMount = value;
            return this;
        }

        public Builder volumeLifecycleModes(List<LifecycleMode> value) {
            volumeLifecycleModes = value;
            return this;
        }

        public Builder storageCapacity(boolean value) {
            storageCapacity = value;
            return this;
        }

        public Builder fsGroupPolicy(FsGroupPolicy value) {
            fsGroupPolicy = value;
            return this;
        }

        public Builder tokenRequests(List<TokenRequest> value) {
            tokenRequests = value;
            return this;
        }

        public Builder requiresRepublish(boolean value) {
            requiresRepublish = value;
            return this;
        }

        public Builder seLinuxMount(boolean value) {
            seLinuxMount = value;
            return this;
        }

        public Builder nodeAllocatableUpdatePeriodSeconds(@Nullable Long value) {
            nodeAllocatableUpdatePeriodSeconds = value;
            return this;
        }

        public Builder serviceAccountTokenInSecrets(boolean value) {
            serviceAccountTokenInSecrets = value;
            return this;
        }

        public Builder preventPodSchedulingIfMissing(boolean value) {
            preventPodSchedulingIfMissing = value;
            return this;
        }

        public Spec build() {
            return new Spec(
                    attachRequired,
                    podInfoOnMount,
                    volumeLifecycleModes,
                    storageCapacity,
                    fsGroupPolicy,
                    tokenRequests,
                    requiresRepublish,
                    seLinuxMount,
                    nodeAllocatableUpdatePeriodSeconds,
                    serviceAccountTokenInSecrets,
                    preventPodSchedulingIfMissing);
        }
    }
}
