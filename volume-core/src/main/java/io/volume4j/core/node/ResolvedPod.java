package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;

/**
 * What a pod's volumes are, as far as that is known.
 *
 * @param volumes by the pod's name for them, in the pod's order
 * @param problems what keeps the others from being known, likewise
 */
record ResolvedPod(Pod pod, Map<String, ResolvedVolume> volumes, Map<String, Problem> problems) {
    ResolvedPod {
        volumes = Few.copy(volumes);
        problems = Few.copy(problems);
    }

    String uid() {
        return pod.metadata().uid();
    }

    String name() {
        return pod.metadata().namespace() + "/" + pod.metadata().name();
    }

    /**
     * One volume, and the plugin that it belongs to.
     *
     * @param outerName the pod's name for it
     */
    record ResolvedVolume(VolumeId id, VolumeSpec spec, VolumePlugin plugin, String outerName) {
        /** Whether this use of it is read-only. */
        boolean readOnly() {
            return spec.readOnly();
        }

        /** The same under another name. */
        ResolvedVolume named(String name) {
            return new ResolvedVolume(id, spec, plugin, name);
        }

        /** Whether something is done for the volume itself before anything is done for its pods. */
        boolean hasDeviceStep() {
            return block()
                    ? plugin.blockMapper(spec).isPresent()
                    : plugin.deviceMounter(spec).isPresent();
        }

        /** Whether pods get it as a raw device. */
        boolean block() {
            return spec.volumeMode() == VolumeMode.BLOCK;
        }
    }

    /**
     * Why a volume is not known.
     *
     * @param hopeless whether only a change of the pod, or of what it names, can help; otherwise it may come by itself
     */
    record Problem(String text, boolean hopeless) {}
}
