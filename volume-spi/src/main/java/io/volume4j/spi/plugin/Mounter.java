package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.RootedPath;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a volume's files appear in a pod's directory. */
public interface Mounter {
    /**
     * Sets up at the target; set up there already is success. Called again for a mounted volume if the plugin {@linkplain
     * VolumePlugin#requiresRemount requires it}, and then a failure leaves the content as it was.
     */
    MountResult mount(MountRequest request, CallContext context);

    /**
     * Whether the library may change owner and mode of the content for the pod's fsGroup. Never true for content that
     * belongs to the machine.
     */
    default boolean managesContent() {
        return true;
    }

    /**
     * What to set up where.
     *
     * @param outerName the pod's name for the volume
     * @param deviceMountPath the volume's device mount, null for a plugin without one
     * @param target not there yet, unless an earlier call made it: the mounter makes it, a directory or whatever the volume is
     * @param sizeLimitBytes the most that the volume may hold, 0 for no limit
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
            PluginState state) {}

    /**
     * What came of it.
     *
     * @param refreshAt when the content should be set up again although nothing changed, as a token's before it expires;
     *     null for never
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
