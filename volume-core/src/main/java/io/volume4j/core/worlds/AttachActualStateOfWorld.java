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
 * What is, or may be, attached to which nodes, as the control plane knows it: by VolumeAttachments, by what nodes report and by what
 * backends say. Thread-safe.
 *
 * @since 0.1.0
 */
public interface AttachActualStateOfWorld {
    /** What is there now. Costs time in proportion to all volumes on all nodes. */
    CompletableFuture<Reading> read();

    /** How the volume is on the node; {@link State#UNCERTAIN} while too little is known, also while another process leads. */
    CompletableFuture<State> state(VolumeId volume, String node);

    /** How a volume is on a node. */
    enum State {
        /** Its VolumeAttachment says so, and nothing speaks against it. */
        ATTACHED,
        /** A call may have taken effect, or the node or the backend shows what no record tells of. It counts as attached. */
        UNCERTAIN,
        /** Certainly not there. */
        DETACHED
    }

    /**
     * What is there at one moment. Immutable. A volume that is certainly detached is not in it.
     *
     * @param revision the same as that of an earlier reading of this controller only if both are equal; later readings never have a
     *     smaller one
     * @param complete whether all pods, claims, volumes, nodes and attachments of the cluster are known; false while another process
     *     leads, and then the reading is empty
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

        /** Where the volume is or may be. */
        public List<Attachment> ofVolume(VolumeId volume) {
            return attachments.stream()
                    .filter(each -> each.volume().equals(volume))
                    .toList();
        }

        /** What the node has or may have. */
        public List<Attachment> onNode(String node) {
            return attachments.stream().filter(each -> each.node().equals(node)).toList();
        }
    }

    /**
     * One volume on one node.
     *
     * @param state attached or uncertain
     * @param mayBeInUse whether the node uses it, or nothing is known of that
     * @param record the name of the VolumeAttachment, {@code ""} if there is none
     * @param devicePath where the node finds the device, {@code ""} if that is not known
     * @param detachRequestedAt since when no pod wants it there, as far as this process saw it; null while one does
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
