package io.volume4j.core.control.attach.call;

import io.volume4j.core.control.attach.plan.AttachStep.Claim;
import io.volume4j.core.control.attach.plan.AttachStep.DeleteRecord;
import io.volume4j.core.control.attach.plan.AttachStep.WriteGrants;
import io.volume4j.core.control.host.AnsweringWriter;
import io.volume4j.core.control.host.ClusterCalls;
import io.volume4j.core.control.host.ClusterCalls.Seen;
import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the cluster, on worker threads. Each call passes the store's answer on before it ends. So the loop's next decision knows
 * this process's own writes.
 */
public final class AttachCalls {
    /** On a VolumeAttachment that a controller created for an attachment of another controller. */
    public static final String ADOPTED = "volume4j.io/adopted";

    /** On a VolumeAttachment that a controller created while the node's status or the backend showed the volume attached there already. */
    public static final String FOUND_ATTACHED = "volume4j.io/found-attached";

    private final ClusterSource source;
    private final ClusterWriter writer;
    private final Consumer<Seen> seen;

    /** @param seen receives the store's answers, on the worker thread */
    public AttachCalls(ClusterSource source, ClusterWriter writer, Consumer<Seen> seen) {
        this.source = source;
        this.writer = new AnsweringWriter(writer);
        this.seen = seen;
    }

    /** Stores the record. If a record with this name exists already, the method passes the existing one on and returns empty. */
    public Optional<ApiObject> create(VolumeAttachment record) {
        String what = "store VolumeAttachment " + record.metadata().name();
        try {
            ApiObject stored = writer.create(record);
            seen.accept(new Seen(record.key(), "", stored));
            return Optional.of(stored);
        } catch (ClusterException failure) {
            if (failure.reason() != Reason.ALREADY_EXISTS) {
                throw ClusterCalls.classified(what, failure, ClusterCalls.needs("create", record.kind()));
            }
            ApiObject existing = read(record.key(), "", what);
            if (existing != null && differs((VolumeAttachment) existing, record)) {
                throw VolumeException.finalFailure("cannot " + what
                        + ": another volume's attachment has the name; delete it if no volume uses it");
            }
            return Optional.empty();
        }
    }

    /** A record of another controller has no annotation with the volume's id; then the specs must be equal. */
    private static boolean differs(VolumeAttachment existing, VolumeAttachment wanted) {
        String volume = existing.metadata().annotation(GrantKeys.VOLUME);
        return volume.isEmpty()
                ? !existing.spec().equals(wanted.spec())
                : !volume.equals(wanted.metadata().annotation(GrantKeys.VOLUME));
    }

    /** @param direct whether this process carries the record out; external attachers must see this before the record is deleted */
    public Written claim(Claim step, String generation, boolean direct) {
        List<FieldChange> changes = new ArrayList<>(3);
        changes.add(FieldChange.set(generation, "metadata", "annotations", GrantKeys.GENERATION));
        changes.add(FieldChange.set(step.volume().toString(), "metadata", "annotations", GrantKeys.VOLUME));
        if (direct) {
            changes.add(FieldChange.set(GrantKeys.DIRECT, "metadata", "annotations", GrantKeys.MODE));
        }
        return patch(
                ObjectKey.attachment(step.record()),
                new Patch(new Preconditions(step.uid(), step.revision()), false, changes),
                step.describe());
    }

    /** Whether the record is marked as carried out by the controller itself. */
    public static boolean marked(VolumeAttachment record) {
        return record.metadata().annotation(GrantKeys.MODE).equals(GrantKeys.DIRECT);
    }

    /** Asks for deletion. The record stays until its attacher has detached the volume. */
    public Written delete(DeleteRecord step) {
        ObjectKey key = ObjectKey.attachment(step.record());
        Written written = Written.DONE;
        try {
            writer.delete(key, new Preconditions(step.uid(), step.revision()));
        } catch (ClusterException failure) {
            if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.NOT_FOUND) {
                throw ClusterCalls.classified(step.describe(), failure, ClusterCalls.needs("delete", key.kind()));
            }
            written = Written.STALE;
        }
        read(key, step.uid(), step.describe());
        return written;
    }

    /**
     * Reads the object from the store.
     *
     * @param uid the object's last known UID, {@code ""} if it is not known
     */
    @Nullable
    public ApiObject read(ObjectKey key, String uid, String what) {
        try {
            ApiObject live = source.readLive(key).orElse(null);
            seen.accept(new Seen(key, uid, live));
            return live;
        } catch (ClusterException failure) {
            throw ClusterCalls.classified(what, failure, ClusterCalls.needs("get", key.kind()));
        }
    }

    /** Writes the node's grants, then its attached volumes. Each write needs the revision that the write before it produced. */
    public Written grants(WriteGrants step) {
        ObjectKey key = ObjectKey.node(step.node());
        String revision = step.revision();
        if (!step.recheck().isEmpty()) {
            ApiObject live = read(key, step.uid(), step.describe());
            if (!(live instanceof Node node) || usesAgain(node, step)) {
                return Written.STALE;
            }
            revision = node.metadata().resourceVersion();
            if (!step.forced().isEmpty() && !revision.equals(step.revision())) {
                // The evidence belongs to the planned revision. The node may be ready again since then.
                return Written.STALE;
            }
        }
        if (step.grants() != null) {
            Patch patch = new Patch(
                    new Preconditions(step.uid(), revision),
                    false,
                    List.of(FieldChange.set(step.grants().text(), "metadata", "annotations", GrantKeys.GRANTS)));
            ApiObject stored = patched(key, patch, step.describe());
            if (stored == null) {
                return Written.STALE;
            }
            revision = stored.metadata().resourceVersion();
        }
        if (step.attached() == null) {
            return Written.DONE;
        }
        Patch patch = new Patch(
                new Preconditions(step.uid(), revision),
                true,
                List.of(FieldChange.set(document(step.attached()), "status", "volumesAttached")));
        return patch(key, patch, step.describe());
    }

    private static boolean usesAgain(Node node, WriteGrants step) {
        Set<String> inUse = new HashSet<>(NodeVolumeNames.idTexts(node.status().volumesInUse()));
        return step.recheck().stream().anyMatch(volume -> inUse.contains(volume.toString()));
    }

    private static List<Map<String, Object>> document(List<AttachedVolume> attached) {
        List<Map<String, Object>> list = new ArrayList<>(attached.size());
        for (AttachedVolume volume : attached) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", volume.name());
            entry.put("devicePath", volume.devicePath());
            list.add(entry);
        }
        return list;
    }

    Written patch(ObjectKey key, Patch patch, String what) {
        return patched(key, patch, what) == null ? Written.STALE : Written.DONE;
    }

    /** The stored object, null if another writer was first. */
    @Nullable
    ApiObject patched(ObjectKey key, Patch patch, String what) {
        try {
            ApiObject stored = writer.patch(key, patch);
            seen.accept(new Seen(key, "", stored));
            return stored;
        } catch (ClusterException failure) {
            if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.NOT_FOUND) {
                throw ClusterCalls.classified(
                        what,
                        failure,
                        ClusterCalls.needs("patch", key.kind()) + (patch.status() ? " and their status" : ""));
            }
            read(key, patch.preconditions().uid(), what);
            return null;
        }
    }
}
