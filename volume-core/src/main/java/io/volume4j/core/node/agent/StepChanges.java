package io.volume4j.core.node.agent;

import io.volume4j.core.node.attach.AttachmentExchange;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Passes on what steps changed, to the waiting callers and to the parts that follow it. Loop thread only. */
final class StepChanges implements StepOutcomes.Hearers {
    private final ObjectCache objects;
    private final DesiredStateOfWorld desired;
    private final DirtyVolumes dirty;
    private final RemountScheduler contents;
    private final AttachmentExchange handshake;
    private final Waiters waiters;

    StepChanges(
            ObjectCache objects,
            DesiredStateOfWorld desired,
            DirtyVolumes dirty,
            RemountScheduler contents,
            AttachmentExchange handshake,
            Waiters waiters) {
        this.objects = objects;
        this.desired = desired;
        this.dirty = dirty;
        this.contents = contents;
        this.handshake = handshake;
        this.waiters = waiters;
    }

    @Override
    public void wrote(ApiObject stored) {
        objects.applyOwnWrite(stored);
    }

    @Override
    public void setUp(VolumeId id, String podUid, @Nullable Instant until) {
        DesiredVolume wanted = desired.volume(id);
        ResolvedVolume use = wanted == null ? null : wanted.use(podUid);
        if (use != null && use.republishes()) {
            contents.republish(id, podUid, until);
        } else if (until != null) {
            contents.refreshAt(id, podUid, until);
        }
    }

    @Override
    public void podProgress(String podUid) {
        waiters.check(podUid);
    }

    @Override
    public void placeFree(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod != null) {
            pod.volumes().values().forEach(volume -> dirty.add(volume.id()));
        }
    }

    @Override
    public void forgotten() {
        waiters.checkEmpty();
        handshake.useChanged();
    }
}
