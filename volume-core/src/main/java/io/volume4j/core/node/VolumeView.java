package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The view of one volume for the planner.
 * @param name the name, for people
 * @param attachable whether the plugin attaches such volumes; for a volume that no pod wants any more: whether it is
 *     or may be attached
 * @param deviceMountable whether the plugin makes a device mount
 * @param grant the control plane's state of its attachment, null if this node attaches by itself
 * @param onePodOnly whether only one pod may use it at a time
 * @param doubt why the node does not tear it down although no pod wants it, {@code ""} for no reason
 * @param labelled whether the volume is mounted with an SELinux context, so that pods with different ones cannot
 *     share it
 * @param label the context that it is mounted with, null if it is not mounted or the context is unknown
 * @param pods every pod that wants it, or that has or may have it mounted
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
        boolean labelled,
        @Nullable String label,
        Expansion expansion,
        List<PodUse> pods) {

    public VolumeView withAttach(AttachState state) {
        Change change = new Change(this);
        change.attach = state;
        return change.made();
    }

    public VolumeView withDevice(MountState state) {
        Change change = new Change(this);
        change.device = state;
        return change.made();
    }

    public VolumeView withExpansion(Expansion next) {
        Change change = new Change(this);
        change.expansion = next;
        return change.made();
    }

    public VolumeView withPods(List<PodUse> uses) {
        Change change = new Change(this);
        change.pods = uses;
        return change.made();
    }

    /**
     * Whether a pod waits for the attachment by the control plane, which already knows that this node needs the
     * volume.
     */
    public boolean awaitsController() {
        return attachable && grant == Grant.AWAITED && pods.stream().anyMatch(pod -> pod.wish() == Wish.DESIRED);
    }

    /** The view as a step would leave it: the one place that copies it. */
    private static final class Change {
        private final VolumeView from;
        private AttachState attach;
        private MountState device;
        private Expansion expansion;
        private List<PodUse> pods;

        Change(VolumeView from) {
            this.from = from;
            attach = from.attach;
            device = from.device;
            expansion = from.expansion;
            pods = from.pods;
        }

        VolumeView made() {
            return new VolumeView(
                    from.id,
                    from.name,
                    from.attachable,
                    from.deviceMountable,
                    from.grant,
                    from.onePodOnly,
                    from.doubt,
                    attach,
                    device,
                    from.labelled,
                    from.label,
                    expansion,
                    pods);
        }
    }

    /** The control plane's state of an attachment. */
    public enum Grant {
        /**
         * This node attaches by itself, but its object still requests attachments by the control plane. Two parties
         * would attach and detach the same volume.
         */
        MODE_NOT_STORED,
        /**
         * This node attached the volume by itself before its mode changed, and its object does not yet request
         * attachments by the control plane. No controller knows the attachment.
         */
        LEFT,
        /** The node has not reported yet that it will use the volume. */
        NOT_REPORTED_IN_USE,
        /** The node has reported the use; the volume is not attached yet. */
        AWAITED,
        /** The control plane has attached the volume to this node. */
        GIVEN,
        /**
         * The control plane detached the volume although it was mounted here, as it does only for a node that does
         * not answer. The mounts here are stale.
         */
        ENDED,
        /** This node releases the volume by itself, because the control plane may soon attach it to another node. */
        FENCED
    }

    /**
     * The expansion of the volume on this node.
     * @param online whether the plugin can expand while pods have the volume
     * @param beforePods whether the plugin can expand before a pod has the volume
     * @param inUse whether the plugin said that it cannot expand now, because the volume is in use
     * @param tell whether the node must write to the claim's status: that the expansion began, ended or was refused
     * @param bytes the new size
     * @param why why the plugin refused
     */
    public record Expansion(
            State state, boolean online, boolean beforePods, boolean inUse, boolean tell, long bytes, String why) {
        private static final Expansion NONE = new Expansion(State.NONE, true, true, false, false, 0, "");

        /** The state of the expansion. */
        public enum State {
            NONE,
            NEEDED,
            /** The volume is too small, and the plugin has refused to expand it. */
            REFUSED
        }

        public static Expansion none() {
            return NONE;
        }

        public Expansion told() {
            return new Expansion(state, online, beforePods, inUse, false, bytes, why);
        }
    }

    /** Whether a pod wants the volume. */
    public enum Wish {
        DESIRED,
        UNDESIRED,
        /** Unknown: the node sets up nothing and tears down nothing. */
        UNKNOWN
    }

    /**
     * One pod and the volume.
     *
     * @param pod namespace and name, for people
     * @param doubt why the wish is unknown, or why the volume cannot be mounted at its path yet; {@code ""} for neither
     * @param mayStillUse whether its containers may still run
     * @param remount whether the node must set it up again
     * @param parts whether the node must bind subPaths for ephemeral containers, which were added while the pod had the
     *     volume
     * @param label its SELinux context, {@code ""} for none
     */
    public record PodUse(
            String podUid,
            String pod,
            Wish wish,
            String doubt,
            boolean mayStillUse,
            MountState mount,
            boolean remount,
            boolean parts,
            String label) {
        /** The same pod with this mount state. */
        public PodUse withMount(MountState state) {
            return new PodUse(podUid, pod, wish, doubt, mayStillUse, state, false, false, label);
        }
    }
}
