package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.attach.AttachErrors;
import io.volume4j.core.node.attach.GrantCheck;
import io.volume4j.core.node.attach.Grants;
import io.volume4j.core.node.call.NodeCalls;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountKey;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeFormats;
import io.volume4j.core.node.state.NodeJournal;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.NodeViews;
import io.volume4j.core.node.view.Preparation;
import io.volume4j.core.node.view.StepSubjects;
import io.volume4j.core.node.view.VolumeModeConflicts;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.PersistentVolume;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Maps the node's steps to intents, calls and outcomes, and records them in its state and its journal. Loop thread
 * only.
 */
final class NodeWorld implements World<VolumeId, VolumeView, NodeStep>, IntentLog<VolumeId, NodeStep> {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final StepSubjects subjects;
    private final StepOutcomes outcomes;
    private final NodeViews views;
    private final NodeCalls calls;
    private final NodeFormats formats;
    private final NodeJournal journal;
    private final Grants grants;
    private final GrantCheck grantCheck;
    private final AttachErrors attachErrors;
    private final Expansions expansions;
    private final Preparation preparation;
    /** The journaled intents of steps under way, whose outcome is unknown. */
    private final Map<MountKey, JournalEntry> openIntents = new DenseMap<>();

    /** A plugin that hangs must not delay other plugins. */
    @Override
    public String intakeGroup(VolumeId key) {
        return key.plugin();
    }

    /** A volume that is defined in a pod has no PersistentVolume, so it is logged under its id. */
    @Override
    public String story(VolumeId key) {
        DesiredVolume wanted = desired.volume(key);
        if (wanted != null) {
            PersistentVolume volume = wanted.volume().spec().persistentVolume();
            return volume == null ? key.toString() : volume.metadata().name();
        }
        ActualVolume present = actual.volume(key);
        return present == null || !key.podUid().isEmpty()
                ? key.toString()
                : present.row().specName();
    }

    NodeWorld(
            StepSubjects subjects,
            StepOutcomes outcomes,
            NodeViews views,
            NodeCalls calls,
            NodeFormats formats,
            NodeJournal journal,
            Grants grants,
            GrantCheck grantCheck,
            AttachErrors attachErrors,
            Expansions expansions,
            Preparation preparation) {
        this.desired = subjects.desired();
        this.actual = subjects.actual();
        this.subjects = subjects;
        this.outcomes = outcomes;
        this.views = views;
        this.calls = calls;
        this.formats = formats;
        this.journal = journal;
        this.grants = grants;
        this.grantCheck = grantCheck;
        this.attachErrors = attachErrors;
        this.expansions = expansions;
        this.preparation = preparation;
    }

    @Override
    public @Nullable VolumeView view(VolumeId id) {
        VolumeView view = views.of(id);
        if (view != null && view.awaitsController()) {
            attachErrors.awaited(id);
        }
        return view;
    }

    @Override
    public void record(String operationId, VolumeId id, NodeStep step, Consumer<@Nullable VolumeException> durable) {
        JournalEntry intent = step.podUid().isEmpty()
                ? RowCodec.volume(intended(subjects.known(id).row(), step.kind()))
                : RowCodec.mount(subjects.mountRow(id, step.podUid()).withState(MountState.UNCERTAIN));
        boolean teardown = switch (step.kind()) {
            case DETACH, UNMOUNT_DEVICE, UNMOUNT -> true;
            default -> false;
        };
        openIntents.put(new MountKey(id, step.podUid()), intent);
        journal.intent(intent, teardown, durable);
    }

    /** The row as it may be after the step. */
    private VolumeRow intended(VolumeRow row, NodeStep.Kind kind) {
        return switch (kind) {
            case ATTACH, DETACH -> row.withAttach(AttachState.UNCERTAIN);
            case MOUNT_DEVICE -> row.withDevice(MountState.UNCERTAIN);
            case UNMOUNT_DEVICE -> row.withDevice(MountState.UNCERTAIN);
            case EXPAND -> row.withGrowth(row.growth().begun(Expansions.target(subjects.wanted(row.id()))));
            default -> throw new IllegalStateException("no intent for " + kind);
        };
    }

    /**
     * Creates the row of the mount before the call. Its outcome then finds the pod's name for the volume even if the
     * pod is deleted meanwhile.
     */
    @Override
    public void taken(VolumeId id, NodeStep step) {
        if (step.kind() == NodeStep.Kind.MOUNT) {
            MountRow mount = subjects.mountRow(id, step.podUid());
            ActualVolume present = actual.volume(id);
            if (present != null) {
                VolumeModeConflicts.fix(present, mount.block());
            }
            actual.put(mount);
        } else if (step.kind() == NodeStep.Kind.MOUNT_DEVICE) {
            ActualVolume volume = subjects.known(id);
            VolumeModeConflicts.fix(volume, subjects.wanted(id).block());
            // Stays if the outcome is uncertain: a pod with another context must not get what may be mounted with this
            // one.
            volume.row(volume.row().withLabel(subjects.label(volume.row())));
            volume.settingUp(true);
        } else if (step.kind() == NodeStep.Kind.ATTACH) {
            subjects.known(id).attaching(true);
        } else if (step.kind() == NodeStep.Kind.DETACH) {
            subjects.known(id).detaching(true);
        }
    }

    @Override
    public Call call(VolumeId id, NodeStep step) {
        ActualVolume volume = subjects.known(id);
        return switch (step.kind()) {
            case ATTACH -> grantCheck.own(id, calls.attach(subjects.wanted(id), volume.row()));
            case CONFIRM_ATTACHED ->
                grantCheck.call(
                        id,
                        grants.current(id),
                        grants.givesGrants(),
                        grants.devicePath(id),
                        Grants.perhapsHeldUnder(volume.row()));
            case DETACH ->
                grants.attachesItself() ? calls.detach(volume.row()) : grantCheck.left(id, calls.detach(volume.row()));
            case MOUNT_DEVICE ->
                calls.mountDevice(subjects.wanted(id), volume.row(), subjects.fsGroup(id), formats.ledger(id));
            case UNMOUNT_DEVICE -> calls.unmountDevice(volume.row());
            case MOUNT, REMOUNT -> {
                if (step.kind() == NodeStep.Kind.REMOUNT) {
                    volume.remounting(step.podUid());
                } else {
                    volume.mounting(step.podUid());
                }
                MountRow mount = subjects.mountRow(id, step.podUid());
                MountState after = mount.state().certain() ? mount.state() : preparation.afterMount(mount);
                ResolvedVolume wanted = subjects.wanted(id, step.podUid());
                yield calls.mount(
                        wanted,
                        volume.row(),
                        subjects.pod(step.podUid()),
                        mount.state().certain() ? mount : mount.withIds(""),
                        subjects.desired().label(wanted),
                        after);
            }
            case APPLY_FS_GROUP -> {
                MountRow mount = subjects.mountRow(id, step.podUid());
                yield calls.applyFsGroup(mount, preparation.ownership(mount), preparation.afterOwnership(mount));
            }
            case MAP_IDS -> {
                MountRow mount = subjects.mountRow(id, step.podUid());
                yield calls.mapIds(mount, preparation.ids(mount), preparation.afterIds(mount));
            }
            case BIND_SUBPATHS -> {
                MountRow mount = subjects.mountRow(id, step.podUid());
                if (mount.state() == MountState.MOUNTED) {
                    volume.bindingParts(step.podUid());
                    yield calls.bindLaterSubPaths(mount, preparation.laterParts(mount));
                }
                yield calls.bindSubPaths(mount, preparation.parts(mount));
            }
            case EXPAND ->
                calls.expand(
                        subjects.wanted(id),
                        volume.row(),
                        StepSubjects.aMount(volume),
                        expansions.asking(subjects.wanted(id)));
            case TELL_SIZE -> expansions.tell(subjects.wanted(id), volume.row().growth());
            case UNMOUNT ->
                calls.unmount(
                        subjects.mountRow(id, step.podUid()),
                        volume.row(),
                        volume.mounts().size() == 1,
                        subjects.leaving(step.podUid()));
            default -> throw new IllegalStateException("no call for " + step.kind());
        };
    }

    @Override
    public void completed(VolumeId id, NodeStep step, Outcome outcome) {
        if (step.needsIntent()) {
            openIntents.remove(new MountKey(id, step.podUid()));
        }
        outcomes.take(id, step, outcome, () -> openIntents.containsKey(new MountKey(id, "")));
    }

    /** The intent recorded a possible effect. The step did nothing, so the earlier state applies again. */
    @Override
    public void abandoned(VolumeId id, NodeStep step) {
        openIntents.remove(new MountKey(id, step.podUid()));
        outcomes.abandoned(id, step);
    }

    @Override
    public Iterator<VolumeId> keys() {
        return new AllVolumes();
    }

    /**
     * First the volumes wanted at the beginning, then the volumes present at that later time. Avoids one table of all.
     */
    private final class AllVolumes implements Iterator<VolumeId> {
        private Iterator<VolumeId> ids = new ArrayList<>(desired.volumeIds()).iterator();
        private boolean here;

        @Override
        public boolean hasNext() {
            if (!ids.hasNext() && !here) {
                here = true;
                ids = actual.ids().iterator();
            }
            return ids.hasNext();
        }

        @Override
        public VolumeId next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return ids.next();
        }
    }

    /**
     * All entries that a restart needs, for the journal. A snapshot may fall between an intent and its outcome; then
     * it contains the intent.
     */
    List<JournalEntry> snapshot() {
        List<JournalEntry> entries = new ArrayList<>();
        for (ActualVolume volume : actual.all()) {
            VolumeId id = volume.row().id();
            entries.add(openIntents.getOrDefault(new MountKey(id, ""), RowCodec.volume(volume.row())));
            for (MountRow mount : volume.mounts()) {
                entries.add(openIntents.getOrDefault(new MountKey(id, mount.podUid()), RowCodec.mount(mount)));
            }
        }
        entries.addAll(formats.snapshot());
        return entries;
    }
}
