package io.volume4j.core.volumes;

/**
 * Why a pod cannot run on a node because of its volumes.
 *
 * @param message the claim or volume, and its problem, for people
 * @since 0.1.0
 */
public record VolumeRefusal(Reason reason, String message) {
    /** The rules, each with the text that the scheduler of Kubernetes uses for it. */
    public enum Reason {
        /** Not all objects of the cluster are known yet, so there is no answer. */
        NOT_SYNCED("volumes and claims of the cluster are not known yet", false),
        CLAIM_NOT_FOUND("persistentvolumeclaim not found", false),
        CLAIM_DELETING("persistentvolumeclaim is being deleted", false),
        CLAIM_LOST("persistentvolumeclaim is lost", false),
        /** A VolumeMove moves the claim's data to another volume. No new pod gets the claim until the move is done. */
        CLAIM_HELD("persistentvolumeclaim is held while its data moves", false),
        /** The claim for the pod's ephemeral volume has a name that another claim already has. */
        CLAIM_FOREIGN("persistentvolumeclaim was not created for the pod", false),
        /** The class does not wait for a pod, so the claim must be bound first. */
        CLAIM_UNBOUND("pod has unbound immediate PersistentVolumeClaims", false),
        /** The claim waits for its first pod, but its volume is being created for the node of another pod. */
        CLAIM_ELSEWHERE("node(s) are not the node for which the volume of a claim is being made", false),
        VOLUME_NOT_FOUND("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)", false),
        NODE_NOT_FOUND("node not found", false),
        NODE_AFFINITY("node(s) didn't match PersistentVolume's node affinity", false),
        ZONE("node(s) had no available volume zone", false),
        NO_VOLUME("node(s) didn't find available persistent volumes to bind", false),
        /** The volume will be created from a snapshot and would not be accessible from the node. */
        SNAPSHOT("node(s) cannot reach volumes that are made from the snapshot", false),
        CAPACITY("node(s) did not have enough free storage", false),
        /** The volume's driver is not registered on the node, and its CSIDriver object excludes such nodes. */
        DRIVER("node(s) did not have the CSI driver of a volume", false),
        ATTACH_LIMIT("node(s) exceed max volume count", true),
        SINGLE_POD(
                "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode", true),
        DISK("node(s) had no available disk", true);

        private final String summary;
        private final boolean preemptible;

        Reason(String summary, boolean preemptible) {
            this.summary = summary;
            this.preemptible = preemptible;
        }

        /** A text without names of claims and nodes, so that a scheduler can count equal refusals. */
        public String summary() {
            return summary;
        }

        /** Whether the node would fit after other pods left it. */
        public boolean preemptible() {
            return preemptible;
        }
    }
}
