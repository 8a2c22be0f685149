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

/** What the attach/detach planners may want done to the cluster's objects. Calls to drivers are {@link RecordStep}s. */
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

    /** Intents are the objects themselves, written by steps of their own. */
    @Override
    default boolean needsIntent() {
        return false;
    }

    /**
     * Stores the intent to attach.
     *
     * @param adopt whether only to have a record of what another controller attached, by which to detach it
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

    /** Takes over a record that another controller process wrote last, so that nothing of that one can follow. */
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

    /** Reads the node from the store itself: the process that had the record before may have told it of the attachment. */
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
     * @param force the evidence that stands in for the node's word, null if the node gave the volume back
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
            // Never while the node is being told: what is deleted then could be what it is told of.
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
     * Writes what the node may rely on. Holds against the revision in which the volumes taken away were not in use.
     *
     * @param grants the whole list; null to leave it
     * @param attached the whole list; null to leave it
     * @param taken the volumes that it takes away
     * @param recheck those of them of which the node is read from the store before, because its agent's writes do not guard
     *     each other
     * @param forced those of them that are taken without the node's word, with the evidence
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
        /** Whether the node is to see the volume after it. */
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
     * Asks whether the node is cut off from its volumes.
     *
     * @param uid of the node's object when it was asked
     * @param agent the start of its agent that had reported last
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

    /** Asks a driver's backend, in one call, what of its volumes is attached where. */
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

    /** Tells people. Done on the loop. */
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
