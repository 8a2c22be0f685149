package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.Transitions;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.attach.AttachmentExchange;
import io.volume4j.core.node.attach.Grants;
import io.volume4j.core.node.call.Mounted;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeFormats;
import io.volume4j.core.node.state.NodeJournal;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.Preparation;
import io.volume4j.core.node.view.StepSubjects;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.selinux.SeLinuxLabel;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies the outcome of each step to the actual state of world and the journal. Loop thread only. */
final class StepOutcomes {
    private final StepSubjects subjects;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final NodeFormats formats;
    private final NodeJournal journal;
    private final Expansions expansions;
    private final Preparation preparation;
    private final ObjectCache objects;
    private final RemountScheduler remounts;
    private final AttachmentExchange attachments;
    private final Waiters waiters;
    private final Consumer<VolumeId> dirty;

    StepOutcomes(
            StepSubjects subjects,
            NodeFormats formats,
            NodeJournal journal,
            Expansions expansions,
            Preparation preparation,
            ObjectCache objects,
            RemountScheduler remounts,
            AttachmentExchange attachments,
            Waiters waiters,
            Consumer<VolumeId> dirty) {
        this.subjects = subjects;
        this.desired = subjects.desired();
        this.actual = subjects.actual();
        this.formats = formats;
        this.journal = journal;
        this.expansions = expansions;
        this.preparation = preparation;
        this.objects = objects;
        this.remounts = remounts;
        this.attachments = attachments;
        this.waiters = waiters;
        this.dirty = dirty;
    }

    /**
     * Applies the outcome of a step.
     *
     * @param underWay whether another step that changes the volume has an intent and no outcome yet
     */
    void take(VolumeId id, NodeStep step, Outcome outcome, BooleanSupplier underWay) {
        ActualVolume volume = subjects.known(id);
        switch (step.kind()) {
            case ATTACH -> {
                attached(volume, outcome);
                volume.attaching(false);
            }
            case CONFIRM_ATTACHED -> {
                if (outcome.succeeded()) {
                    if (Grants.anew(volume.row(), outcome.requireValue(AttachResult.class))) {
                        // Another node may have formatted it and written to it in between.
                        formats.forget(id);
                    }
                    attached(volume, outcome);
                }
            }
            case DETACH -> {
                volume.detaching(false);
                detached(volume, outcome);
                attachments.useChanged();
            }
            case MOUNT_DEVICE -> {
                deviceMounted(volume, outcome);
                volume.settingUp(false);
            }
            case UNMOUNT_DEVICE ->
                put(
                        volume,
                        volume.row()
                                .withDevice(
                                        Transitions.afterUnmount(volume.row().device(), outcome)));
            case MOUNT -> mounted(id, step.podUid(), outcome);
            case REMOUNT -> remounted(volume, step.podUid(), outcome);
            case EXPAND -> expanded(volume, outcome);
            case TELL_SIZE -> told(volume, outcome, underWay.getAsBoolean());
            case APPLY_FS_GROUP -> prepared(id, step.podUid(), outcome, MountState.FS_GROUP_PENDING);
            case MAP_IDS -> mapped(id, step.podUid(), outcome);
            case BIND_SUBPATHS -> {
                volume.partsBound(
                        step.podUid(),
                        outcome.succeeded() ? "" : outcome.requireFailure().getMessage());
                prepared(id, step.podUid(), outcome, MountState.SUBPATHS_PENDING);
            }
            case UNMOUNT -> unmounted(id, step.podUid(), outcome);
            case FORGET -> {
                actual.forget(id);
                formats.forget(id);
                journal.note(RowCodec.volumeGone(id));
                waiters.checkEmpty();
                attachments.useChanged();
            }
        }
        if (!step.podUid().isEmpty()) {
            waiters.check(step.podUid());
        }
        waiters.checkFenced();
    }

    /** The step did nothing: the earlier state applies again. */
    void abandoned(VolumeId id, NodeStep step) {
        ActualVolume volume = actual.volume(id);
        if (volume == null) {
            return;
        }
        if (step.podUid().isEmpty()) {
            if (step.kind() == NodeStep.Kind.MOUNT_DEVICE) {
                // Without a mount, the row must not keep the SELinux context of the step.
                volume.row(volume.row().withDevice(volume.row().device()));
                volume.settingUp(false);
            } else if (step.kind() == NodeStep.Kind.ATTACH) {
                volume.attaching(false);
            } else if (step.kind() == NodeStep.Kind.DETACH) {
                volume.detaching(false);
            }
            journal.note(RowCodec.volume(volume.row()));
            waiters.checkFenced();
            return;
        }
        MountRow row = volume.mount(step.podUid());
        boolean nothing = row == null || row.state() == MountState.NOT_MOUNTED;
        if (nothing) {
            actual.removeMount(id, step.podUid());
        }
        noteMount(id, step.podUid());
        if (nothing) {
            placeFree(step.podUid());
        }
        waiters.check(step.podUid());
        waiters.checkFenced();
    }

    private void attached(ActualVolume volume, Outcome outcome) {
        VolumeRow row = volume.row();
        if (outcome.succeeded()) {
            AttachResult result = outcome.requireValue(AttachResult.class);
            put(volume, row.attached(result.devicePath(), result.metadata(), result.state()));
        } else {
            put(volume, row.withAttach(Transitions.afterAttach(row.attach(), outcome)));
        }
    }

    private void detached(ActualVolume volume, Outcome outcome) {
        AttachState state = Transitions.afterDetach(volume.row().attach(), outcome);
        if (state == AttachState.DETACHED) {
            formats.forget(volume.row().id());
        }
        put(
                volume,
                state == AttachState.DETACHED
                        ? volume.row().detached()
                        : volume.row().withAttach(state));
    }

    private void deviceMounted(ActualVolume volume, Outcome outcome) {
        VolumeRow row = volume.row();
        if (outcome.succeeded()) {
            Mounted result = outcome.requireValue(Mounted.class);
            put(volume, sized(row.deviceMounted(result.inKernel(), result.state(), result.label())));
            supersede(actual.unidentifiedDevice(row.id()), "");
        } else {
            put(volume, row.withDevice(Transitions.afterMount(row.device(), outcome)));
        }
    }

    private void mounted(VolumeId id, String podUid, Outcome outcome) {
        MountRow row = subjects.mountRow(id, podUid);
        if (outcome.succeeded()) {
            Mounted result = outcome.requireValue(Mounted.class);
            actual.put(
                    row.mounted(result.inKernel(), result.state()).withIds("").withState(preparation.afterMount(row)));
            refreshLater(id, podUid, result);
            supersede(actual.unidentifiedMount(id, podUid, row.outerName()), podUid);
            volumeMounted(id, podUid);
            remounts.mounted(id, podUid);
        } else {
            keep(row, Transitions.afterMount(row.state(), outcome));
        }
        noteMount(id, podUid);
    }

    /** A failure keeps what is done for the next try. It makes no mount uncertain. */
    private void prepared(VolumeId id, String podUid, Outcome outcome, MountState before) {
        MountRow row = subjects.mountRow(id, podUid);
        if (outcome.succeeded() && row.state() == before) {
            actual.put(row.withState(
                    before == MountState.FS_GROUP_PENDING ? preparation.afterOwnership(row) : MountState.MOUNTED));
            noteMount(id, podUid);
            remounts.mounted(id, podUid);
        }
    }

    private void mapped(VolumeId id, String podUid, Outcome outcome) {
        MountRow row = subjects.mountRow(id, podUid);
        if (outcome.succeeded() && row.state() == MountState.IDS_PENDING) {
            MountRow seen = row.withIds(outcome.requireValue(String.class));
            actual.put(seen.withState(preparation.afterIds(seen)));
            noteMount(id, podUid);
            remounts.mounted(id, podUid);
        }
    }

    /** The unidentified mount is now known to be the volume that was just mounted. */
    private void supersede(@Nullable VolumeId unidentified, String podUid) {
        ActualVolume volume = unidentified == null ? null : actual.volume(unidentified);
        if (unidentified == null || volume == null) {
            return;
        }
        actual.removeMount(unidentified, podUid);
        volume.row(VolumeRow.unknown(unidentified, volume.row().specName(), false));
        actual.forget(unidentified);
        journal.note(RowCodec.mountGone(unidentified, podUid));
        journal.note(RowCodec.volumeGone(unidentified));
    }

    private void remounted(ActualVolume volume, String podUid, Outcome outcome) {
        volume.remounted(podUid, outcome.succeeded());
        MountRow row = volume.mount(podUid);
        if (outcome.succeeded() && row != null && row.state() == MountState.MOUNTED) {
            Mounted result = outcome.requireValue(Mounted.class);
            actual.put(row.mounted(result.inKernel(), result.state()));
            refreshLater(row.id(), podUid, result);
            noteMount(row.id(), podUid);
        }
    }

    /** Schedules the next remount, if the plugin or the CSIDriver object requests one. */
    private void refreshLater(VolumeId id, String podUid, Mounted result) {
        DesiredVolume wanted = desired.volume(id);
        ResolvedVolume use = wanted == null ? null : wanted.use(podUid);
        Instant refreshAt = result.refreshAt();
        if (use != null && use.republishes()) {
            remounts.republish(id, podUid, refreshAt);
        } else if (refreshAt != null) {
            remounts.refreshAt(id, podUid, refreshAt);
        }
    }

    private void expanded(ActualVolume volume, Outcome outcome) {
        VolumeRow row = volume.row();
        ResolvedVolume wanted = subjects.ifWanted(row.id());
        long target =
                expansions.answered(row.id(), wanted == null ? row.growth().target() : Expansions.target(wanted));
        volume.expansionInUse(!outcome.succeeded() && outcome.requireFailure().kind() == FailureKind.IN_USE);
        put(volume, row.withGrowth(Transitions.afterExpansion(row.growth(), target, outcome)));
    }

    /**
     * This step runs beside other steps. While another step has an open intent, that intent must stay the last journal
     * entry of the volume: the row does not contain its possible effect yet. The outcome of that step writes the row.
     */
    private void told(ActualVolume volume, Outcome outcome, boolean underWay) {
        if (outcome.succeeded() && outcome.value() instanceof PersistentVolumeClaim stored) {
            objects.applyOwnWrite(stored);
            if (ResizeStatus.of(stored) == ResizeStatus.NODE_IN_PROGRESS) {
                VolumeRow row = volume.row().withGrowth(volume.row().growth().askedAgain());
                if (underWay) {
                    volume.row(row);
                } else {
                    put(volume, row);
                }
            }
        }
    }

    private void unmounted(VolumeId id, String podUid, Outcome outcome) {
        MountRow row = subjects.mountRow(id, podUid);
        MountState after = Transitions.afterUnmount(row.state(), outcome);
        keep(row, after);
        noteMount(id, podUid);
        if (after == MountState.NOT_MOUNTED) {
            placeFree(podUid);
        }
    }

    /** One of the pod's volumes is unmounted. Another volume may now use its path. */
    private void placeFree(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod != null) {
            pod.volumes().values().forEach(volume -> dirty.accept(volume.id()));
        }
    }

    private void keep(MountRow row, MountState state) {
        if (state == MountState.NOT_MOUNTED) {
            actual.removeMount(row.id(), row.podUid());
        } else {
            actual.put(row.withState(state));
        }
    }

    private void put(ActualVolume volume, VolumeRow row) {
        volume.row(row);
        journal.note(RowCodec.volume(row));
    }

    void noteMount(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        journal.note(mount == null ? RowCodec.mountGone(id, podUid) : RowCodec.mount(mount));
    }

    /** Without a device mount, the first pod's mount determines the state of the volume. */
    private void volumeMounted(VolumeId id, String podUid) {
        ActualVolume volume = subjects.known(id);
        VolumeRow before = volume.row();
        VolumeRow row = sized(before);
        MountRow mount = volume.mount(podUid);
        ResolvedPod pod = desired.pod(podUid);
        if (row.device() == MountState.NOT_MOUNTED && mount != null && pod != null && subjects.labelled(id)) {
            row = row.withLabel(SeLinuxLabel.of(pod.pod(), mount.outerName()));
        }
        if (!row.equals(before)) {
            put(volume, row);
        }
    }

    private VolumeRow sized(VolumeRow row) {
        return expansions.sized(row, subjects.ifWanted(row.id()));
    }
}
