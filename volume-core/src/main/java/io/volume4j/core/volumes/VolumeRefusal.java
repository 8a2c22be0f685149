package io.volume4j.core.volumes;

/**
 * Why a pod's volumes keep it from a node.
 *
 * @param message for people: which claim or volume, and what about it
 * @since 0.1.0
 */
public record VolumeRefusal(Reason reason, String message) {
    /** The rules, each with the words in which Kubernetes' scheduler speaks of it. */
    public enum Reason {
        /** Not all objects of the cluster are known yet, so nothing can be said. */
        NOT_SYNCED("volumes and claims of the cluster are not known yet", false),
        CLAIM_NOT_FOUND("persistentvolumeclaim not found", false),
        CLAIM_DELETING("persistentvolumeclaim is being deleted", false),
        CLAIM_LOST("persistentvolumeclaim is lost", false),
        /** A VolumeMove moves its data to another volume, and no new pod gets it until that is done. */
        CLAIM_HELD("persistentvolumeclaim is held while its data moves", false),
        /** A claim of the name that the pod's ephemeral volume would get exists, and is not the pod's. */
        CLAIM_FOREIGN("persistentvolumeclaim was not created for the pod", false),
        /** Its class does not wait for a pod, so the claim must be bound first. */
        CLAIM_UNBOUND("pod has unbound immediate PersistentVolumeClaims", false),
        /** A claim waits for its pod, and another pod's node was chosen for it. */
        CLAIM_ELSEWHERE("the volume of a claim is being made for another node", false),
        VOLUME_NOT_FOUND("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)", false),
        NODE_NOT_FOUND("node not found", false),
        NODE_AFFINITY("node(s) didn't match PersistentVolume's node affinity", false),
        ZONE("node(s) had no available volume zone", false),
        NO_VOLUME("node(s) didn't find available persistent volumes to bind", false),
        /** The volume is to be made from a snapshot, and could not be reached from the node. */
        SNAPSHOT("node(s) cannot reach volumes that are made from the snapshot", false),
        CAPACITY("node(s) did not have enough free storage", false),
        /** Its driver is not registered on the node, and says that such nodes are not to be taken. */
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

        /** The same for all claims and nodes, so that a scheduler can count equal ones. */
        public String summary() {
            return summary;
        }

        /** Whether the node would do if other pods left it. */
        public boolean preemptible() {
            return preemptible;
        }
    }
}
