package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the one mount of a volume on a node that its pods' mounts come from. */
public interface DeviceMounter {
    /** Mounts at the target, waiting for the device if need be; mounted there already is success. */
    DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context);

    /**
     * What to mount where.
     *
     * @param devicePath as the attach result told it, {@code ""} for a volume that is not attached
     * @param metadata of the attach result
     * @param fsGroup the group of the first pod, null for none
     * @param formats what is known of formats of this volume, to be passed on to {@link FormatAndMount}
     * @param seLinuxLabel the label that all content is to appear with, {@code ""} for the content's own; mount(8),
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

        /** Without a label. */
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
    }

    /** What came of it. */
    record DeviceMountResult(PluginState state) {
        public static DeviceMountResult mounted() {
            return new DeviceMountResult(PluginState.none());
        }

        public static DeviceMountResult mounted(PluginState state) {
            return new DeviceMountResult(state);
        }
    }
}
