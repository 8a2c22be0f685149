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
 * What a step is about, from both worlds: the volume as it is wanted and as it is, the pod, and the row of its mount. Changes
 * nothing but that a volume that is asked for has a row from then on. Loop thread only.
 */
public record StepSubjects(DesiredStateOfWorld desired, ActualStateOfWorld actual) {
    /** Whether contexts keep pods apart that want the volume; otherwise nothing of them is remembered. */
    public boolean labelled(VolumeId id) {
        ResolvedVolume volume = ifWanted(id);
        return volume != null && desired.labelled(volume);
    }

    /** The context with which a device is mounted now: that which it may have, or that of the pod whose turn it is. */
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

    /** One of the pods that have it, null if none has. */
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

    /** The same, null if no pod wants it. */
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

    /** What is known of the volume; the first step taken for it begins that. */
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

    /** The row as it is, or a new one for a pod that has nothing of the volume yet. */
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

    /** Whether the pod wants nothing here any more, so that its directories go as they become empty. */
    public boolean leaving(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        return pod == null || pod.volumes().isEmpty();
    }
}
