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
 * What a host says about a driver that the driver cannot say itself, under the names of the fields of Kubernetes' {@code
 * CSIDriver}. What is said here counts before the cluster's object of that kind; what is not said is as the object says, or, in a
 * cluster without the object, as Kubernetes has it for such a driver ({@link CsiDriver.Spec#defaults}).
 *
 * @param attachRequired whether volumes are attached before they are mounted; where neither host nor object say so, as the driver's
 *     capabilities say
 * @param podInfoOnMount whether NodePublishVolume tells the driver which pod it is for
 * @param volumeLifecycleModes whether volumes may be PersistentVolumes, inline volumes of pods, or both
 * @param fsGroupPolicy who applies a pod's fsGroup
 * @param tokenRequests audiences for which the pod's service account tokens are handed over at NodePublishVolume
 * @param tokensInSecrets whether tokens travel as a secret ({@code serviceAccountTokenInSecrets}); otherwise in the volume
 *     context, as most drivers expect them
 * @param requiresRepublish whether NodePublishVolume is repeated for a running pod, for drivers whose content changes
 * @param seLinuxMount whether volumes may be mounted with the pod's SELinux label as a mount option
 * @param healthSecret what the driver gets with every question about health that takes secrets (CSI 1.13). No object has a field for it:
 *     these calls concern all volumes of the driver, or one that has no class any more. NodeGetVolumeHealth takes none
 * @param strictTopology whether a volume for a selected node is asked for in that node's place only, instead of there first
 * @param extraCreateMetadata whether CreateVolume also tells for which claim the volume is, by the parameters {@code
 *     csi.storage.k8s.io/pvc/name}, {@code csi.storage.k8s.io/pvc/namespace} and {@code csi.storage.k8s.io/pv/name}, as the external
 *     provisioner does with {@code --extra-create-metadata}
 * @param pathPrefixes how paths of this machine are called where the driver runs
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
     * For whom a token is valid.
     *
     * @param audience {@code ""} for the cluster's own
     * @param lifetime how long it is wanted to live
     */
    public record TokenAudience(String audience, Duration lifetime) {
        public TokenAudience {
            Objects.requireNonNull(audience, "audience");
        }
    }

    /** A directory of this machine and what the driver, in a container of its own, calls it. Both absolute. */
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

    /** Says nothing: everything is as the driver's object says. */
    public static CsiDriverPolicy defaults() {
        return DEFAULTS;
    }

    /** Begins with these values. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Begins with the defaults. */
    public static Builder builder() {
        return DEFAULTS.toBuilder();
    }

    /** The object's settings with what is said here over them. */
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

    /** Each setting is as the driver's object says until it is set. Not thread-safe. */
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

        /** Default none: questions about health carry no secrets. */
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

        /** Default none: the driver sees the paths as we do. The first that fits counts. */
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
