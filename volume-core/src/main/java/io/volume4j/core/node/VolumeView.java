package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the planner needs to know of one volume.
 *
 * @param name for people
 * @param attachable whether the plugin attaches such volumes; of a volume that nobody wants any more, whether it is or may
 *     be attached
 * @param deviceMountable whether the plugin mounts the device apart from the pods
 * @param grant what the control plane says about its attachment, null where this node attaches by itself
 * @param onePodOnly whether only one pod may use it at a time
 * @param doubt why it is not taken down though no pod wants it, {@code ""} for nothing
 * @param pods every pod that wants it or has, or may have, it mounted
 */
public record VolumeView(
        VolumeId id,
        String name,
        boolean attachable,
        boolean deviceMountable,
        @Nullable Grant grant,
        boolean onePodOnly,
        String doubt,
        AttachState attach,
        MountState device,
        List<PodUse> pods) {

    VolumeView withAttach(AttachState state) {
        return new VolumeView(id, name, attachable, deviceMountable, grant, onePodOnly, doubt, state, device, pods);
    }

    VolumeView withDevice(MountState state) {
        return new VolumeView(id, name, attachable, deviceMountable, grant, onePodOnly, doubt, attach, state, pods);
    }

    VolumeView withPods(List<PodUse> uses) {
        return new VolumeView(id, name, attachable, deviceMountable, grant, onePodOnly, doubt, attach, device, uses);
    }

    /** The control plane's word on an attachment. */
    public enum Grant {
        /** The node has not told yet that it will use the volume. */
        NOT_REPORTED_IN_USE,
        /** Told, and not attached yet. */
        AWAITED,
        /** Attached for this node. */
        GIVEN,
        /** Taken away while it was held here, which is done only to a node that does not answer: what is here is stale. */
        ENDED
    }

    /** Whether a pod is to have a volume. */
    public enum Wish {
        DESIRED,
        UNDESIRED,
        /** Not known now: nothing is set up and nothing is torn down. */
        UNKNOWN
    }

    /**
     * One pod and the volume.
     *
     * @param pod namespace and name, for people
     * @param doubt why the wish is unknown, {@code ""} if it is known
     * @param mayStillUse whether its containers may still run
     * @param remount whether it is to be set up again
     */
    public record PodUse(
            String podUid,
            String pod,
            Wish wish,
            String doubt,
            boolean mayStillUse,
            MountState mount,
            boolean remount) {
        /** After a call that set up or took down what it has. */
        PodUse withMount(MountState state) {
            return new PodUse(podUid, pod, wish, doubt, mayStillUse, state, false);
        }
    }
}
