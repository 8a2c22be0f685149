package io.volume4j.core.node.attach;

import io.volume4j.spi.model.VolumeAttachment;
import org.jspecify.annotations.Nullable;

/**
 * What the VolumeAttachments of a volume say about why it is not attached to this node.
 *
 * @param error the attacher's last error, null for none
 * @param holder the other node that has the volume, which may be attached to one node only; {@code ""} for none
 */
record AttachObstacle(VolumeAttachment.@Nullable Failure error, String holder) {
    static final AttachObstacle NONE = new AttachObstacle(null, "");
}
