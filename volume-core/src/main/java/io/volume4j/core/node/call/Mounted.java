package io.volume4j.core.node.call;

import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a successful mount call.
 *
 * @param label the SELinux context that a device was mounted with
 * @param refreshAt when the node must set up the pod's content again, null for never
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
