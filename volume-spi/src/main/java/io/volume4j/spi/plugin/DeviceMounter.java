package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the device mount: the one mount of a volume on a node from which all its pods' mounts are made.
 *
 * @since 0.1.0
 */
public interface DeviceMounter {
    /** Mounts the device at the target. Waits for the device if necessary. Idempotent. */
    DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context);

    /**
     * The volume to mount, and the target.
     *
     * @param devicePath the path from the attach result, {@code ""} for a volume that is not attached
     * @param metadata of the attach result
     * @param fsGroup the fsGroup of the first pod, null for none
     * @param formats the record of formats of this volume; the plugin passes it to {@link FormatAndMount}
     * @param seLinuxLabel the SELinux label for all content, {@code ""} to keep each file's own label; mount(8),
     *     option {@code context}
     */
    record DeviceMountRequest(
            VolumeSpec spec,
            VolumeId volume,
            String devicePath,
            Map<String, String> metadata,
            RootedPath target,
            @Nullable Long fsGroup,
            FormatLedger formats,
            PluginState state,
            String seLinuxLabel) {
        public DeviceMountRequest {
            Objects.requireNonNull(seLinuxLabel, "seLinuxLabel");
        }

        /** A request without an SELinux label. */
        public DeviceMountRequest(
                VolumeSpec spec,
                VolumeId volume,
                String devicePath,
                Map<String, String> metadata,
                RootedPath target,
                @Nullable Long fsGroup,
                FormatLedger formats,
                PluginState state) {
            this(spec, volume, devicePath, metadata, target, fsGroup, formats, state, "");
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

        /** A builder for a mount at the target, without attachment, group or label. */
        public static Builder builder(VolumeSpec spec, VolumeId volume, RootedPath target, FormatLedger formats) {
            return new Builder(spec, volume, target, formats);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(spec, volume, target, formats);
            builder.devicePath = devicePath;
            builder.metadata = metadata;
            builder.fsGroup = fsGroup;
            builder.state = state;
            builder.seLinuxLabel = seLinuxLabel;
            return builder;
        }

        /** Builds a {@link DeviceMountRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private VolumeSpec spec;
            private VolumeId volume;
            private String devicePath = "";
            private Map<String, String> metadata = Map.of();
            private RootedPath target;
            private @Nullable Long fsGroup;
            private FormatLedger formats;
            private PluginState state = PluginState.none();
            private String seLinuxLabel = "";

            private Builder(VolumeSpec spec, VolumeId volume, RootedPath target, FormatLedger formats) {
                this.spec = spec;
                this.volume = volume;
                this.target = target;
                this.formats = formats;
            }

            public Builder spec(VolumeSpec value) {
                spec = value;
                return this;
            }

            public Builder volume(VolumeId value) {
                volume = value;
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

            public Builder fsGroup(@Nullable Long value) {
                fsGroup = value;
                return this;
            }

            public Builder formats(FormatLedger value) {
                formats = value;
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

            public DeviceMountRequest build() {
                return new DeviceMountRequest(
                        spec, volume, devicePath, metadata, target, fsGroup, formats, state, seLinuxLabel);
            }
        }
    }

    /** The result of a device mount. */
    record DeviceMountResult(PluginState state) {
        public static DeviceMountResult mounted() {
            return new DeviceMountResult(PluginState.none());
        }

        public static DeviceMountResult mounted(PluginState state) {
            return new DeviceMountResult(state);
        }
    }
}
