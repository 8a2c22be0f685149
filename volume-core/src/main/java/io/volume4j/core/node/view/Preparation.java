package io.volume4j.core.node.view;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.EphemeralContainers;
import io.volume4j.core.node.desired.MountSettings;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.ownership.Ownership;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.mount.IdMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a mounted volume still needs before its pod may see it: its group, its IDs, then the parts that single containers see. Asks no outside but the pods' runtime, for IDs;
 * on an agent that mounts nothing itself, nothing.
 */
public final class Preparation {
    private final DesiredStateOfWorld desired;
    private final NodeLayout layout;
    private final boolean mounts;
    private final boolean recursiveReadOnly;
    private final @Nullable PodRuntime runtime;

    /**
     * A preparation.
     *
     * @param mounts whether this agent mounts anything itself
     * @param recursiveReadOnly whether this machine can make mounts read-only with all that is below
     * @param runtime knows the IDs of pods with a user namespace of their own; null if the host gave none
     */
    public Preparation(
            DesiredStateOfWorld desired,
            NodeLayout layout,
            boolean mounts,
            boolean recursiveReadOnly,
            @Nullable PodRuntime runtime) {
        this.runtime = runtime;
        this.desired = desired;
        this.layout = layout;
        this.mounts = mounts;
        this.recursiveReadOnly = recursiveReadOnly;
    }

    /** The state of a mount that was made just now. For a pod that is not known just now, everything is still to be done. */
    public MountState afterMount(MountRow row) {
        if (!mounts || row.block()) {
            return MountState.MOUNTED;
        }
        boolean known = desired.pod(row.podUid()) != null && volume(row) != null;
        return !known || ownership(row) != null ? MountState.FS_GROUP_PENDING : afterOwnership(row);
    }

    /** The state of a mount whose files are the pod's group's. */
    public MountState afterOwnership(MountRow row) {
        boolean known = desired.pod(row.podUid()) != null;
        return !known || ids(row) != null ? MountState.IDS_PENDING : afterIds(row);
    }

    /** The IDs with which the pod is to see the volume, null as they are. */
    @Nullable
    public IdMapping ids(MountRow row) {
        ResolvedPod pod = desired.pod(row.podUid());
        return !mounts
                        || row.block()
                        || runtime == null
                        || pod == null
                        || pod.pod().spec().hostUsers()
                        || byRuntime(row)
                ? null
                : runtime.idMapping(row.podUid()).orElse(null);
    }

    /** The state of a mount that its pod sees with the right IDs. */
    public MountState afterIds(MountRow row) {
        boolean known = desired.pod(row.podUid()) != null;
        return !known || !parts(row).isEmpty() ? MountState.SUBPATHS_PENDING : MountState.MOUNTED;
    }

    /** What the pod asks for of the volume's files, null for nothing. */
    @Nullable
    public Ownership ownership(MountRow row) {
        ResolvedPod pod = desired.pod(row.podUid());
        ResolvedVolume volume = volume(row);
        if (pod == null || volume == null) {
            return null;
        }
        return Ownership.wanted(
                pod.pod(),
                volume.spec(),
                row.readOnly(),
                volume.plugin().mounter(volume.spec()).orElse(null));
    }

    /** The parts of the volume that the pod's containers see. Those of ephemeral containers come later. */
    public List<SubPath> parts(MountRow row) {
        ResolvedPod pod = desired.pod(row.podUid());
        if (pod == null) {
            return List.of();
        }
        List<Container> containers = new ArrayList<>(pod.pod().spec().initContainers());
        containers.addAll(pod.pod().spec().containers());
        return parts(row, pod, containers);
    }

    /**
     * The parts that the pod's ephemeral containers see. Such a container comes to a pod that runs: they are bound then, and no other
     * container waits for them.
     */
    public List<SubPath> laterParts(MountRow row) {
        ResolvedPod pod = desired.pod(row.podUid());
        if (!mounts
                || row.block()
                || pod == null
                || pod.pod().spec().ephemeralContainers().isEmpty()) {
            return List.of();
        }
        EphemeralContainers rules = new EphemeralContainers(pod.pod(), recursiveReadOnly);
        List<Container> able = pod.pod().spec().ephemeralContainers().stream()
                .filter(container -> rules.problem(container).isEmpty())
                .toList();
        return parts(row, pod, able);
    }

    private List<SubPath> parts(MountRow row, ResolvedPod pod, List<Container> containers) {
        List<SubPath> parts = new ArrayList<>();
        IdMapping ids = ids(row);
        Map<String, ResolvedVolume> volumes = pod.volumes();
        for (Container container : containers) {
            forEachPart(container, index -> {
                VolumeMount mount = container.volumeMounts().get(index);
                ResolvedVolume volume = volumes.get(mount.name());
                if (volume != null && volume.id().equals(row.id()) && !volume.byRuntime()) {
                    MountSettings settings =
                            MountSettings.of(mount, row.readOnly() || volume.readOnly(), recursiveReadOnly);
                    parts.add(new SubPath(
                            SubPath.inside(mount.subPath()),
                            layout.subPath(row.podUid(), row.outerName(), container.name(), index),
                            settings.bindOptions().withIds(ids)));
                }
            });
        }
        return parts;
    }

    private static void forEachPart(Container container, IntConsumer action) {
        for (int i = 0; i < container.volumeMounts().size(); i++) {
            if (!SubPath.isWhole(container.volumeMounts().get(i).subPath())) {
                action.accept(i);
            }
        }
    }

    private boolean byRuntime(MountRow row) {
        ResolvedVolume volume = volume(row);
        return volume != null && volume.byRuntime();
    }

    private @Nullable ResolvedVolume volume(MountRow row) {
        DesiredVolume volume = desired.volume(row.id());
        return volume == null ? null : volume.use(row.podUid());
    }
}
