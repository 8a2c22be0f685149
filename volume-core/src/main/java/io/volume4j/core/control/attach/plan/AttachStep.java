package io.volume4j.core.control.attach.plan;

import static io.volume4j.core.engine.ConflictKey.Scope.OBJECT;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME_NODE;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps of the attach/detach planners on the cluster's objects. Calls to drivers are {@link RecordStep}s. */
public sealed interface AttachStep extends Step {
    /** The kinds of steps. */
    enum Kinds {
        CREATE_RECORD,
        CLAIM,
        CHECK_NODE,
        DELETE_RECORD,
        WRITE_GRANTS,
        ASK_FENCE,
        VERIFY,
        TELL
    }

    @Override
    Kinds kind();

    /** The objects themselves are the intents. Separate steps write them. */
    @Override
    default boolean needsIntent() {
        return false;
    }

    /**
     * Stores the intent to attach.
     *
     * @param adopt whether another controller made the attachment, and the record only serves to detach it
     */
    record CreateRecord(VolumeId volume, String node, boolean oneNodeOnly, boolean adopt) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.CREATE_RECORD;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return oneNodeOnly
                    ? List.of(ConflictKey.exclusive(VOLUME, volume.toString()))
                    : List.of(ConflictKey.exclusive(VOLUME_NODE, volume.toString(), node));
        }

        @Override
        public String describe() {
            return adopt
                    ? "record that volume " + volume + " is attached to node " + node
                    : "record the intent to attach volume " + volume + " to node " + node;
        }
    }

    /** Takes over a record that another controller process wrote last. Later writes of that process to the record fail. */
    record Claim(VolumeId volume, String node, String record, String uid, String revision) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.CLAIM;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return object(Kind.VOLUME_ATTACHMENT, record);
        }

        @Override
        public String describe() {
            return "take over VolumeAttachment " + record + " of volume " + volume + " on node " + node;
        }
    }

    /** Reads the node from the store itself. The process that had the record before may have granted the attachment to the node. */
    record CheckNode(VolumeId volume, String node, String uid) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.CHECK_NODE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(VOLUME_NODE, volume.toString(), node));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "look whether node " + node + " uses volume " + volume;
        }
    }

    /**
     * Stores the intent to detach.
     *
     * @param force the evidence that replaces the node's report, null if the node reported that it does not use the volume
     */
    record DeleteRecord(
            VolumeId volume,
            String node,
            String record,
            String uid,
            String revision,
            @Nullable Fence force) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.DELETE_RECORD;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            // Not while a step writes the node's grants: that step could grant the record that this step deletes.
            return List.of(
                    ConflictKey.exclusive(OBJECT, Kind.VOLUME_ATTACHMENT.apiName() + "/" + record),
                    ConflictKey.shared(OBJECT, Kind.NODE.apiName() + "/" + node));
        }

        @Override
        public String describe() {
            return "record the intent to detach volume " + volume + " from node " + node;
        }
    }

    /**
     * Writes the grants and the attached volumes of the node. The write fails unless the node still has this revision, in which it
     * did not use the removed volumes.
     *
     * @param grants the whole list; null to leave it
     * @param attached the whole list; null to leave it
     * @param taken the volumes that the step removes from the lists
     * @param recheck the removed volumes for which the step first reads the node from the store, because the writes of the node's
     *     agent are not conditional
     * @param forced the removed volumes that the node has not reported as unused, with the evidence
     */
    record WriteGrants(
            String node,
            String uid,
            String revision,
            @Nullable GrantList grants,
            @Nullable List<AttachedVolume> attached,
            List<VolumeId> taken,
            List<VolumeId> recheck,
            Map<VolumeId, Fence> forced)
            implements AttachStep {
        /** Whether the node's object shows the volume after the write. */
        public boolean tellsOf(VolumeId volume) {
            String name = NodeVolumeNames.of(volume);
            return (grants != null && grants.of(volume.toString()) != null)
                    || (attached != null
                            && attached.stream().anyMatch(shown -> shown.name().equals(name)));
        }

        @Override
        public Kinds kind() {
            return Kinds.WRITE_GRANTS;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return object(Kind.NODE, node);
        }

        @Override
        public String describe() {
            return "write what node " + node + " may rely on"
                    + (taken.isEmpty() ? "" : ", taking away " + taken.size() + " volume(s)");
        }
    }

    /**
     * Asks the fencing authority whether the node is cut off from its volumes.
     *
     * @param uid of the node's object when the planner decided
     * @param agent the start of the node's agent that reported last
     */
    record AskFence(String node, String uid, String agent) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.ASK_FENCE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(OBJECT, "fence/" + node));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "ask whether node " + node + " is cut off";
        }
    }

    /** Asks a driver's backend, in one call, which of its volumes are attached to which nodes. */
    record Verify(String driver) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.VERIFY;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(OBJECT, "driver/" + driver));
        }

        @Override
        public String describe() {
            return "verify the attachments of driver " + driver;
        }
    }

    /** Writes an event for users. Runs on the loop. */
    record Tell(VolumeId volume, String node, LastEvent told) implements AttachStep {
        @Override
        public Kinds kind() {
            return Kinds.TELL;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of();
        }

        @Override
        public boolean internal() {
            return true;
        }

        @Override
        public String describe() {
            return "tell: " + told.message();
        }
    }

    private static List<ConflictKey> object(Kind kind, String name) {
        return List.of(ConflictKey.exclusive(OBJECT, kind.apiName() + "/" + name));
    }
}
