package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pod, with the fields that concern volumes.
 *
 * @since 0.1.0
 */
public record Pod(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled) implements ApiObject {
    public Pod {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? Spec.empty() : spec;
        status = status == null ? Status.unknown() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.POD;
    }

    /**
     * Whether the pod has ended: it succeeded or failed, or it is being deleted and no container of any sort runs. A
     * host with better information provides a {@link io.volume4j.spi.host.PodRuntime}.
     */
    public boolean terminated() {
        return status.phase().ended() || (metadata.deleting() && !status.anyRuns());
    }

    /**
     * The specification of the pod.
     *
     * @param nodeName the node of the pod, {@code ""} before it is scheduled
     * @param initContainers containers that run one after another before the others
     * @param ephemeralContainers debug containers that are added to a running pod; they are never removed
     * @param hostUsers whether its processes run in the machine's user namespace; false if the pod has its own user
     *     namespace
     */
    public record Spec(
            String nodeName,
            List<PodVolume> volumes,
            List<Container> initContainers,
            List<Container> containers,
            List<Container> ephemeralContainers,
            boolean hostUsers,
            SecurityContext securityContext,
            String serviceAccountName) {
        /** A pod without ephemeral containers, in the machine's user namespace. */
        public Spec(
                String nodeName,
                List<PodVolume> volumes,
                List<Container> initContainers,
                List<Container> containers,
                SecurityContext securityContext,
                String serviceAccountName) {
            this(nodeName, volumes, initContainers, containers, List.of(), true, securityContext, serviceAccountName);
        }

        public Spec {
            nodeName = Copies.text(nodeName);
            volumes = Copies.list(volumes);
            initContainers = Copies.list(initContainers);
            containers = Copies.list(containers);
            ephemeralContainers = Copies.list(ephemeralContainers);
            securityContext = securityContext == null ? SecurityContext.none() : securityContext;
            serviceAccountName = Copies.text(serviceAccountName);
        }

        static Spec empty() {
            return new Spec("", List.of(), List.of(), List.of(), SecurityContext.none(), "");
        }

        /** A builder for a pod without containers. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.nodeName = nodeName;
            builder.volumes = volumes;
            builder.initContainers = initContainers;
            builder.containers = containers;
            builder.ephemeralContainers = ephemeralContainers;
            builder.hostUsers = hostUsers;
            builder.securityContext = securityContext;
            builder.serviceAccountName = serviceAccountName;
            return builder;
        }

        /** Builds a {@link Spec}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String nodeName = "";
            private List<PodVolume> volumes = List.of();
            private List<Container> initContainers = List.of();
            private List<Container> containers = List.of();
            private List<Container> ephemeralContainers = List.of();
            private boolean hostUsers = true;
            private SecurityContext securityContext = SecurityContext.none();
            private String serviceAccountName = "";

            private Builder() {}

            public Builder nodeName(String value) {
                nodeName = value;
                return this;
            }

            public Builder volumes(List<PodVolume> value) {
                volumes = value;
                return this;
            }

            public Builder initContainers(List<Container> value) {
                initContainers = value;
                return this;
            }

            public Builder containers(List<Container> value) {
                containers = value;
                return this;
            }

            public Builder ephemeralContainers(List<Container> value) {
                ephemeralContainers = value;
                return this;
            }

            public Builder hostUsers(boolean value) {
                hostUsers = value;
                return this;
            }

            public Builder securityContext(SecurityContext value) {
                securityContext = value;
                return this;
            }

            public Builder serviceAccountName(String value) {
                serviceAccountName = value;
                return this;
            }

            public Spec build() {
                return new Spec(
                        nodeName,
                        volumes,
                        initContainers,
                        containers,
                        ephemeralContainers,
                        hostUsers,
                        securityContext,
                        serviceAccountName);
            }
        }
    }

    /**
     * The status of the pod.
     *
     * @param containerStatuses of {@link Spec#containers}
     * @param initContainerStatuses of {@link Spec#initContainers}. An init container that restarts (a sidecar) runs
     *     longer than the others
     * @param ephemeralContainerStatuses of {@link Spec#ephemeralContainers}
     */
    public record Status(
            PodPhase phase,
            List<ContainerStatus> containerStatuses,
            List<ContainerStatus> initContainerStatuses,
            List<ContainerStatus> ephemeralContainerStatuses) {
        public Status {
            phase = phase == null ? PodPhase.PENDING : phase;
            containerStatuses = Copies.list(containerStatuses);
            initContainerStatuses = Copies.list(initContainerStatuses);
            ephemeralContainerStatuses = Copies.list(ephemeralContainerStatuses);
        }

        /** The status of a pod without init containers and debug containers. */
        public Status(PodPhase phase, List<ContainerStatus> containerStatuses) {
            this(phase, containerStatuses, List.of(), List.of());
        }

        /** Whether a container of any sort runs now. */
        public boolean anyRuns() {
            return Stream.of(containerStatuses, initContainerStatuses, ephemeralContainerStatuses)
                    .flatMap(List::stream)
                    .anyMatch(ContainerStatus::running);
        }

        static Status unknown() {
            return new Status(PodPhase.PENDING, List.of());
        }
    }

    /** Whether one container of the pod is running now. A waiting container is not running. */
    public record ContainerStatus(String name, boolean running) {}

    /**
     * The identities of the pod's processes.
     *
     * @param fsGroup the group that owns the content of its volumes, null for none
     * @param fsGroupChangePolicy {@code Always} or {@code OnRootMismatch}
     * @param seLinuxOptions the SELinux label of its processes, null if the container runtime chooses it
     * @param seLinuxChangePolicy {@code MountOption}: plugins that can do so mount volumes with the label;
     *     {@code Recursive}: no plugin does, and the container runtime labels each file
     * @param runAsUser the user ID of its processes, null if the image of each container determines it
     */
    public record SecurityContext(
            @Nullable Long fsGroup,
            String fsGroupChangePolicy,
            List<Long> supplementalGroups,
            @Nullable SeLinuxOptions seLinuxOptions,
            String seLinuxChangePolicy,
            @Nullable Long runAsUser) {
        private static final SecurityContext NONE = new SecurityContext(null, "Always", List.of(), null);

        /** A security context without a user. */
        public SecurityContext(
                @Nullable Long fsGroup,
                String fsGroupChangePolicy,
                List<Long> supplementalGroups,
                @Nullable SeLinuxOptions seLinuxOptions,
                String seLinuxChangePolicy) {
            this(fsGroup, fsGroupChangePolicy, supplementalGroups, seLinuxOptions, seLinuxChangePolicy, null);
        }

        /** A security context with the change policy {@code MountOption}. */
        public SecurityContext(
                @Nullable Long fsGroup,
                String fsGroupChangePolicy,
                List<Long> supplementalGroups,
                @Nullable SeLinuxOptions seLinuxOptions) {
            this(fsGroup, fsGroupChangePolicy, supplementalGroups, seLinuxOptions, "MountOption");
        }

        public SecurityContext {
            fsGroupChangePolicy =
                    fsGroupChangePolicy == null || fsGroupChangePolicy.isEmpty() ? "Always" : fsGroupChangePolicy;
            supplementalGroups = Copies.list(supplementalGroups);
            seLinuxChangePolicy =
                    seLinuxChangePolicy == null || seLinuxChangePolicy.isEmpty() ? "MountOption" : seLinuxChangePolicy;
        }

        public static SecurityContext none() {
            return NONE;
        }

        /** A builder that starts with {@link #none()}. */
        public static Builder builder() {
            return NONE.toBuilder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            return new Builder(this);
        }

        /** Builds a {@link SecurityContext}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private @Nullable Long fsGroup;
            private String fsGroupChangePolicy;
            private List<Long> supplementalGroups;
            private @Nullable SeLinuxOptions seLinuxOptions;
            private String seLinuxChangePolicy;
            private @Nullable Long runAsUser;

            private Builder(SecurityContext first) {
                fsGroup = first.fsGroup;
                fsGroupChangePolicy = first.fsGroupChangePolicy;
                supplementalGroups = first.supplementalGroups;
                seLinuxOptions = first.seLinuxOptions;
                seLinuxChangePolicy = first.seLinuxChangePolicy;
                runAsUser = first.runAsUser;
            }

            public Builder fsGroup(@Nullable Long value) {
                fsGroup = value;
                return this;
            }

            public Builder fsGroupChangePolicy(String value) {
                fsGroupChangePolicy = value;
                return this;
            }

            public Builder supplementalGroups(List<Long> value) {
                supplementalGroups = value;
                return this;
            }

            public Builder seLinuxOptions(@Nullable SeLinuxOptions value) {
                seLinuxOptions = value;
                return this;
            }

            public Builder seLinuxChangePolicy(String value) {
                seLinuxChangePolicy = value;
                return this;
            }

            public Builder runAsUser(@Nullable Long value) {
                runAsUser = value;
                return this;
            }

            public SecurityContext build() {
                return new SecurityContext(
                        fsGroup,
                        fsGroupChangePolicy,
                        supplementalGroups,
                        seLinuxOptions,
                        seLinuxChangePolicy,
                        runAsUser);
            }
        }
    }

    /** An SELinux label. The container runtime chooses the parts that are empty. */
    public record SeLinuxOptions(String user, String role, String type, String level) {
        public SeLinuxOptions {
            user = Copies.text(user);
            role = Copies.text(role);
            type = Copies.text(type);
            level = Copies.text(level);
        }
    }
}
