package io.volume4j.csi;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a host says about a driver that the driver cannot say itself; in Kubernetes these are the fields of the
 * {@code CSIDriver} object, and the names are kept.
 *
 * @param attachRequired whether volumes are attached before they are mounted; empty to go by the driver's capability
 * @param podInfoOnMount whether NodePublishVolume tells the driver which pod it is for
 * @param fsGroupPolicy who applies a pod's fsGroup
 * @param tokenRequests audiences for which the pod's service account tokens are handed over at NodePublishVolume
 * @param tokensInSecrets whether tokens travel as a secret; otherwise in the volume context, as most drivers expect them
 * @param requiresRepublish whether NodePublishVolume is repeated for a running pod, for drivers whose content changes
 * @param seLinuxMount whether volumes may be mounted with the pod's SELinux label as a mount option
 * @param strictTopology whether a volume for a selected node is asked for in that node's place only, instead of there first
 * @param pathPrefixes how paths of this machine are called where the driver runs
 */
public record CsiDriverPolicy(
        Optional<Boolean> attachRequired,
        boolean podInfoOnMount,
        FsGroupPolicy fsGroupPolicy,
        List<TokenAudience> tokenRequests,
        boolean tokensInSecrets,
        boolean requiresRepublish,
        boolean seLinuxMount,
        boolean strictTopology,
        List<PathPrefix> pathPrefixes) {
    private static final CsiDriverPolicy DEFAULTS = new CsiDriverPolicy(
            Optional.empty(),
            false,
            FsGroupPolicy.READ_WRITE_ONCE_WITH_FS_TYPE,
            List.of(),
            false,
            false,
            false,
            false,
            List.of());

    /** Who applies a pod's fsGroup to the content of its volumes. */
    public enum FsGroupPolicy {
        /** The library, for volumes with a filesystem that one node uses at a time. */
        READ_WRITE_ONCE_WITH_FS_TYPE,
        /** The library, always. */
        FILE,
        /** Nobody. */
        NONE
    }

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
        Objects.requireNonNull(fsGroupPolicy, "fsGroupPolicy");
        tokenRequests = List.copyOf(tokenRequests);
        pathPrefixes = List.copyOf(pathPrefixes);
    }

    /** As in a {@code CSIDriver} object that says nothing. */
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

    /** Not thread-safe. */
    public static final class Builder {
        private Optional<Boolean> attachRequired;
        private boolean podInfoOnMount;
        private FsGroupPolicy fsGroupPolicy;
        private List<TokenAudience> tokenRequests;
        private boolean tokensInSecrets;
        private boolean requiresRepublish;
        private boolean seLinuxMount;
        private boolean strictTopology;
        private List<PathPrefix> pathPrefixes;

        private Builder(CsiDriverPolicy from) {
            attachRequired = from.attachRequired;
            podInfoOnMount = from.podInfoOnMount;
            fsGroupPolicy = from.fsGroupPolicy;
            tokenRequests = from.tokenRequests;
            tokensInSecrets = from.tokensInSecrets;
            requiresRepublish = from.requiresRepublish;
            seLinuxMount = from.seLinuxMount;
            strictTopology = from.strictTopology;
            pathPrefixes = from.pathPrefixes;
        }

        /** Default: as the driver says. */
        public Builder attachRequired(boolean value) {
            attachRequired = Optional.of(value);
            return this;
        }

        /** Default false. */
        public Builder podInfoOnMount(boolean value) {
            podInfoOnMount = value;
            return this;
        }

        /** Default {@link FsGroupPolicy#READ_WRITE_ONCE_WITH_FS_TYPE}. */
        public Builder fsGroupPolicy(FsGroupPolicy value) {
            fsGroupPolicy = value;
            return this;
        }

        /** Default none. */
        public Builder tokenRequests(List<TokenAudience> value) {
            tokenRequests = value;
            return this;
        }

        /** Default false. */
        public Builder tokensInSecrets(boolean value) {
            tokensInSecrets = value;
            return this;
        }

        /** Default false. */
        public Builder requiresRepublish(boolean value) {
            requiresRepublish = value;
            return this;
        }

        /** Default false. */
        public Builder seLinuxMount(boolean value) {
            seLinuxMount = value;
            return this;
        }

        /** Default false. */
        public Builder strictTopology(boolean value) {
            strictTopology = value;
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
                    fsGroupPolicy,
                    tokenRequests,
                    tokensInSecrets,
                    requiresRepublish,
                    seLinuxMount,
                    strictTopology,
                    pathPrefixes);
        }
    }
}
