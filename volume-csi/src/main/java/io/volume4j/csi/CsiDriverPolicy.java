package io.volume4j.csi;

import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.FsGroupPolicy;
import io.volume4j.spi.model.CsiDriver.LifecycleMode;
import io.volume4j.spi.model.CsiDriver.TokenRequest;
import io.volume4j.spi.model.SecretRef;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A host's settings for a driver, with the names of the fields of Kubernetes' {@code CSIDriver}. A setting here
 * overrides the cluster's CSIDriver object. A setting that is empty here has the value of that object. In a cluster
 * without the object, it has the default of Kubernetes ({@link CsiDriver.Spec#defaults}).
 *
 * @param attachRequired whether volumes must be attached before they are mounted. If neither host nor object set it,
 *     the driver's capabilities decide
 * @param podInfoOnMount whether NodePublishVolume contains the pod
 * @param volumeLifecycleModes whether volumes may be PersistentVolumes, inline volumes of pods, or both
 * @param fsGroupPolicy which program applies a pod's fsGroup
 * @param tokenRequests the audiences of the pod's service account tokens that NodePublishVolume contains
 * @param tokensInSecrets whether the request contains tokens as secrets ({@code serviceAccountTokenInSecrets}).
 *     Otherwise they are in the volume context, as most drivers expect
 * @param requiresRepublish whether the node repeats NodePublishVolume for a running pod, for drivers whose content
 *     changes
 * @param seLinuxMount whether the driver mounts volumes with the pod's SELinux label as a mount option
 * @param healthSecret the secret for calls about health that accept secrets (CSI 1.13). No API object has a field for
 *     it, because these calls concern all volumes of the driver, or a volume that no longer has a class.
 *     NodeGetVolumeHealth accepts no secrets
 * @param strictTopology whether CreateVolume for a selected node requests that node's topology segment only.
 *     Otherwise it prefers that segment
 * @param extraCreateMetadata whether CreateVolume also contains the names of claim and volume, in the parameters
 *     {@code csi.storage.k8s.io/pvc/name}, {@code csi.storage.k8s.io/pvc/namespace} and
 *     {@code csi.storage.k8s.io/pv/name}, as the external provisioner does with {@code --extra-create-metadata}
 * @param pathPrefixes the translation of this machine's paths to paths in the driver's container
 * @since 0.1.0
 */
public record CsiDriverPolicy(
        Optional<Boolean> attachRequired,
        Optional<Boolean> podInfoOnMount,
        Optional<List<LifecycleMode>> volumeLifecycleModes,
        Optional<FsGroupPolicy> fsGroupPolicy,
        Optional<List<TokenAudience>> tokenRequests,
        Optional<Boolean> tokensInSecrets,
        Optional<Boolean> requiresRepublish,
        Optional<Boolean> seLinuxMount,
        Optional<SecretRef> healthSecret,
        boolean strictTopology,
        boolean extraCreateMetadata,
        List<PathPrefix> pathPrefixes) {
    private static final CsiDriverPolicy DEFAULTS = new CsiDriverPolicy(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            List.of());

    /**
     * A token that the driver needs.
     * @param audience {@code ""} for the default audience of the cluster
     * @param lifetime the wanted lifetime
     */
    public record TokenAudience(String audience, Duration lifetime) {
        public TokenAudience {
            Objects.requireNonNull(audience, "audience");
        }
    }

    /** A directory of this machine, and its path in the driver's own container. Both absolute. */
    public record PathPrefix(String here, String there) {
        public PathPrefix {
            if (!here.startsWith("/") || !there.startsWith("/")) {
                throw new IllegalArgumentException("path prefixes must be absolute: " + here + ", " + there);
            }
        }
    }

    public CsiDriverPolicy {
        Objects.requireNonNull(attachRequired, "attachRequired");
        Objects.requireNonNull(podInfoOnMount, "podInfoOnMount");
        volumeLifecycleModes = volumeLifecycleModes.map(List::copyOf);
        Objects.requireNonNull(fsGroupPolicy, "fsGroupPolicy");
        tokenRequests = tokenRequests.map(List::copyOf);
        Objects.requireNonNull(tokensInSecrets, "tokensInSecrets");
        Objects.requireNonNull(requiresRepublish, "requiresRepublish");
        Objects.requireNonNull(seLinuxMount, "seLinuxMount");
        Objects.requireNonNull(healthSecret, "healthSecret");
        pathPrefixes = List.copyOf(pathPrefixes);
    }

    /** A policy without settings: the driver's object decides everything. */
    public static CsiDriverPolicy defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** A builder that starts with the defaults. */
    public static Builder builder() {
        return DEFAULTS.toBuilder();
    }

    /** The object's settings, overridden by the settings of this policy. */
    public CsiDriver.Spec over(CsiDriver.Spec object) {
        CsiDriver.Builder all = object.toBuilder();
        attachRequired.ifPresent(all::attachRequired);
        podInfoOnMount.ifPresent(all::podInfoOnMount);
        volumeLifecycleModes.ifPresent(all::volumeLifecycleModes);
        fsGroupPolicy.ifPresent(all::fsGroupPolicy);
        tokenRequests.ifPresent(audiences -> all.tokenRequests(audiences.stream()
                .map(each -> new TokenRequest(each.audience(), each.lifetime().toSeconds()))
                .toList()));
        tokensInSecrets.ifPresent(all::serviceAccountTokenInSecrets);
        requiresRepublish.ifPresent(all::requiresRepublish);
        seLinuxMount.ifPresent(all::seLinuxMount);
        return all.build();
    }

    /** Builds a policy. A setting that is not set here has the value of the driver's object. Not thread-safe. */
    public static final class Builder {
        private Optional<Boolean> attachRequired;
        private Optional<Boolean> podInfoOnMount;
        private Optional<List<LifecycleMode>> volumeLifecycleModes;
        private Optional<FsGroupPolicy> fsGroupPolicy;
        private Optional<List<TokenAudience>> tokenRequests;
        private Optional<Boolean> tokensInSecrets;
        private Optional<Boolean> requiresRepublish;
        private Optional<Boolean> seLinuxMount;
        private Optional<SecretRef> healthSecret;
        private boolean strictTopology;
        private boolean extraCreateMetadata;
        private List<PathPrefix> pathPrefixes;

        private Builder(CsiDriverPolicy from) {
            attachRequired = from.attachRequired;
            podInfoOnMount = from.podInfoOnMount;
            volumeLifecycleModes = from.volumeLifecycleModes;
            fsGroupPolicy = from.fsGroupPolicy;
            tokenRequests = from.tokenRequests;
            tokensInSecrets = from.tokensInSecrets;
            requiresRepublish = from.requiresRepublish;
            seLinuxMount = from.seLinuxMount;
            healthSecret = from.healthSecret;
            strictTopology = from.strictTopology;
            extraCreateMetadata = from.extraCreateMetadata;
            pathPrefixes = from.pathPrefixes;
        }

        public Builder attachRequired(boolean value) {
            attachRequired = Optional.of(value);
            return this;
        }

        public Builder podInfoOnMount(boolean value) {
            podInfoOnMount = Optional.of(value);
            return this;
        }

        public Builder volumeLifecycleModes(List<LifecycleMode> value) {
            volumeLifecycleModes = Optional.of(value);
            return this;
        }

        public Builder fsGroupPolicy(FsGroupPolicy value) {
            fsGroupPolicy = Optional.of(value);
            return this;
        }

        public Builder tokenRequests(List<TokenAudience> value) {
            tokenRequests = Optional.of(value);
            return this;
        }

        public Builder tokensInSecrets(boolean value) {
            tokensInSecrets = Optional.of(value);
            return this;
        }

        public Builder requiresRepublish(boolean value) {
            requiresRepublish = Optional.of(value);
            return this;
        }

        public Builder seLinuxMount(boolean value) {
            seLinuxMount = Optional.of(value);
            return this;
        }

        /** Default none: calls about health contain no secrets. */
        public Builder healthSecret(SecretRef value) {
            healthSecret = Optional.of(value);
            return this;
        }

        /** Default false. */
        public Builder strictTopology(boolean value) {
            strictTopology = value;
            return this;
        }

        /**
         * Default false. A driver that compares the parameters of a repeated CreateVolume may refuse a volume whose creation began
         * under the other value.
         */
        public Builder extraCreateMetadata(boolean value) {
            extraCreateMetadata = value;
            return this;
        }

        /** Default none: the driver has the same paths as this process. The first matching prefix counts. */
        public Builder pathPrefixes(List<PathPrefix> value) {
            pathPrefixes = value;
            return this;
        }

        public CsiDriverPolicy build() {
            return new CsiDriverPolicy(
                    attachRequired,
                    podInfoOnMount,
                    volumeLifecycleModes,
                    fsGroupPolicy,
                    tokenRequests,
                    tokensInSecrets,
                    requiresRepublish,
                    seLinuxMount,
                    healthSecret,
                    strictTopology,
                    extraCreateMetadata,
                    pathPrefixes);
        }
    }
}
