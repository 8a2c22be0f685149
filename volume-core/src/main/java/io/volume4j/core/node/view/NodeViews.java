package io.volume4j.core.node.view;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.VolumeView.Wish;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.attach.Grants;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.PodResolver;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assembles the planner's view of a volume from the desired and the actual state. Loop thread only. */
public final class NodeViews {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final DesiredStateOfWorldPopulator pods;
    private final Grants grants;
    private final Expansions expansions;
    private final @Nullable PodRuntime runtime;

    /** @param runtime null to use the status in the pod's object */
    public NodeViews(
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            DesiredStateOfWorldPopulator pods,
            Grants grants,
            Expansions expansions,
            @Nullable PodRuntime runtime) {
        this.desired = desired;
        this.actual = actual;
        this.pods = pods;
        this.grants = grants;
        this.expansions = expansions;
        this.runtime = runtime;
    }

    /** The present view of the volume, null if no pod wants it and it is not here. */
    @Nullable
    public VolumeView of(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        if (wanted == null && present == null) {
            return null;
        }
        VolumeRow row = present == null ? VolumeRow.unknown(id, id.name(), false) : present.row();
        ResolvedVolume volume = wanted == null ? null : VolumeModeConflicts.chosen(wanted, present);
        return new VolumeView(
                id,
                volume == null ? row.specName() : volume.spec().name(),
                attachable(id, row, volume),
                volume != null && volume.hasDeviceStep(),
                grants.of(id, row),
                wanted != null && onePodOnly(wanted),
                doubt(id),
                row.attach(),
                row.device(),
                volume != null && desired.labelled(volume),
                row.label(),
                wanted == null ? VolumeView.Expansion.none() : expansions.of(wanted, present),
                uses(wanted, present));
    }

    /**
     * Whether the volume is attachable. A node that fences itself counts also what the control plane may have attached:
     * unidentified mounts, and volumes whose driver needed an attachment when they were attached.
     */
    private boolean attachable(VolumeId id, VolumeRow row, @Nullable ResolvedVolume volume) {
        boolean attached = row.attach() != AttachState.DETACHED;
        if (grants.fenced() && (attached || UnidentifiedMount.is(id))) {
            return true;
        }
        return volume == null ? attached : volume.attachable();
    }

    /**
     * While the node fences itself, only the runtime decides: the pod's object shows what a user wants, not what runs.
     */
    private boolean fencedUse(String podUid) {
        return runtime != null && runtime.mayStillUse(podUid);
    }

    /** If several PersistentVolumes have the same storage, the strictest access mode counts. */
    private static boolean onePodOnly(DesiredVolume wanted) {
        for (ResolvedVolume use : wanted.uses()) {
            if (PodResolver.onePodOnly(use.spec())) {
                return true;
            }
        }
        return false;
    }

    /** Why the node keeps the volume although no pod wants it. */
    private String doubt(VolumeId id) {
        if (!pods.complete()) {
            return "kept until all pods of the node are known";
        }
        if (UnidentifiedMount.is(id)
                && !id.privateToPod()
                && desired.wantsDevice(id.plugin(), NodeLayout.deviceName(id))) {
            return "kept because a pod wants the volume that belongs there";
        }
        return "";
    }

    private List<PodUse> uses(@Nullable DesiredVolume wanted, @Nullable ActualVolume present) {
        List<PodUse> uses = new ArrayList<>(2);
        if (present != null) {
            for (MountRow mount : present.mounts()) {
                ResolvedVolume wish = wanted == null ? null : wanted.use(mount.podUid());
                uses.add(use(mount.podUid(), wish, wanted, present));
            }
        }
        if (wanted != null) {
            for (ResolvedVolume wish : wanted.uses()) {
                if (present == null || present.mount(wish.podUid()) == null) {
                    uses.add(use(wish.podUid(), wish, wanted, present));
                }
            }
        }
        return uses;
    }

    private PodUse use(
            String uid, @Nullable ResolvedVolume wish, @Nullable DesiredVolume wanted, @Nullable ActualVolume present) {
        MountRow mount = present == null ? null : present.mount(uid);
        MountState state = mount == null ? MountState.NOT_MOUNTED : mount.state();
        boolean remount = present != null && present.remountWanted(uid);
        boolean parts = present != null && present.partsWanted(uid);
        if (wish != null) {
            return new PodUse(
                    uid,
                    podName(uid, mount),
                    Wish.DESIRED,
                    obstacle(wish, wanted, present, state),
                    !grants.fenced() || fencedUse(uid),
                    state,
                    remount,
                    parts,
                    desired.label(wish));
        }
        String doubt = mount == null ? "" : doubt(mount);
        return new PodUse(
                uid,
                podName(uid, mount),
                doubt.isEmpty() ? Wish.UNDESIRED : Wish.UNKNOWN,
                doubt,
                grants.fenced() ? fencedUse(uid) : mayStillUse(uid),
                state,
                remount,
                parts,
                "");
    }

    /** Why the node cannot mount the volume at its path for the pod. */
    private String obstacle(
            ResolvedVolume wish, @Nullable DesiredVolume wanted, @Nullable ActualVolume present, MountState state) {
        VolumeId other = state.certain() ? null : actual.inTheWayOf(wish);
        return other == null
                ? VolumeModeConflicts.obstacle(wish, wanted, present)
                : "volume " + other + " is still mounted in its place";
    }

    /** Why it is uncertain whether the pod still wants the mount. */
    private String doubt(MountRow mount) {
        Problem problem = desired.problem(mount.podUid(), mount.outerName());
        if (problem != null) {
            return problem.text();
        }
        ResolvedPod pod = desired.pod(mount.podUid());
        if (UnidentifiedMount.is(mount.id()) && pod != null && pod.volumes().containsKey(mount.outerName())) {
            return "the pod wants a volume at the same path";
        }
        if (!pods.complete() && pods.pod(mount.podUid()) == null) {
            return "the pods of this node are not completely known";
        }
        return "";
    }

    private boolean mayStillUse(String podUid) {
        if (runtime != null) {
            return runtime.mayStillUse(podUid);
        }
        Pod pod = pods.pod(podUid);
        return pod != null && !pod.terminated();
    }

    private String podName(String uid, @Nullable MountRow mount) {
        ResolvedPod pod = desired.pod(uid);
        return pod != null ? pod.name() : mount != null ? mount.pod() : uid;
    }
}
