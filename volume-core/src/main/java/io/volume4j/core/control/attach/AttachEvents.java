package io.volume4j.core.control.attach;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies changes of objects to {@link AttachIndex}, from the moment when all of them are listed. */
final class AttachEvents implements ObjectListener {
    static final List<Kind> KINDS =
            List.of(Kind.NODE, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.VOLUME_ATTACHMENT, Kind.POD);

    private final ObjectCache cache;
    private final NodeObjects nodes;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final CallResults work;
    private final Runnable listed;
    private final Runnable completeAgain;
    private boolean started;

    /**
     * @param listed called once, when all objects are known for the first time and applied
     * @param completeAgain called when a kind that was incomplete is complete again
     */
    AttachEvents(
            ObjectCache cache,
            NodeObjects nodes,
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            CallResults work,
            Runnable listed,
            Runnable completeAgain) {
        this.cache = cache;
        this.nodes = nodes;
        this.desired = desired;
        this.actual = actual;
        this.work = work;
        this.listed = listed;
        this.completeAgain = completeAgain;
    }

    @Override
    public void changed(ObjectChange change) {
        if (!started) {
            return;
        }
        ApiObject before = change.before();
        ApiObject after = change.after();
        switch (change.key().kind()) {
            case NODE -> nodes.nodeChanged(change.key().name(), as(Node.class, after));
            case POD -> desired.podChanged(change.key(), as(Pod.class, before), as(Pod.class, after));
            case PERSISTENT_VOLUME_CLAIM -> desired.claimChanged(change.key());
            case PERSISTENT_VOLUME ->
                volumeChanged(change.key(), as(PersistentVolume.class, before), as(PersistentVolume.class, after));
            case CSI_DRIVER -> desired.resolveAgain();
            case VOLUME_ATTACHMENT ->
                recordChanged(change.key(), as(VolumeAttachment.class, before), as(VolumeAttachment.class, after));
            default -> {
                // has no effect on attachments
            }
        }
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        if (kind == Kind.CSI_DRIVER) {
            // Only volumes that need a missing CSIDriver object wait for this kind.
            if (complete && started) {
                desired.driversComplete();
            }
            return;
        }
        if (!complete || !KINDS.stream().allMatch(cache::complete)) {
            return;
        }
        if (started) {
            completeAgain.run();
        } else {
            fill();
            started = true;
            listed.run();
        }
    }

    /**
     * Applies all objects of the cache. Pods come before records so that their strings are kept, not equal copies in the records.
     */
    private void fill() {
        cache.forEach(Kind.NODE, (key, node) -> nodes.fill((Node) node));
        cache.forEach(Kind.PERSISTENT_VOLUME, (key, volume) -> actual.volumeListed(key, (PersistentVolume) volume));
        cache.forEach(Kind.POD, (key, pod) -> desired.podChanged(key, null, (Pod) pod));
        cache.forEach(
                Kind.VOLUME_ATTACHMENT, (key, record) -> actual.recordChanged(key, null, (VolumeAttachment) record));
        nodes.filled();
    }

    private void recordChanged(ObjectKey key, @Nullable VolumeAttachment before, @Nullable VolumeAttachment after) {
        if (before != null
                && (after == null
                        || !after.metadata().uid().equals(before.metadata().uid()))) {
            work.forget(before.metadata().uid());
        }
        actual.recordChanged(key, before, after);
    }

    private void volumeChanged(ObjectKey key, @Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        PersistentVolume latest = after == null ? before : after;
        if (latest != null) {
            desired.volumeChanged(before, latest);
        }
        actual.volumeChanged(key, before, after);
    }

    boolean started() {
        return started;
    }

    private static <T extends ApiObject> @Nullable T as(Class<T> type, @Nullable ApiObject object) {
        return type.isInstance(object) ? type.cast(object) : null;
    }
}
