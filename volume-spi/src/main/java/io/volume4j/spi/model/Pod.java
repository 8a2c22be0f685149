package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pod, as far as its volumes are concerned.
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
     * Whether the pod has ended: succeeded or failed, or being deleted with none of its containers running. A host that
     * knows better says so with its {@link io.volume4j.spi.host.PodRuntime}.
     */
    public boolean terminated() {
        return status.phase().ended()
                || (metadata.deleting() && status.containerStatuses().stream().noneMatch(ContainerStatus::running));
    }

    /**
     * What the pod asks for.
     *
     * @param nodeName the machine it was given, {@code ""} before it is scheduled
     * @param initContainers run one after another before the others
     * @param ephemeralContainers added to the pod while it runs, to look into it; none is ever taken out again
     * @param hostUsers whether its processes run in the machine's user namespace; false for one of their own
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
        /** Without ephemeral containers, in the machine's user namespace. */
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

        /** Of a pod without containers. */
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

    /** How far the pod is. */
    public record Status(PodPhase phase, List<ContainerStatus> containerStatuses) {
        public Status {
            phase = phase == null ? PodPhase.PENDING : phase;
            containerStatuses = Copies.list(containerStatuses);
        }

        static Status unknown() {
            return new Status(PodPhase.PENDING, List.of());
        }
    }

    /** Whether one container of the pod runs now; a container that waits does not. */
    public record ContainerStatus(String name, boolean running) {}

    /**
     * Whom the pod's processes run as.
     *
     * @param fsGroup the group that owns the content of its volumes, null for none
     * @param fsGroupChangePolicy {@code Always} or {@code OnRootMismatch}
     * @param seLinuxOptions the SELinux label of its processes, null for the runtime's
     * @param seLinuxChangePolicy {@code MountOption}: where plugins can, volumes are mounted with the label; {@code Recursive}:
     *     never, and the runtime labels each file
     */
    public record SecurityContext(
            @Nullable Long fsGroup,
            String fsGroupChangePolicy,
            List<Long> supplementalGroups,
            @Nullable SeLinuxOptions seLinuxOptions,
            String seLinuxChangePolicy) {
        private static final SecurityContext NONE = new SecurityContext(null, "Always", List.of(), null);

        /** With volumes that are mounted with the label where plugins can. */
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
    }

    /** An SELinux label; empty parts are left to the runtime. */
    public record SeLinuxOptions(String user, String role, String type, String level) {
        public SeLinuxOptions {
            user = Copies.text(user);
            role = Copies.text(role);
            type = Copies.text(type);
            level = Copies.text(level);
        }
    }
}
