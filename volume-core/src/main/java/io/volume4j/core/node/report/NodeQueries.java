package io.volume4j.core.node.report;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.desired.SeLinuxConflicts;
import io.volume4j.core.node.desired.SizeLimit;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.Forecast;
import io.volume4j.core.node.view.VolumeModeConflicts;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers queries from the two states of world. Changes nothing. Loop thread only. */
public final class NodeQueries {
    private final String nodeName;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final NodeLayout layout;
    private final PodMounts podMounts;

    public NodeQueries(
            String nodeName,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            NodeLayout layout,
            PodMounts podMounts) {
        this.nodeName = nodeName;
        this.desired = desired;
        this.actual = actual;
        this.layout = layout;
        this.podMounts = podMounts;
    }

    /**
     * The pod with those of its volumes that are certainly mounted. A pod that is unknown, for example after a start
     * without a connection to the cluster, has no containers and no limits.
     */
    public MountedPod mounted(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        Map<String, MountedVolume> volumes = new LinkedHashMap<>();
        if (pod == null) {
            actual.ofPod(podUid).stream()
                    .filter(id -> !UnidentifiedMount.is(id))
                    .sorted()
                    .forEach(id -> asRemembered(id, podUid, volumes));
            return new MountedPod(podUid, volumes, Map.of(), List.of());
        }
        pod.inOrder().forEach(volume -> {
            MountedVolume there = mounted(pod, volume);
            if (there != null) {
                volumes.put(volume.outerName(), there);
            }
        });
        return podMounts.of(pod, volumes, unbound(pod));
    }

    /** Why subPaths of ephemeral containers are not bound yet, by the pod's volume names. */
    public Map<String, String> unbound(ResolvedPod pod) {
        Map<String, String> unbound = new LinkedHashMap<>();
        if (!pod.pod().spec().ephemeralContainers().isEmpty()) {
            pod.volumes().forEach((outerName, volume) -> {
                ActualVolume present = actual.volume(volume.id());
                String failure = present == null ? null : present.partsFailure(pod.uid());
                if (failure != null) {
                    unbound.put(outerName, failure.isEmpty() ? "not bound yet" : failure);
                }
            });
        }
        return unbound;
    }

    private void asRemembered(VolumeId id, String podUid, Map<String, MountedVolume> volumes) {
        ActualVolume present = actual.volume(id);
        MountRow row = present == null ? null : present.mount(podUid);
        if (present != null && row != null && row.state() == MountState.MOUNTED) {
            volumes.put(
                    row.outerName(),
                    new MountedVolume(
                            id, present.row().specName(), layout.seenByPod(row).absolute(), row.readOnly(), 0));
        }
    }

    /** The pod's volume if it is certainly mounted, otherwise null. */
    @Nullable
    public MountedVolume mounted(ResolvedPod pod, ResolvedVolume volume) {
        ActualVolume present = actual.volume(volume.id());
        MountRow row = present == null ? null : present.mount(pod.uid());
        if (row == null || row.state() != MountState.MOUNTED) {
            return null;
        }
        return new MountedVolume(
                volume.id(),
                volume.spec().name(),
                layout.seenByPod(row).absolute(),
                row.readOnly() || volume.readOnly(),
                SizeLimit.of(pod.pod(), volume.spec().source()),
                volume.byRuntime(),
                volume.plugin().imageRef(row.data()));
    }

    /** Whether all volumes of the pod are certainly mounted. */
    public boolean whole(ResolvedPod pod) {
        return pod.problems().isEmpty()
                && pod.volumes().values().stream().allMatch(volume -> mounted(pod, volume) != null);
    }

    /** Whether the pod can use the volume. */
    public boolean mounted(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        return mount != null && mount.state() == MountState.MOUNTED;
    }

    /** Whether the pod wants the volume. */
    public boolean wants(String podUid, VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        return volume != null && volume.use(podUid) != null;
    }

    /** Whether pods get the volume as a raw device. */
    boolean raw(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        return wanted != null
                ? VolumeModeConflicts.chosen(wanted, present).block()
                : present != null && present.row().block();
    }

    /** Whether the volume is, or was in its last use, an in-tree volume that is migrated to CSI. */
    boolean migrated(VolumeId id) {
        ActualVolume present = actual.volume(id);
        if (present != null) {
            return present.migrated();
        }
        DesiredVolume wanted = desired.volume(id);
        return wanted != null && wanted.volume().spec().migrated();
    }

    /**
     * The target size of a volume that is not expanded here because all its pods use it read-only; 0 in other cases.
     */
    long missed(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        return wanted == null || present == null ? 0 : Expansions.missed(wanted, present);
    }

    /** Whether the pod wants the volume with another SELinux context than another pod. */
    public boolean differs(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        return volume != null && volume.uses().size() > 1 && new SeLinuxConflicts(desired).differ(volume, podUid);
    }

    /** Whether the volume certainly is attached to this node. */
    public boolean attached(VolumeId id) {
        ActualVolume volume = actual.volume(id);
        return volume != null && volume.row().attach() == AttachState.ATTACHED;
    }

    /**
     * What the pod's volumes lack, by the pod's volume names:
     * {@code unmounted volumes=[a b], unattached volumes=[a], failed to process volumes=[c]}.
     */
    public String missing(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        SortedSet<String> unmounted = new TreeSet<>();
        SortedSet<String> unattached = new TreeSet<>();
        SortedSet<String> unprocessed = new TreeSet<>();
        if (pod != null) {
            unprocessed.addAll(pod.problems().keySet());
            pod.volumes().forEach((outerName, volume) -> {
                if (mounted(pod, volume) == null) {
                    unmounted.add(outerName);
                    if (volume.attachable() && !attached(volume.id())) {
                        unattached.add(outerName);
                    }
                }
            });
        }
        return "unmounted volumes=" + unmounted + ", unattached volumes=" + unattached + ", failed to process volumes="
                + unprocessed;
    }

    /** The plans of all volumes with steps or waits, in the order of their ids. */
    public List<VolumePlan> plans(Function<VolumeId, @Nullable VolumeView> views, Forecast forecast) {
        List<VolumePlan> plans = new ArrayList<>();
        for (VolumeId id : known()) {
            VolumeView view = views.apply(id);
            if (view != null) {
                VolumePlan plan = forecast.of(view);
                if (!plan.steps().isEmpty() || !plan.waits().isEmpty()) {
                    plans.add(plan);
                }
            }
        }
        return plans;
    }

    public NodeSnapshot snapshot(boolean synced) {
        List<NodeSnapshot.Desired> wanted = new ArrayList<>();
        List<NodeSnapshot.Actual> there = new ArrayList<>();
        for (VolumeId id : known()) {
            DesiredVolume volume = desired.volume(id);
            if (volume != null) {
                wanted.add(desired(id, volume));
            }
            ActualVolume present = actual.volume(id);
            if (present != null) {
                there.add(actual(present));
            }
        }
        List<String> problems = new ArrayList<>();
        for (ResolvedPod pod : desired.pods()) {
            pod.problems()
                    .forEach((name, problem) ->
                            problems.add("pod " + pod.name() + ": volume " + name + ": " + problem.text()));
        }
        return new NodeSnapshot(nodeName, synced, wanted, there, problems);
    }

    /** The volume in both states of world, with the reason for a difference. */
    public VolumeReading reading(VolumeId id, Explanation explanation) {
        DesiredVolume volume = desired.volume(id);
        ActualVolume present = actual.volume(id);
        return new VolumeReading(
                id, volume == null ? null : desired(id, volume), present == null ? null : actual(present), explanation);
    }

    private NodeSnapshot.Desired desired(VolumeId id, DesiredVolume volume) {
        Map<String, String> pods = new LinkedHashMap<>();
        for (ResolvedVolume use : volume.uses()) {
            ResolvedPod pod = desired.pod(use.podUid());
            pods.put(use.podUid(), pod == null ? "" : pod.name());
        }
        return new NodeSnapshot.Desired(
                id, volume.volume().spec().name(), volume.volume().readOnly(), pods);
    }

    private NodeSnapshot.Actual actual(ActualVolume volume) {
        VolumeRow row = volume.row();
        List<NodeSnapshot.Mount> mounts = new ArrayList<>();
        for (MountRow mount : volume.mounts()) {
            mounts.add(new NodeSnapshot.Mount(
                    mount.podUid(),
                    mount.pod(),
                    mount.outerName(),
                    mount.state().name(),
                    mount.readOnly(),
                    layout.podMount(mount).toString()));
        }
        return new NodeSnapshot.Actual(
                row.id(),
                row.specName(),
                row.attach().name(),
                row.devicePath(),
                row.device().name(),
                mounts);
    }

    private SortedSet<VolumeId> known() {
        SortedSet<VolumeId> ids = new TreeSet<>(desired.volumeIds());
        ids.addAll(actual.ids());
        return ids;
    }
}
