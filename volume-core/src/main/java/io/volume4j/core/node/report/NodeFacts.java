package io.volume4j.core.node.report;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.SeLinuxConflicts;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.view.Expansions;
import io.volume4j.core.node.view.VolumeModeConflicts;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import java.util.function.Function;

/** What events and measurements say of both worlds. Changes nothing. Loop thread only. */
public record NodeFacts(DesiredStateOfWorld desired, ActualStateOfWorld actual, Function<Pod, String> explanation)
        implements NodeEvents.Facts {
    @Override
    public boolean mounted(VolumeId id, String podUid) {
        ActualVolume volume = actual.volume(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        return mount != null && mount.state() == MountState.MOUNTED;
    }

    @Override
    public boolean raw(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        return wanted != null
                ? VolumeModeConflicts.chosen(wanted, present).block()
                : present != null && present.row().block();
    }

    /** Whether the volume is, or was when it was wanted last, described as before there were CSI drivers. */
    boolean migrated(VolumeId id) {
        ActualVolume present = actual.volume(id);
        if (present != null) {
            return present.migrated();
        }
        DesiredVolume wanted = desired.volume(id);
        return wanted != null && wanted.volume().spec().migrated();
    }

    @Override
    public long missed(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        return wanted == null || present == null
                ? 0
                : Expansions.missed(wanted, present.row().growth());
    }

    @Override
    public String explain(Pod pod) {
        return explanation.apply(pod);
    }

    /** Whether the pod wants the volume with another SELinux context than another pod. */
    public boolean differs(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        return volume != null && volume.uses().size() > 1 && new SeLinuxConflicts(desired).differ(volume, podUid);
    }
}
