package io.volume4j.core.control.attach.call;

import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls that carry out a VolumeAttachment: to the driver, and to the cluster to record the outcome. On worker threads. */
public final class RecordCalls {
    private final AttachCalls cluster;
    private final PluginRegistry plugins;
    private final LeaderTerm term;
    private final Stamp stamp;
    private final LeftoverProcesses tools;

    /**
     * What this process writes on records that it holds.
     *
     * @param finalizer keeps the record until it is detached; {@code ""} for the finalizer of the driver's attacher
     * @param generationKey annotation for the generation
     * @param direct whether to mark the record as carried out by the controller
     */
    public record Stamp(String finalizer, String generationKey, boolean direct) {
        /** For a controller that carries records out itself. */
        public static Stamp direct(boolean kubernetesNames) {
            return new Stamp(kubernetesNames ? "" : GrantKeys.FINALIZER, GrantKeys.GENERATION, true);
        }

        /** For an attacher that works for controllers in other processes. */
        public static Stamp attacher() {
            return new Stamp("", GrantKeys.ATTACHER_GENERATION, false);
        }

        /** The finalizer for volumes of the plugin. */
        public String finalizerFor(String plugin) {
            boolean ofAttacher = finalizer.isEmpty() && (!direct || AttacherName.ofDriver(plugin));
            return ofAttacher ? AttacherName.finalizer(plugin) : GrantKeys.FINALIZER;
        }

        /**
         * Whether a finalizer keeps the record until this process has detached it. A controller that replaced one with an external
         * attacher accepts the finalizer of that attacher.
         */
        public boolean held(VolumeAttachment record) {
            return keeps(AttacherName.plugin(record), record.metadata());
        }

        /** Whether such a finalizer keeps any object of the driver. */
        public boolean keeps(String driver, ObjectMeta object) {
            return object.finalizers().stream().anyMatch(each -> keeps(driver, each));
        }

        boolean keeps(String driver, String each) {
            return each.equals(GrantKeys.FINALIZER) || AttacherName.isFinalizer(driver, each);
        }

        /**
         * The record must carry the mark of this process's mode before any call, so that external attachers leave the record alone.
         */
        public boolean ours(VolumeAttachment record, LeaderTerm term) {
            return held(record)
                    && record.metadata().annotation(generationKey).equals(term.generation())
                    && direct == AttachCalls.marked(record);
        }
    }

    public RecordCalls(
            AttachCalls cluster, PluginRegistry plugins, LeaderTerm term, Stamp stamp, LeftoverProcesses tools) {
        this.cluster = cluster;
        this.plugins = plugins;
        this.term = term;
        this.stamp = stamp;
        this.tools = tools;
    }

    public Written claim(VolumeAttachment record, VolumeId volume) {
        List<FieldChange> changes = new ArrayList<>();
        // The API server accepts no new finalizer on a record that is being deleted.
        if (!record.metadata().deleting()) {
            keep(record, changes);
        }
        changes.add(FieldChange.set(term.generation(), "metadata", "annotations", stamp.generationKey()));
        changes.add(FieldChange.set(volume.toString(), "metadata", "annotations", GrantKeys.VOLUME));
        if (stamp.direct()) {
            changes.add(FieldChange.set(GrantKeys.DIRECT, "metadata", "annotations", GrantKeys.MODE));
        } else if (AttachCalls.marked(record)) {
            changes.add(FieldChange.remove("metadata", "annotations", GrantKeys.MODE));
        }
        return cluster.patch(
                record.key(),
                new Patch(Preconditions.of(record.metadata()), false, changes),
                "take over VolumeAttachment " + record.metadata().name());
    }

    /** Sets the finalizer for the process that carries the record out now, in place of that of another process. */
    private void keep(VolumeAttachment record, List<FieldChange> changes) {
        String driver = AttacherName.plugin(record);
        String right = stamp.finalizerFor(driver);
        List<String> finalizers = new ArrayList<>(record.metadata().finalizers());
        boolean replaced = !right.equals(GrantKeys.FINALIZER) && finalizers.remove(GrantKeys.FINALIZER);
        boolean kept = finalizers.stream().anyMatch(each -> stamp.keeps(driver, each));
        if (!kept) {
            finalizers.add(right);
        }
        if (replaced || !kept) {
            changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        }
    }

    /**
     * Reserves the volume's object for the record, conditional on the object's known revision. If two processes want the volume on
     * two nodes, one write fails, even with an old cache. The driver's attacher finds the finalizer that it would set itself.
     *
     * <p>If the object is reserved for another record, that record must be gone from the store. It never comes back with its UID.
     */
    public Written reserve(VolumeAttachment record, PersistentVolume volume) {
        String name = record.metadata().name();
        String what = "reserve PersistentVolume " + volume.metadata().name() + " for VolumeAttachment " + name;
        Reservation now = Reservation.of(volume);
        if (!now.none()
                && !now.isOf(record)
                && now.isOf(cluster.read(ObjectKey.attachment(now.name()), now.uid(), what))) {
            throw VolumeException.transientFailure("cannot " + what + ": it is reserved for VolumeAttachment "
                            + now.name() + ", which is still there")
                    .withAdvice(
                            "one node may have the volume; the other one's VolumeAttachment goes when it is detached");
        }
        List<FieldChange> changes = new ArrayList<>(2);
        changes.add(FieldChange.set(Reservation.of(record).text(), "metadata", "annotations", GrantKeys.RESERVED));
        String driver = AttacherName.plugin(record);
        if (!volume.metadata().deleting() && !stamp.keeps(driver, volume.metadata())) {
            List<String> finalizers = new ArrayList<>(volume.metadata().finalizers());
            finalizers.add(stamp.finalizerFor(driver));
            changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        }
        return cluster.patch(volume.key(), new Patch(Preconditions.of(volume.metadata()), false, changes), what);
    }

    public AttachResult attach(VolumeAttachment record, AttachRequest request, CallContext context) {
        String driver = AttacherName.plugin(record);
        VolumePlugin plugin = registered(driver);
        Optional<Attacher> known = plugin.attacher(request.spec());
        if (known.isEmpty() && !stamp.direct()) {
            // The controller decided that the volume is attached, and the node waits for that. There is nothing to
            // call.
            return AttachResult.at("");
        }
        Attacher attacher = known.orElseThrow(() -> VolumeException.transientFailure(
                "plugin " + driver + " does not attach volume " + request.spec().name() + " now"));
        mustBeTheSame(plugin, request);
        tools.mustHaveEnded(plugin, term.generation());
        term.mustOutlast(context);
        PluginState state = PluginAnswer.of(attacher.beforeAttach(request, context), driver, attacher, "beforeAttach");
        List<FieldChange> unrecorded = state.isEmpty() ? List.of() : RecordText.changes(record, state);
        if (!unrecorded.isEmpty()) {
            recordBefore(record, unrecorded);
            term.mustOutlast(context);
        }
        return PluginAnswer.of(attacher.attach(request.prepared(state), context), driver, attacher, "attach");
    }

    /** Stores what the detach needs: the answer of the attach call may be lost, and the node may be gone by then. */
    private void recordBefore(VolumeAttachment record, List<FieldChange> unrecorded) {
        String what =
                "record what a detach of VolumeAttachment " + record.metadata().name() + " needs before its attach";
        Patch patch = new Patch(Preconditions.of(record.metadata()), false, unrecorded);
        if (cluster.patch(record.key(), patch, what) == Written.STALE) {
            throw VolumeException.transientFailure("cannot " + what + ": another program changed it first")
                    .withAdvice("the volume is not attached before that; it is tried again");
        }
    }

    /**
     * The record identifies its volume by ID. Its PersistentVolume may have been created again for other storage. That storage
     * would be attached without a record of its own, and no controller would detach it.
     */
    private static void mustBeTheSame(VolumePlugin plugin, AttachRequest request) {
        String named = plugin.volumeName(request.spec());
        if (!named.equals(request.volume().name())) {
            throw VolumeException.transientFailure("PersistentVolume "
                            + request.spec().name() + " is now of " + named + ", and its VolumeAttachment is of "
                            + request.volume().name())
                    .withAdvice("delete the VolumeAttachment; another one is made for the new volume");
        }
    }

    /** @param spec the volume's description, null if it is not known; only an attachment of another attacher needs it */
    public void detach(VolumeAttachment record, VolumeId volume, @Nullable VolumeSpec spec, CallContext context) {
        VolumePlugin plugin = registered(AttacherName.plugin(record));
        Optional<Detacher> detacher = plugin.detacher(volume);
        if (detacher.isEmpty()) {
            return;
        }
        tools.mustHaveEnded(plugin, term.generation());
        term.mustOutlast(context);
        Optional<PluginState> needed =
                record.metadata().annotation(GrantKeys.PLUGIN_STATE).isEmpty() && spec != null
                        ? neededByDetach(record, volume, plugin, spec, context)
                        : Optional.of(RecordText.stateOf(record));
        term.mustOutlast(context);
        DetachRequest request = new DetachRequest(
                volume,
                record.spec().nodeName(),
                record.metadata().annotation(GrantKeys.DEVICE_PATH),
                needed.orElseGet(() -> RecordText.stateOf(record)));
        try {
            detacher.get().detach(request, context);
        } catch (VolumeException failure) {
            if (needed.isPresent() || failure.kind() != FailureKind.TRANSIENT || mayBeAttached(record)) {
                throw failure;
            }
        }
    }

    /**
     * Another attacher, which this process replaced, made the attachment. It would ask for everything again before its detach, such as the
     * secret of the call. Empty if the plugin cannot tell it.
     */
    private static Optional<PluginState> neededByDetach(
            VolumeAttachment record, VolumeId volume, VolumePlugin plugin, VolumeSpec spec, CallContext context) {
        AttachRequest request =
                new AttachRequest(spec, volume, record.spec().nodeName(), false, RecordText.stateOf(record));
        Attacher attacher = attacherOf(volume, plugin, spec);
        if (attacher == null) {
            return Optional.of(request.state());
        }
        try {
            PluginState needed =
                    PluginAnswer.of(attacher.beforeAttach(request, context), plugin.name(), attacher, "beforeAttach");
            return Optional.of(RecordText.withNodeId(needed, record));
        } catch (RuntimeException unknown) {
            return Optional.empty();
        }
    }

    /**
     * Null if the description is not of the volume, or if the plugin fails on it or attaches nothing: a plugin must be able to detach by
     * names alone.
     */
    private static @Nullable Attacher attacherOf(VolumeId volume, VolumePlugin plugin, VolumeSpec spec) {
        try {
            return plugin.volumeName(spec).equals(volume.name())
                    ? plugin.attacher(spec).orElse(null)
                    : null;
        } catch (RuntimeException unknown) {
            return null;
        }
    }

    /**
     * Whether the volume may be attached as the record says. An attacher stores what a detach needs before its attach call. If the store has
     * nothing of it, the node may have gone before its driver reported its id. The cache may not have the last write yet.
     */
    private boolean mayBeAttached(VolumeAttachment record) {
        String uid = record.metadata().uid();
        ApiObject live = cluster.read(
                record.key(),
                uid,
                "read whether VolumeAttachment " + record.metadata().name() + " was ever attached");
        return live instanceof VolumeAttachment now
                && now.metadata().uid().equals(uid)
                && (now.status().attached()
                        || now.metadata().annotations().containsKey(AttachCalls.ADOPTED)
                        || now.metadata().annotations().containsKey(AttachCalls.FOUND_ATTACHED)
                        || !now.metadata().annotation(GrantKeys.DEVICE_PATH).isEmpty()
                        || !now.metadata().annotation(GrantKeys.PLUGIN_STATE).isEmpty()
                        || !now.metadata()
                                .annotation(WellKnown.ATTACHED_NODE_ID)
                                .isEmpty());
    }

    /** Stores what the detach and the node need before the record says that it is attached. */
    public Written recordAttached(VolumeAttachment record, AttachResult result) {
        String what = "record that VolumeAttachment " + record.metadata().name() + " is attached";
        Preconditions against = Preconditions.of(record.metadata());
        List<FieldChange> kept = new ArrayList<>();
        if (!result.devicePath().equals(record.metadata().annotation(GrantKeys.DEVICE_PATH))) {
            kept.add(FieldChange.set(result.devicePath(), "metadata", "annotations", GrantKeys.DEVICE_PATH));
        }
        if (!result.state().isEmpty()) {
            kept.addAll(RecordText.changes(record, result.state()));
        }
        if (!kept.isEmpty()) {
            var stored = cluster.patched(record.key(), new Patch(against, false, kept), what);
            if (stored == null) {
                return Written.STALE;
            }
            against = Preconditions.of(stored.metadata());
        }
        return cluster.patch(
                record.key(),
                new Patch(
                        against,
                        true,
                        List.of(
                                FieldChange.set(true, "status", "attached"),
                                FieldChange.set(new LinkedHashMap<>(result.metadata()), "status", "attachmentMetadata"),
                                FieldChange.remove("status", "attachError"))),
                what);
    }

    /** @param exhausted whether the driver refused for lack of capacity; the node's agent and the scheduler act on it */
    public Written recordError(VolumeAttachment record, String error, boolean exhausted, Instant now) {
        Map<String, Object> failure = new LinkedHashMap<>();
        failure.put("time", now.toString());
        failure.put("message", error);
        if (exhausted) {
            failure.put("errorCode", VolumeAttachment.Failure.RESOURCE_EXHAUSTED);
        }
        String field = record.metadata().deleting() ? "detachError" : "attachError";
        return cluster.patch(
                record.key(),
                new Patch(
                        Preconditions.of(record.metadata()), true, List.of(FieldChange.set(failure, "status", field))),
                "record an error of VolumeAttachment " + record.metadata().name());
    }

    public Written release(VolumeAttachment record) {
        List<String> finalizers = new ArrayList<>(record.metadata().finalizers());
        String driver = AttacherName.plugin(record);
        finalizers.removeIf(each -> stamp.keeps(driver, each));
        return cluster.patch(
                record.key(),
                new Patch(
                        Preconditions.of(record.metadata()),
                        false,
                        List.of(FieldChange.set(finalizers, "metadata", "finalizers"))),
                "let VolumeAttachment " + record.metadata().name() + " go");
    }

    /** Keeps the volume's object by a finalizer while a record of it may need the object. */
    public Written holdVolume(String driver, PersistentVolume volume) {
        if (stamp.keeps(driver, volume.metadata())) {
            return Written.DONE;
        }
        List<String> finalizers = new ArrayList<>(volume.metadata().finalizers());
        finalizers.add(stamp.finalizerFor(driver));
        return finalizers(volume, finalizers, "keep");
    }

    public Written releaseVolume(String driver, PersistentVolume volume) {
        List<String> finalizers = new ArrayList<>(volume.metadata().finalizers());
        finalizers.removeIf(each -> stamp.keeps(driver, each));
        return finalizers(volume, finalizers, "let go of");
    }

    private Written finalizers(PersistentVolume volume, List<String> finalizers, String what) {
        return cluster.patch(
                volume.key(),
                new Patch(
                        Preconditions.of(volume.metadata()),
                        false,
                        List.of(FieldChange.set(finalizers, "metadata", "finalizers"))),
                what + " PersistentVolume " + volume.metadata().name());
    }

    /** Reads the object, or its absence: a record without finalizers is gone after the last patch. */
    public void look(ObjectKey key, String uid) {
        cluster.read(key, uid, "read " + key);
    }

    private VolumePlugin registered(String driver) {
        return plugins.byName(driver)
                .orElseThrow(() -> VolumeException.transientFailure("plugin " + driver + " is not registered")
                        .withAdvice("register it again: only it can attach and detach its volumes"));
    }

    public VolumeSpec inline(VolumeAttachment record) {
        var spec = record.spec().inlineVolumeSpec();
        if (spec == null) {
            throw VolumeException.transientFailure(
                    "VolumeAttachment " + record.metadata().name() + " does not say which volume it is for");
        }
        String name = record.metadata().name();
        return plugins.migration().spec(name, spec).orElseGet(() -> new VolumeSpec(name, spec.source(), null, false));
    }
}
