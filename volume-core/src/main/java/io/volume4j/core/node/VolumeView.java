package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the planner needs to know of one volume.
 *
 * @param name for people
 * @param attachable whether the plugin attaches such volumes; of a volume that no pod wants any more, whether it is or may
 *     be attached
 * @param deviceMountable whether the plugin mounts the device apart from the pods
 * @param grant what the control plane says about its attachment, null where this node attaches by itself
 * @param onePodOnly whether only one pod may use it at a time
 * @param doubt why it is not taken down though no pod wants it, {@code ""} for nothing
 * @param labelled whether the volume is mounted with an SELinux context, so that pods with different ones cannot share it
 * @param label the context that it is mounted with, null if it is not mounted or that is not known
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

    /** Whether a pod waits for the control plane to attach it, which knows that this node needs it. */
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

    /** The control plane's word on an attachment. */
    public enum Grant {
        /**
         * This node attaches by itself, and its object still tells the control plane to attach for it. Two parties would attach
         * and detach the same volume.
         */
        MODE_NOT_STORED,
        /**
         * This node attached it by itself before its mode changed, and its object does not ask the control plane to attach yet. No
         * controller knows of the attachment.
         */
        LEFT,
        /** The node has not told yet that it will use the volume. */
        NOT_REPORTED_IN_USE,
        /** Told, and not attached yet. */
        AWAITED,
        /** Attached for this node. */
        GIVEN,
        /** Taken away while it was held here, which is done only to a node that does not answer: what is here is stale. */
        ENDED,
        /** This node gives it up by itself, because the control plane may soon give it to another node. */
        FENCED
    }

    /**
     * What is to be done about the volume's size.
     *
     * @param online whether it can be done while pods have the volume
     * @param beforePods whether it can be done before a pod has the volume
     * @param inUse whether the plugin said that it cannot be done just now, because the volume is in use
     * @param tell whether the claim's status is to be written: that it is begun, done, or refused
     * @param bytes how large the volume is to be
     * @param why it was refused
     */
    public record Expansion(
            State state, boolean online, boolean beforePods, boolean inUse, boolean tell, long bytes, String why) {
        private static final Expansion NONE = new Expansion(State.NONE, true, true, false, false, 0, "");

        /** Whether it is to grow here. */
        public enum State {
            NONE,
            NEEDED,
            /** It is too small, and the plugin will not change that. */
            REFUSED
        }

        public static Expansion none() {
            return NONE;
        }

        public Expansion told() {
            return new Expansion(state, online, beforePods, inUse, false, bytes, why);
        }
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
     * @param doubt why the wish is unknown, or why a desired volume cannot come to its place yet; {@code ""} for neither
     * @param mayStillUse whether its containers may still run
     * @param remount whether it is to be set up again
     * @param parts whether parts of it are to be bound for ephemeral containers, which came to the pod while it had it
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
        /** After a call that set up or took down what it has. */
        public PodUse withMount(MountState state) {
            return new PodUse(podUid, pod, wish, doubt, mayStillUse, state, false, false, label);
        }
    }
}
