package io.volume4j.core.control.attach.plan;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides whether one volume is to be attached to one node.
 *
 * @param name the volume's name for people
 * @param unknown why nothing can be decided now, {@code ""} if it can
 * @param managed whether the node's volumes are attached and detached from here
 * @param nodeThere whether the node's object exists
 * @param nodeHealthy whether the node exists and is ready
 * @param pods those that want the volume there, by namespace and name
 * @param doubt why it cannot be said that no pod wants it there, {@code ""} if it can
 * @param record the VolumeAttachment, null if there is none
 * @param shown whether the node's object exists and shows the attachment
 * @param superseded whether another process was the last to take the record over, and the grants that the node's object shows do
 *     not say so: the node does not believe them
 * @param granted whether the node may rely on the attachment: its object shows it, showed it before it went, or an earlier one
 *     may have
 * @param held whether the node or the backend says that the volume is there although there is no record
 * @param use what the node says
 * @param nodeChecked whether no other process can have granted the record since the node was looked at
 * @param seenAbsent whether the backend itself said that the volume is not attached there
 * @param fence evidence that the node cannot use the volume any more, null for none
 * @param unwantedSince loop time since when no pod wants it, meaningless while one does
 * @param now loop time
 * @param riskAfterNanos after which an unhealthy node's volumes are taken away without evidence, 0 for never
 * @param oneNodeOnly whether only one node may have it
 * @param holders who else has or may have it; asked for only where one node may
 * @param givesWay whether one of them waits for this node as this node waits for it, and goes first
 * @param settledAt loop time at which calls without an answer can have no effect any more
 * @param limit why the node can take no more volumes of the driver, {@code ""} if it can
 * @param told what people were told last about it, null for nothing
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

    /** What a node says about its use of a volume. */
    public enum Use {
        FREE,
        IN_USE,
        /** The node's present word is missing or unreadable: counts as use. */
        UNKNOWN
    }

    /**
     * A VolumeAttachment.
     *
     * @param attached as its status says
     * @param deleting whether its volume is to be detached
     * @param ours whether this process was the last to take it over
     * @param adopted whether it was made for an attachment that another controller had made
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
     * @param pods that want it there, by namespace and name
     */
    public record Holder(String node, List<String> pods) {}

    public boolean desired() {
        return !pods.isEmpty();
    }
}
