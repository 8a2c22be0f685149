package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.RootedPath;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Mounts a volume's files into a pod's directory.
 *
 * @since 0.1.0
 */
public interface Mounter {
    /**
     * Sets up the volume at the target. Idempotent. The library repeats the call for a mounted volume if the plugin
     * {@linkplain VolumePlugin#requiresRemount requires it}; a failed repetition must leave the content as it was.
     */
    MountResult mount(MountRequest request, CallContext context);

    /**
     * Whether the library may change owner and mode of the content for the pod's fsGroup. Must be false for content
     * that belongs to the machine.
     */
    default boolean managesContent() {
        return true;
    }

    /**
     * The same for the content of a mount that was made while {@link #managesContent} was true, and whose group the
     * library has not set yet. Differs only for a plugin that learns to set the group by itself, because its driver was
     * updated: no later call of it sets the group of that mount.
     */
    default boolean managedContent() {
        return managesContent();
    }

    /**
     * The volume to set up, and the target.
     *
     * @param outerName the pod's name for the volume
     * @param deviceMountPath the volume's device mount, null for a plugin without one
     * @param target the path to create: the mounter makes a directory, or a file if the volume is one. An earlier
     *     call may already have made it
     * @param sizeLimitBytes the maximum size of the volume's content, 0 for no limit
     * @param seLinuxLabel the SELinux label of all content for this pod, {@code ""} to keep each file's own label;
     *     only for a plugin that {@linkplain VolumePlugin#mountsWithSeLinuxLabel mounts with labels}
     */
    record MountRequest(
            VolumeSpec spec,
            VolumeId volume,
            Pod pod,
            String outerName,
            @Nullable RootedPath deviceMountPath,
            String devicePath,
            Map<String, String> metadata,
            RootedPath target,
            boolean readOnly,
            long sizeLimitBytes,
            PluginState state,
            String seLinuxLabel) {
        /** A request without an SELinux label. */
        public MountRequest(
                VolumeSpec spec,
                VolumeId volume,
                Pod pod,
                String outerName,
                @Nullable RootedPath deviceMountPath,
                String devicePath,
                Map<String, String> metadata,
                RootedPath target,
                boolean readOnly,
                long sizeLimitBytes,
                PluginState state) {
            this(
                    spec,
                    volume,
                    pod,
                    outerName,
                    deviceMountPath,
                    devicePath,
                    metadata,
                    target,
                    readOnly,
                    sizeLimitBytes,
                    state,
                    "");
        }

        public MountRequest {
            Objects.requireNonNull(seLinuxLabel, "seLinuxLabel");
        }

        /** The UID of the pod, as an {@link Unmounter.UnmountRequest} contains it. */
        public String podUid() {
            return pod.metadata().uid();
        }

        /**
         * The SELinux context as a mount option, {@code ""} for none.
         *
         * @throws io.volume4j.spi.VolumeException final, if the label has characters that no context has
         */
        public String seLinuxMountOption() {
            return SeLinuxOption.of(seLinuxLabel);
        }

        /**
         * The volume's mount options, followed by the option for the SELinux context if there is a context. For
         * plugins that {@linkplain VolumePlugin#mountsWithSeLinuxLabel mount with labels}.
         *
         * @throws io.volume4j.spi.VolumeException final, if the label has characters that no context has
         */
        public List<String> mountOptions() {
            return SeLinuxOption.behind(spec.mountOptions(), seLinuxLabel);
        }

        /** A builder for a writable mount at the target, without a device and without a limit. */
        public static Builder builder(VolumeSpec spec, VolumeId volume, Pod pod, RootedPath target) {
            return new Builder(spec, volume, pod, target);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(spec, volume, pod, target);
            builder.outerName = outerName;
            builder.deviceMountPath = deviceMountPath;
            builder.devicePath = devicePath;
            builder.metadata = metadata;
            builder.readOnly = readOnly;
            builder.sizeLimitBytes = sizeLimitBytes;
            builder.state = state;
            builder.seLinuxLabel = seLinuxLabel;
            return builder;
        }

        /** Builds a {@link MountRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private VolumeSpec spec;
            private VolumeId volume;
            private Pod pod;
            private String outerName = "";
            private @Nullable RootedPath deviceMountPath;
            private String devicePath = "";
            private Map<String, String> metadata = Map.of();
            private RootedPath target;
            private boolean readOnly;
            private long sizeLimitBytes;
            private PluginState state = PluginState.none();
            private String seLinuxLabel = "";

            private Builder(VolumeSpec spec, VolumeId volume, Pod pod, RootedPath target) {
                this.spec = spec;
                this.volume = volume;
                this.pod = pod;
                this.target = target;
            }

            public Builder spec(VolumeSpec value) {
                spec = value;
                return this;
            }

            public Builder volume(VolumeId value) {
                volume = value;
                return this;
            }

            public Builder pod(Pod value) {
                pod = value;
                return this;
            }

            public Builder outerName(String value) {
                outerName = value;
                return this;
            }

            public Builder deviceMountPath(@Nullable RootedPath value) {
                deviceMountPath = value;
                return this;
            }

            public Builder devicePath(String value) {
                devicePath = value;
                return this;
            }

            public Builder metadata(Map<String, String> value) {
                metadata = value;
                return this;
            }

            public Builder target(RootedPath value) {
                target = value;
                return this;
            }

            public Builder readOnly(boolean value) {
                readOnly = value;
                return this;
            }

            public Builder sizeLimitBytes(long value) {
                sizeLimitBytes = value;
                return this;
            }

            public Builder state(PluginState value) {
                state = value;
                return this;
            }

            public Builder seLinuxLabel(String value) {
                seLinuxLabel = value;
                return this;
            }

            public MountRequest build() {
                return new MountRequest(
                        spec,
                        volume,
                        pod,
                        outerName,
                        deviceMountPath,
                        devicePath,
                        metadata,
                        target,
                        readOnly,
                        sizeLimitBytes,
                        state,
                        seLinuxLabel);
            }
        }
    }

    /**
     * The result of a mount.
     * @param refreshAt when the library should repeat the call although nothing changed, for example before a token
     *     expires; null for never
     */
    record MountResult(PluginState state, @Nullable Instant refreshAt) {
        public MountResult(PluginState state) {
            this(state, null);
        }

        public static MountResult mounted() {
            return new MountResult(PluginState.none());
        }

        public static MountResult mounted(PluginState state) {
            return new MountResult(state);
        }
    }
}
