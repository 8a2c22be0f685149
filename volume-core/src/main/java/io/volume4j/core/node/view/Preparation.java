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
 * Computes what a mounted volume still needs before its pod may use it: the group, the IDs, then the subPaths of
 * single containers. Queries nothing outside but the pods' runtime, for IDs. An agent that mounts nothing itself
 * prepares nothing.
 */
public final class Preparation {
    private final DesiredStateOfWorld desired;
    private final NodeLayout layout;
    private final boolean mounts;
    private final boolean recursiveReadOnly;
    private final @Nullable PodRuntime runtime;

    /**
     * Creates the preparation of a node.
     *
     * @param mounts whether this agent mounts volumes itself
     * @param recursiveReadOnly whether this machine supports recursive read-only mounts
     * @param runtime knows the IDs of pods with their own user namespace; null if the host provides none
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

    /** The state after a mount call. For a pod that is unknown at the moment, all steps are still to come. */
    public MountState afterMount(MountRow row) {
        if (!mounts || row.block()) {
            return MountState.MOUNTED;
        }
        boolean known = desired.pod(row.podUid()) != null && volume(row) != null;
        return !known || ownership(row) != null ? MountState.FS_GROUP_PENDING : afterOwnership(row);
    }

    /** The state after the pod's group owns the files. */
    public MountState afterOwnership(MountRow row) {
        boolean known = desired.pod(row.podUid()) != null;
        return !known || ids(row) != null ? MountState.IDS_PENDING : afterIds(row);
    }

    /** The IDs that the pod must see, null for no mapping. */
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

    /** The state after the pod sees the right IDs. */
    public MountState afterIds(MountRow row) {
        boolean known = desired.pod(row.podUid()) != null;
        return !known || !parts(row).isEmpty() ? MountState.SUBPATHS_PENDING : MountState.MOUNTED;
    }

    /** The ownership that the pod requests for the volume's files, null for none. */
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
                volume.plugin().mounter(volume.spec()).orElse(null),
                row.state() == MountState.FS_GROUP_PENDING);
    }

    /** The subPaths of the pod's containers, without ephemeral containers. */
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
     * The subPaths of the pod's ephemeral containers. A user adds such a container to a running pod. The node binds
     * them then, and no other container waits for them.
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
