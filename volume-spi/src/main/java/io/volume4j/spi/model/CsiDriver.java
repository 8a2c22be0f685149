package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster knows of a driver as a whole. Its name is the driver's.
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

    /** The name of the object of a driver. */
    public static ObjectKey key(String driver) {
        return new ObjectKey(Kind.CSI_DRIVER, "", driver);
    }

    /** Who applies a pod's fsGroup to the content of its volumes. */
    public enum FsGroupPolicy implements ApiWord {
        /** The library, for volumes with a filesystem type that one node uses at a time. */
        READ_WRITE_ONCE_WITH_FS_TYPE("ReadWriteOnceWithFSType"),
        /** The library, always. */
        FILE("File"),
        /** The driver, or no program at all. */
        NONE("None"),
        /** A word that this version does not know: the driver's volumes wait. */
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

    /** How long volumes of the driver may live. */
    public enum LifecycleMode implements ApiWord {
        /** As long as its PersistentVolume. */
        PERSISTENT("Persistent"),
        /** As long as the pod that describes the volume inline. */
        EPHEMERAL("Ephemeral"),
        /** A word that this version does not know: the driver's volumes wait. */
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
     * For whom a token of the pod's service account is valid.
     *
     * @param audience {@code ""} for the cluster's own
     * @param expirationSeconds how long it is wanted to live, null for an hour
     */
    public record TokenRequest(String audience, @Nullable Long expirationSeconds) {
        public TokenRequest {
            audience = Copies.text(audience);
        }
    }

    /**
     * How the driver is to be used. {@link #defaults} is what a manifest says that says nothing, and {@link #toBuilder} changes
     * single fields.
     *
     * @param attachRequired whether its volumes are attached
     * @param podInfoOnMount whether NodePublishVolume tells the driver which pod it is for
     * @param volumeLifecycleModes as what its volumes may be used; never empty
     * @param storageCapacity whether a pod is given only nodes for which the driver has published enough capacity
     * @param tokenRequests for whom NodePublishVolume gets tokens of the pod's service account
     * @param requiresRepublish whether NodePublishVolume is repeated for a running pod
     * @param seLinuxMount whether volumes are mounted with the pod's SELinux context as a mount option
     * @param nodeAllocatableUpdatePeriodSeconds how often the driver is asked how many volumes a node can have; null for once
     * @param serviceAccountTokenInSecrets whether tokens travel as secrets of the request, not in its volume context
     * @param preventPodSchedulingIfMissing whether a pod is given only nodes on which the driver is registered
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

        /** As in Kubernetes for a driver without an object, and for an object that says nothing. */
        public static Spec defaults() {
            return DEFAULTS;
        }

        public Builder toBuilder() {
            return new Builder(this);
        }
    }

    /** Changes single fields of a {@link Spec}; see there for what they mean. Not thread-safe. */
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
