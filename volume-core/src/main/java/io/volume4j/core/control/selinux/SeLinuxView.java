package io.volume4j.core.control.selinux;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.List;

/**
 * What must be known to say whether a pod's SELinux contexts go together with those of the pods that it shares claims with.
 *
 * @param uses the volumes that other pods use too and that are mounted with a context
 */
record SeLinuxView(Pod pod, List<Use> uses, LastEvents told) {
    /**
     * One volume.
     *
     * @param context how the pod mounts it
     * @param others a pod for each other context with which the volume is mounted
     */
    record Use(SharedVolume volume, Context context, List<Other> others) {}

    /** Another pod. */
    record Other(ObjectKey pod, Context context) {}

    /**
     * How a pod mounts a volume.
     *
     * @param label the SELinux context, {@code ""} for none
     * @param recursive whether the pod wants its files labelled one by one, and therefore no context
     */
    record Context(String label, boolean recursive) {}
}
