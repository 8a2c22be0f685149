package io.volume4j.core.node.call;

import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a mount call found when it had succeeded.
 *
 * @param label the SELinux context that a device was mounted with
 * @param refreshAt when a pod's content is to be set up again, null for never
 */
public record Mounted(
        boolean inKernel,
        PluginState state,
        String label,
        @Nullable Instant refreshAt) {
    static Mounted device(boolean inKernel, PluginState state, String label) {
        return new Mounted(inKernel, state, label, null);
    }

    static Mounted forPod(boolean inKernel, MountResult result) {
        return new Mounted(inKernel, result.state(), "", result.refreshAt());
    }
}
