package io.volume4j.core.control.selinux;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.List;

/**
 * The facts for checking a pod's SELinux contexts against those of pods with the same volumes.
 *
 * @param uses the volumes that are mounted with a context and that other pods use too
 */
record SeLinuxView(Pod pod, List<Use> uses, LastEvents told) {
    /**
     * One volume.
     *
     * @param context how the pod mounts it
     * @param others one pod for each other context of the volume
     */
    record Use(SharedVolume volume, Context context, List<Other> others) {}

    /** Another pod. */
    record Other(ObjectKey pod, Context context) {}

    /**
     * How a pod mounts a volume.
     *
     * @param label the SELinux context, {@code ""} for none
     * @param recursive whether the pod requests relabelling of each file, and therefore no mount context
     */
    record Context(String label, boolean recursive) {}
}
