package io.volume4j.core.worlds;

import io.volume4j.spi.VolumeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that are, or may be, attached to nodes, as the control plane knows them. Its sources are
 * VolumeAttachments, reports of nodes and answers of backends. Thread-safe.
 *
 * @since 0.1.0
 */
public interface AttachActualStateOfWorld {
    /** The current state. Takes time in proportion to the number of all volumes on all nodes. */
    CompletableFuture<Reading> read();

    /**
     * The state of the volume on the node. {@link State#UNCERTAIN} while the controller does not know enough, also
     * while another process leads.
     */
    CompletableFuture<State> state(VolumeId volume, String node);

    /** The state of a volume on a node. */
    enum State {
        /** The VolumeAttachment says that the volume is attached, and no other source contradicts it. */
        ATTACHED,
        /**
         * A call may have taken effect, or the node or the backend reports an attachment without a record. The
         * controller treats the volume as attached.
         */
        UNCERTAIN,
        /** The volume is certainly not attached. */
        DETACHED
    }

    /**
     * The state at one moment. Immutable. It does not contain volumes that are certainly detached.
     *
     * @param revision two readings of this controller have the same revision only if they are equal. A later reading
     *     never has a smaller revision
     * @param complete whether all pods, claims, volumes, nodes and attachments of the cluster are known. False while
     *     another process leads; the reading is then empty
     * @param attachments in the order of volumes and nodes
     */
    record Reading(long revision, boolean complete, List<Attachment> attachments) {
        public Reading {
            attachments = Collections.unmodifiableList(new ArrayList<>(attachments));
        }

        public Optional<Attachment> attachment(VolumeId volume, String node) {
            return attachments.stream()
                    .filter(each -> each.volume().equals(volume) && each.node().equals(node))
                    .findFirst();
        }

        /** The attachments of the volume, certain and uncertain. */
        public List<Attachment> ofVolume(VolumeId volume) {
            return attachments.stream()
                    .filter(each -> each.volume().equals(volume))
                    .toList();
        }

        /** The attachments of the node, certain and uncertain. */
        public List<Attachment> onNode(String node) {
            return attachments.stream().filter(each -> each.node().equals(node)).toList();
        }
    }

    /**
     * One volume on one node.
     *
     * @param state attached or uncertain
     * @param mayBeInUse whether the node uses the volume, or it is unknown whether it does
     * @param record the name of the VolumeAttachment, {@code ""} if there is none
     * @param devicePath the path of the device on the node, {@code ""} if unknown
     * @param detachRequestedAt since when no pod on the node wants the volume, as far as this process saw; null while a
     *     pod wants it
     */
    record Attachment(
            VolumeId volume,
            String node,
            State state,
            boolean mayBeInUse,
            String record,
            String devicePath,
            @Nullable Instant detachRequestedAt) {}
}
