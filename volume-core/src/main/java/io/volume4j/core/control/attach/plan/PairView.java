package io.volume4j.core.control.attach.plan;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All facts that decide whether one volume should be attached to one node.
 *
 * @param name the volume's name for users
 * @param unknown why no decision is possible now, {@code ""} if one is
 * @param managed whether this controller attaches and detaches the node's volumes
 * @param nodeThere whether the node's object exists
 * @param nodeHealthy whether the node exists and is ready
 * @param pods the pods that want the volume there, by namespace and name
 * @param doubt why a pod may still want it there although none is known, {@code ""} if none can
 * @param record the VolumeAttachment, null if there is none
 * @param shown whether the node's object exists and shows the attachment
 * @param superseded whether another process took the record over after the grant in the node's object was written; the node does
 *     not accept such a grant
 * @param granted whether the node may use the attachment: its object shows it, showed it before the object was deleted, or an
 *     earlier object may have shown it
 * @param held whether the node or the backend reports the volume there although there is no record
 * @param use the node's report
 * @param believedAt loop time from which a healthy node uses only what its object shows in use; {@code Long.MAX_VALUE} if time does not
 *     change what is known
 * @param nodeChecked whether no other process can have granted the record since this process last read the node
 * @param seenAbsent whether the backend itself reported twice in a row that the volume is not attached there
 * @param fence evidence that the node cannot use the volume any more, null for none
 * @param unwantedSince loop time since when no pod wants it, meaningless while a pod does
 * @param now loop time
 * @param riskAfterNanos time after which the controller detaches an unhealthy node's volumes without evidence, 0 for never
 * @param oneNodeOnly whether only one node may have it
 * @param holders the other nodes that have or may have it; filled only if only one node may
 * @param givesWay whether this node and a holder wait for each other, and the holder goes first
 * @param settledAt loop time at which calls without an answer can have no effect any more
 * @param limit why the node can take no more volumes of the driver, {@code ""} if it can
 * @param told the last event about it, null for none
 */
public record PairView(
        VolumeId volume,
        String name,
        String node,
        String unknown,
        boolean managed,
        boolean nodeThere,
        boolean nodeHealthy,
        List<String> pods,
        String doubt,
        @Nullable Recorded record,
        boolean shown,
        boolean superseded,
        boolean granted,
        boolean held,
        Use use,
        long believedAt,
        boolean nodeChecked,
        boolean seenAbsent,
        @Nullable Fence fence,
        long unwantedSince,
        long now,
        long riskAfterNanos,
        boolean oneNodeOnly,
        List<Holder> holders,
        boolean givesWay,
        long settledAt,
        String limit,
        @Nullable LastEvent told)
        implements AttachView {

    /** The node's report about its use of a volume. */
    public enum Use {
        FREE,
        IN_USE,
        /** The node's current report is missing or not readable: counts as use. */
        UNKNOWN
    }

    /**
     * A VolumeAttachment.
     *
     * @param attached from its status
     * @param deleting whether the record is being deleted, so that its volume must be detached
     * @param ours whether this process was the last to take it over
     * @param adopted whether a controller created it for an attachment of another controller
     */
    public record Recorded(
            String name,
            String uid,
            String revision,
            boolean attached,
            boolean deleting,
            boolean ours,
            boolean adopted) {}

    /**
     * A node that has the volume or may have it.
     *
     * @param pods the pods that want it there, by namespace and name
     */
    public record Holder(String node, List<String> pods) {}

    public boolean desired() {
        return !pods.isEmpty();
    }
}
