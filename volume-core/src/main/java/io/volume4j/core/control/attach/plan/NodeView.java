package io.volume4j.core.control.attach.plan;

import io.volume4j.core.grants.GrantList;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input for planning the content of a node's object.
 *
 * @param uid of the node's object, {@code ""} if there is none
 * @param write whether the controller may write the object: it exists, this controller attaches the node's volumes, and the
 *     controller knows all facts for the decision
 * @param foreignAgent whether the node's agent does not write volume4j's reports
 * @param grants from the object, null if it has none
 * @param attached from its status
 * @param entries the volumes that are on the node or wanted there
 * @param evidenceWanted whether a volume waits for evidence that the node is cut off
 * @param agent the start of the node's agent that reported last, {@code ""} if none did
 * @param askAt loop time of the next request for evidence
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

    /** The planned change of a volume's entry in the node's object. */
    public enum Wish {
        /** Add it: the node may use the volume from now on. */
        GIVE,
        /** Leave it as it is. */
        KEEP,
        /** Remove it from the object: the node may not use the volume any more. */
        TAKE
    }

    /**
     * One volume.
     *
     * @param grant the grant to write; null for a volume without record
     * @param returned whether the node reported that it does not use the volume; checked again before the removal
     * @param force the evidence for the removal although the node may use the volume, null if it does not
     */
    public record Entry(
            VolumeId volume,
            Wish wish,
            GrantList.@Nullable Grant grant,
            String devicePath,
            boolean returned,
            @Nullable Fence force) {}
}
