package io.volume4j.core.control.attach.plan;

import io.volume4j.core.grants.GrantList;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What decides what a node's object should say.
 *
 * @param uid of the node's object, {@code ""} if there is none
 * @param write whether the object may be written: it exists, the node's volumes are attached from here, and everything
 *     that the decision needs is known
 * @param foreignAgent whether the node's agent gives no reports of its own
 * @param grants as the object has them, null if it has none
 * @param attached as its status has them
 * @param entries the volumes that are known to be there or to be wanted there
 * @param evidenceWanted whether a volume waits for evidence that the node is cut off
 * @param agent the start of the node's agent that reported last, {@code ""} if none did
 * @param askAt loop time at which to ask for evidence next
 * @param now loop time
 */
public record NodeView(
        String node,
        String uid,
        String revision,
        boolean write,
        boolean foreignAgent,
        @Nullable GrantList grants,
        List<AttachedVolume> attached,
        List<Entry> entries,
        boolean evidenceWanted,
        String agent,
        long askAt,
        long now)
        implements AttachView {

    /** What is to become of a volume in the node's object. */
    public enum Wish {
        /** The node may rely on it from now on. */
        GIVE,
        /** As it is. */
        KEEP,
        /** What its object shows: the node may not rely on it any more. */
        TAKE
    }

    /**
     * One volume.
     *
     * @param grant as it is to be listed; null for what has no record
     * @param returned whether the node gave it back, which is looked at again before it is taken
     * @param force why it may be taken although the node uses it, null if the node does not
     */
    public record Entry(
            VolumeId volume,
            Wish wish,
            GrantList.@Nullable Grant grant,
            String devicePath,
            boolean returned,
            @Nullable Fence force) {}
}
