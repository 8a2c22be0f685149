package io.volume4j.core.node.agent;

import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.attach.AttachmentExchange;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import org.jspecify.annotations.Nullable;

/** Marks the volumes of pods that changed, and tells the callers that wait for those pods. Loop thread only. */
final class PodChanges implements DesiredStateOfWorldPopulator.Changes {
    private final String nodeName;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final DirtyVolumes dirty;
    private final RemountScheduler contents;
    private final AttachmentExchange handshake;
    private final Waiters waiters;

    PodChanges(
            String nodeName,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            DirtyVolumes dirty,
            RemountScheduler contents,
            AttachmentExchange handshake,
            Waiters waiters) {
        this.nodeName = nodeName;
        this.desired = desired;
        this.actual = actual;
        this.dirty = dirty;
        this.contents = contents;
        this.handshake = handshake;
        this.waiters = waiters;
    }

    @Override
    public void volume(VolumeId id) {
        dirty.add(id);
        handshake.useChanged();
        VolumeId unidentified = actual.unidentifiedDevice(id);
        if (unidentified != null) {
            dirty.add(unidentified);
        }
        remember(id);
    }

    /** Keeps how a volume that is here is described, for the time when no pod describes it any more. */
    private void remember(VolumeId id) {
        DesiredVolume wanted = desired.volume(id);
        ActualVolume present = actual.volume(id);
        if (wanted != null && present != null) {
            present.migrated(wanted.volume().spec().migrated());
        }
    }

    @Override
    public void pod(String podUid, @Nullable Pod now) {
        dirty.addOfPod(podUid);
        contents.resolved(podUid);
        waiters.changed(podUid);
        // Checked first: a failure costs time to make, and mostly no caller waits.
        if (desired.pod(podUid) == null && waiters.waitsForMounts(podUid)) {
            waiters.fail(podUid, DesiredStateOfWorldPopulator.hasEnded(nodeName, podUid, now));
        }
    }

    @Override
    public void name(String podUid, String outerName) {
        actual.mountedAs(podUid, outerName).forEach(dirty::add);
        contents.resolved(podUid);
        waiters.changed(podUid, outerName);
    }

    @Override
    public void content(String podUid) {
        contents.changed(podUid);
    }

    @Override
    public void completeness(boolean complete) {
        dirty.addPresent();
        waiters.checkPodsKnown(complete);
        handshake.useChanged();
    }
}
