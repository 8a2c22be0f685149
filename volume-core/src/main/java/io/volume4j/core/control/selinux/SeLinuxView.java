package io.volume4j.core.control.selinux;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.Pod;
import java.util.List;

/**
 * What must be known to say whether a pod's SELinux contexts go together with those of the pods that it shares claims with.
 *
 * @param uses the claims that other pods use too and whose volumes are mounted with a context
 */
record SeLinuxView(Pod pod, List<Use> uses, LastEvents told) {
    /**
     * One claim.
     *
     * @param context how the pod mounts it
     * @param others a pod for each other context with which the claim is mounted
     */
    record Use(String claim, Context context, List<Other> others) {}

    /** Another pod, by its name. */
    record Other(String pod, Context context) {}

    /**
     * How a pod mounts a claim.
     *
     * @param label the SELinux context, {@code ""} for none
     * @param recursive whether the pod wants its files labelled one by one, and therefore no context
     */
    record Context(String label, boolean recursive) {}
}
