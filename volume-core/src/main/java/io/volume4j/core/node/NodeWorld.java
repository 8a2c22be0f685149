package io.volume4j.core.node;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.DesiredStateOfWorld.DesiredVolume;
import io.volume4j.core.node.DesiredStateOfWorld.Use;
import io.volume4j.core.node.NodeCalls.Mounted;
import io.volume4j.core.node.ResolvedPod.ResolvedVolume;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.PluginState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The node's world: what each step's intent, call and outcome mean for its states and its journal. Loop thread only. */
final class NodeWorld implements World<VolumeId, VolumeView, NodeStep>, IntentLog<VolumeId, NodeStep> {
    /** What a step changes the state of: the volume itself, with a UID of {@code ""}, or its mount for a pod. */
    private record Subject(VolumeId volume, String podUid) {}

    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final NodeViews views;
    private final NodeCalls calls;
    private final NodeFormats formats;
    private final NodeJournal journal;
    private final Grants grants;
    private final GrantCheck grantCheck;
    /** What the journal says of steps under way, whose outcome is not known. */
    private final Map<Subject, JournalEntry> openIntents = new LinkedHashMap<>();

    private final Expansions expansions;
    private final Consumer<ApiObject> ownWrite;
    private final Refresh refresh;
    private final Preparation preparation;
    private final Consumer<String> podProgress;
    private final Runnable volumeForgotten;

    /** Sees to it that what a plugin set up for a while is set up again in time. */
    interface Refresh {
        void at(VolumeId id, String podUid, Instant when);
    }

    /**
     * A world over its parts.
     *
     * @param ownWrite hears of objects as this node wrote them
     * @param refresh hears when content is to be set up again
     * @param podProgress hears which pod's mounts changed
     * @param volumeForgotten hears that nothing of a volume is here any more
     */
    NodeWorld(
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            NodeViews views,
            NodeCalls calls,
            NodeFormats formats,
            NodeJournal journal,
            Grants grants,
            GrantCheck grantCheck,
            Expansions expansions,
            Consumer<ApiObject> ownWrite,
            Refresh refresh,
            Preparation preparation,
            Consumer<String> podProgress,
            Runnable volumeForgotten) {
        this.desired = desired;
        this.actual = actual;
        this.views = views;
        this.calls = calls;
        this.formats = formats;
        this.journal = journal;
        this.grants = grants;
        this.grantCheck = grantCheck;
        this.expansions = expansions;
        this.ownWrite = ownWrite;
        this.refresh = refresh;
        this.preparation = preparation;
        this.podProgress = podProgress;
        this.volumeForgotten = volumeForgotten;
    }

    @Override
    public @Nullable VolumeView view(VolumeId id) {
        return views.of(id);
    }

    @Override
    public void record(String operationId, VolumeId id, NodeStep step, Consumer<@Nullable VolumeException> durable) {
        VolumeRow row = known(id).row();
        JournalEntry intent = switch (step.kind()) {
            case ATTACH, DETACH -> RowCodec.volume(row.withAttach(AttachState.UNCERTAIN));
            case MOUNT_DEVICE -> RowCodec.volume(row.withLabel(label(row)).withDevice(MountState.UNCERTAIN));
            case UNMOUNT_DEVICE -> RowCodec.volume(row.withDevice(MountState.UNCERTAIN));
            case MOUNT, UNMOUNT -> RowCodec.mount(mountRow(id, step.podUid()).withState(MountState.UNCERTAIN));
            case EXPAND -> RowCodec.volume(row.withGrowth(row.growth().begun(Expansions.target(wanted(id)))));
            default -> throw new IllegalStateException("no intent for " + step.kind());
        };
        boolean teardown = switch (step.kind()) {
            case DETACH, UNMOUNT_DEVICE, UNMOUNT -> true;
            default -> false;
        };
        openIntents.put(new Subject(id, step.podUid()), intent);
        journal.intent(intent, teardown, durable);
    }

    /** A mount under way has a row, so that its outcome finds the pod's name for the volume even if the pod goes meanwhile. */
    @Override
    public void taken(VolumeId id, NodeStep step) {
        if (step.kind() == NodeStep.Kind.MOUNT) {
            actual.put(mountRow(id, step.podUid()));
        }
    }

    @Override
    public Call call(VolumeId id, NodeStep step) {
        ActualVolume volume = known(id);
        return switch (step.kind()) {
            case ATTACH -> calls.attach(wanted(id), volume.row());
            case CONFIRM_ATTACHED -> grantCheck.call(id, grants.current(id), grants.devicePath(id));
            case DETACH -> calls.detach(volume.row());
            case MOUNT_DEVICE ->
                calls.mountDevice(
                        wanted(id), volume.row().withLabel(label(volume.row())), fsGroup(id), formats.ledger(id));
            case UNMOUNT_DEVICE -> calls.unmountDevice(volume.row());
            case MOUNT, REMOUNT -> {
                if (step.kind() == NodeStep.Kind.REMOUNT) {
                    volume.remounting(step.podUid());
                } else {
                    volume.mounting(step.podUid());
                }
                MountRow mount = mountRow(id, step.podUid());
                MountState after = mount.state().certain() ? mount.state() : preparation.afterMount(mount);
                yield calls.mount(wanted(id, step.podUid()), volume.row(), pod(step.podUid()), mount, after);
            }
            case OWN -> {
                MountRow mount = mountRow(id, step.podUid());
                yield calls.own(mount, preparation.ownership(mount), preparation.afterOwnership(mount));
            }
            case DIVIDE -> {
                MountRow mount = mountRow(id, step.podUid());
                yield calls.divide(mount, preparation.parts(mount));
            }
            case EXPAND -> calls.expand(wanted(id), volume.row(), aMount(volume), Expansions.target(wanted(id)));
            case TELL_SIZE -> expansions.tell(wanted(id), volume.row().growth());
            case UNMOUNT ->
                calls.unmount(
                        mountRow(id, step.podUid()),
                        volume.row(),
                        volume.mounts().size() == 1,
                        leaving(step.podUid()));
            default -> throw new IllegalStateException("no call for " + step.kind());
        };
    }

    @Override
    public void completed(VolumeId id, NodeStep step, Outcome outcome) {
        openIntents.remove(new Subject(id, step.podUid()));
        ActualVolume volume = known(id);
        switch (step.kind()) {
            case ATTACH -> attached(volume, outcome);
            case CONFIRM_ATTACHED -> {
                if (outcome.succeeded()) {
                    attached(volume, outcome);
                }
            }
            case DETACH -> detached(volume, outcome);
            case MOUNT_DEVICE -> deviceMounted(volume, outcome);
            case UNMOUNT_DEVICE ->
                put(
                        volume,
                        volume.row()
                                .withDevice(
                                        Transitions.afterUnmount(volume.row().device(), outcome)));
            case MOUNT -> mounted(id, step.podUid(), outcome);
            case REMOUNT -> remounted(volume, step.podUid(), outcome);
            case EXPAND -> expanded(volume, outcome);
            case TELL_SIZE -> told(volume, outcome);
            case OWN -> prepared(id, step.podUid(), outcome, MountState.UNOWNED);
            case DIVIDE -> prepared(id, step.podUid(), outcome, MountState.UNDIVIDED);
            case UNMOUNT -> unmounted(id, step.podUid(), outcome);
            case FORGET -> {
                actual.forget(id);
                formats.forget(id);
                journal.note(RowCodec.volumeGone(id));
                volumeForgotten.run();
            }
        }
        if (!step.podUid().isEmpty()) {
            podProgress.accept(step.podUid());
        }
    }

    /** The intent said that something might be; nothing was done, so what was known before holds again. */
    @Override
    public void abandoned(VolumeId id, NodeStep step) {
        openIntents.remove(new Subject(id, step.podUid()));
        ActualVolume volume = actual.volume(id);
        if (volume == null) {
            return;
        }
        if (step.podUid().isEmpty()) {
            journal.note(RowCodec.volume(volume.row()));
        } else {
            MountRow row = volume.mount(step.podUid());
            if (row != null && row.state() == MountState.NOT_MOUNTED) {
                actual.removeMount(id, step.podUid());
            }
            noteMount(id, step.podUid());
        }
    }

    @Override
    public Iterator<VolumeId> keys() {
        Set<VolumeId> all = new LinkedHashSet<>(desired.volumeIds());
        all.addAll(actual.ids());
        return all.iterator();
    }

    /**
     * Everything that a restart must know, as the journal writes it. A snapshot may fall between an intent and its outcome:
     * the intent is what holds then.
     */
    List<JournalEntry> snapshot() {
        List<JournalEntry> entries = new ArrayList<>();
        for (ActualVolume volume : actual.all()) {
            VolumeId id = volume.row().id();
            entries.add(openIntents.getOrDefault(new Subject(id, ""), RowCodec.volume(volume.row())));
            volume.mounts()
                    .forEach((uid, mount) ->
                            entries.add(openIntents.getOrDefault(new Subject(id, uid), RowCodec.mount(mount))));
        }
        entries.addAll(formats.snapshot());
        return entries;
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
        MountRow row = mountRow(id, podUid);
        if (outcome.succeeded()) {
            Mounted result = outcome.requireValue(Mounted.class);
            actual.put(row.mounted(result.inKernel(), result.state()).withState(preparation.afterMount(row)));
            refreshLater(id, podUid, result);
            supersede(actual.unidentifiedMount(id, podUid, row.outerName()), podUid);
            volumeMounted(id, podUid);
        } else {
            keep(row, Transitions.afterMount(row.state(), outcome));
        }
        noteMount(id, podUid);
    }

    /** A failure leaves what was done for the next try; it makes no mount uncertain. */
    private void prepared(VolumeId id, String podUid, Outcome outcome, MountState before) {
        MountRow row = mountRow(id, podUid);
        if (outcome.succeeded() && row.state() == before) {
            actual.put(
                    row.withState(before == MountState.UNOWNED ? preparation.afterOwnership(row) : MountState.MOUNTED));
            noteMount(id, podUid);
        }
    }

    /** What was there unidentified has turned out to be what was mounted just now. */
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

    private void refreshLater(VolumeId id, String podUid, Mounted result) {
        if (result.refreshAt() != null) {
            refresh.at(id, podUid, result.refreshAt());
        }
    }

    private void expanded(ActualVolume volume, Outcome outcome) {
        VolumeRow row = volume.row();
        DesiredVolume wanted = desired.volume(row.id());
        long target = wanted == null ? row.growth().target() : Expansions.target(wanted.volume());
        volume.expansionInUse(!outcome.succeeded() && outcome.requireFailure().kind() == FailureKind.IN_USE);
        put(volume, row.withGrowth(Transitions.afterExpansion(row.growth(), target, outcome)));
    }

    private void told(ActualVolume volume, Outcome outcome) {
        if (outcome.succeeded() && outcome.value() instanceof PersistentVolumeClaim stored) {
            ownWrite.accept(stored);
            if (ResizeStatus.of(stored) == ResizeStatus.NODE_IN_PROGRESS) {
                put(volume, volume.row().withGrowth(volume.row().growth().askedAgain()));
            }
        }
    }

    private void unmounted(VolumeId id, String podUid, Outcome outcome) {
        MountRow row = mountRow(id, podUid);
        keep(row, Transitions.afterUnmount(row.state(), outcome));
        noteMount(id, podUid);
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

    private void noteMount(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        journal.note(mount == null ? RowCodec.mountGone(id, podUid) : RowCodec.mount(mount));
    }

    /** Without a device mount the first pod's mount decides what is known of the volume. */
    private void volumeMounted(VolumeId id, String podUid) {
        ActualVolume volume = known(id);
        VolumeRow row = sized(volume.row());
        ResolvedPod pod = desired.pod(podUid);
        if (row.device() == MountState.NOT_MOUNTED && pod != null && labelled(id)) {
            row = row.withLabel(SeLinuxLabel.of(pod.pod()));
        }
        if (!row.equals(volume.row())) {
            put(volume, row);
        }
    }

    private VolumeRow sized(VolumeRow row) {
        DesiredVolume wanted = desired.volume(row.id());
        return expansions.sized(row, wanted == null ? null : wanted.volume());
    }

    /** The context with which a device is mounted now: that which it may have, or that of the pod whose turn it is. */
    private String label(VolumeRow row) {
        DesiredVolume volume = desired.volume(row.id());
        if (volume == null || !labelled(row.id())) {
            return "";
        }
        return row.device() != MountState.NOT_MOUNTED && row.label() != null
                ? row.label()
                : volume.uses().keySet().stream()
                        .min(Comparator.naturalOrder())
                        .map(uid -> SeLinuxLabel.of(pod(uid)))
                        .orElse("");
    }

    /** Whether contexts keep pods apart that want the volume; otherwise nothing of them is remembered. */
    private boolean labelled(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        return volume != null
                && volume.volume()
                        .plugin()
                        .mountsWithSeLinuxLabel(volume.volume().spec());
    }

    /** One of the pods that have it, null if none has. */
    private static @Nullable MountRow aMount(ActualVolume volume) {
        return volume.mounts().values().stream()
                .filter(mount -> mount.state() == MountState.MOUNTED)
                .findFirst()
                .orElse(null);
    }

    private ResolvedVolume wanted(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        if (volume == null) {
            throw new IllegalStateException("nobody wants " + id);
        }
        return volume.volume();
    }

    private ResolvedVolume wanted(VolumeId id, String podUid) {
        return use(id, podUid).volume();
    }

    private Use use(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        Use use = volume == null ? null : volume.uses().get(podUid);
        if (use == null) {
            throw new IllegalStateException("pod " + podUid + " does not want " + id);
        }
        return use;
    }

    /** What is known of the volume; the first step taken for it begins that. */
    private ActualVolume known(VolumeId id) {
        ActualVolume present = actual.volume(id);
        if (present != null) {
            return present;
        }
        DesiredVolume volume = desired.volume(id);
        return actual.require(
                id,
                () -> volume == null
                        ? VolumeRow.unknown(id, id.name(), false)
                        : VolumeRow.unknown(
                                id,
                                volume.volume().spec().name(),
                                volume.volume().block()));
    }

    private Pod pod(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod == null) {
            throw new IllegalStateException("no pod " + podUid);
        }
        return pod.pod();
    }

    /** The row as it is, or a new one for a pod that has nothing of the volume yet. */
    private MountRow mountRow(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow row = volume == null ? null : volume.mount(podUid);
        if (row != null) {
            return row;
        }
        Use use = use(id, podUid);
        Pod pod = pod(podUid);
        return new MountRow(
                id,
                podUid,
                pod.metadata().namespace(),
                pod.metadata().name(),
                use.outerName(),
                use.volume().block(),
                MountState.NOT_MOUNTED,
                false,
                use.volume().readOnly(),
                PluginState.none());
    }

    private @Nullable Long fsGroup(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        if (volume == null) {
            return null;
        }
        return volume.uses().keySet().stream()
                .findFirst()
                .map(this::pod)
                .map(pod -> pod.spec().securityContext().fsGroup())
                .orElse(null);
    }

    /** Whether the pod wants nothing here any more, so that its directories go as they become empty. */
    private boolean leaving(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        return pod == null || pod.volumes().isEmpty();
    }
}
