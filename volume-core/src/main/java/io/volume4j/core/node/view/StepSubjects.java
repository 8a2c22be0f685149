package io.volume4j.core.node.view;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.plugin.PluginState;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The data for a step from both states of world: the desired and the actual volume, the pod, and the row of its mount.
 * Changes nothing, except that {@link #known} creates a missing row. Loop thread only.
 */
public record StepSubjects(DesiredStateOfWorld desired, ActualStateOfWorld actual) {
    /** Whether SELinux contexts separate the pods of the volume. If not, the node stores no context. */
    public boolean labelled(VolumeId id) {
        ResolvedVolume volume = ifWanted(id);
        return volume != null && desired.labelled(volume);
    }

    /** The context for a device mount now: the present one, or that of the pod whose turn it is. */
    public String label(VolumeRow row) {
        DesiredVolume volume = desired.volume(row.id());
        if (volume == null || !labelled(row.id())) {
            return "";
        }
        return row.device() != MountState.NOT_MOUNTED && row.label() != null
                ? row.label()
                : volume.uses().stream()
                        .filter(use -> !use.block() && actual.inTheWayOf(use) == null)
                        .min(Comparator.comparing(ResolvedVolume::podUid))
                        .map(desired::label)
                        .orElse("");
    }

    /** A pod's finished mount of the volume, null for none. */
    public static @Nullable MountRow aMount(ActualVolume volume) {
        return volume.mounts().stream()
                .filter(mount -> mount.state() == MountState.MOUNTED)
                .findFirst()
                .orElse(null);
    }

    public ResolvedVolume wanted(VolumeId id) {
        ResolvedVolume volume = ifWanted(id);
        if (volume == null) {
            throw new IllegalStateException("no pod wants " + id);
        }
        return volume;
    }

    /** The same, null if no pod wants the volume. */
    @Nullable
    public ResolvedVolume ifWanted(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        return volume == null ? null : VolumeModeConflicts.chosen(volume, actual.volume(id));
    }

    public ResolvedVolume wanted(VolumeId id, String podUid) {
        return use(id, podUid);
    }

    private ResolvedVolume use(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        ResolvedVolume use = volume == null ? null : volume.use(podUid);
        if (use == null) {
            throw new IllegalStateException("pod " + podUid + " does not want " + id);
        }
        return use;
    }

    /** The actual state of the volume. Created for the first step of a volume. */
    public ActualVolume known(VolumeId id) {
        ActualVolume present = actual.volume(id);
        if (present != null) {
            return present;
        }
        DesiredVolume volume = desired.volume(id);
        if (volume == null) {
            return actual.require(id, () -> VolumeRow.unknown(id, id.name(), false));
        }
        ResolvedVolume wanted = VolumeModeConflicts.chosen(volume, null);
        ActualVolume begun =
                actual.require(id, () -> VolumeRow.unknown(id, wanted.spec().name(), wanted.block()));
        begun.migrated(wanted.spec().migrated());
        return begun;
    }

    public Pod pod(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod == null) {
            throw new IllegalStateException("no pod " + podUid);
        }
        return pod.pod();
    }

    /** The pod's row, or a new one for a pod without a mount of the volume. */
    public MountRow mountRow(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow row = volume == null ? null : volume.mount(podUid);
        if (row != null) {
            return row;
        }
        ResolvedVolume use = use(id, podUid);
        Pod pod = pod(podUid);
        return new MountRow(
                id,
                podUid,
                pod.metadata().namespace(),
                pod.metadata().name(),
                use.outerName(),
                use.block(),
                MountState.NOT_MOUNTED,
                false,
                use.readOnly(),
                PluginState.none());
    }

    @Nullable
    public Long fsGroup(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        if (volume == null) {
            return null;
        }
        return volume.uses().stream()
                .findFirst()
                .map(use -> pod(use.podUid()))
                .map(pod -> pod.spec().securityContext().fsGroup())
                .orElse(null);
    }

    /** Whether the pod wants no volumes here, so that the node removes its empty directories. */
    public boolean leaving(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        return pod == null || pod.volumes().isEmpty();
    }
}
