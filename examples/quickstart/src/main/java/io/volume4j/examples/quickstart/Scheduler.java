package io.volume4j.examples.quickstart;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Assigns each pod to the only node. If a claim of the pod waits for its first consumer, the library's binder first writes the
 * node to the claim, and the pod gets the node when its volumes are bound. A scheduler of several nodes does the same, and calls
 * {@link VolumeBinder#filter} and {@link VolumeBinder#score} before.
 */
final class Scheduler implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final SavedCluster cluster;
    private final VolumeBinder binder;
    private final String node;
    /** Its thread starts early: a later start could fail for lack of threads, and a waiting pod would never be tried again. */
    private final ScheduledThreadPoolExecutor timer;

    private volatile boolean closed;

    Scheduler(SavedCluster cluster, VolumeBinder binder, String node) {
        this.cluster = cluster;
        this.binder = binder;
        this.node = node;
        timer = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, "quickstart-scheduler");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        timer.prestartCoreThread();
    }

    /** Returns at once. Tries again until the pod has its node or is gone. */
    void schedule(Pod pod) {
        if (waitsForConsumer(pod)) {
            attempt(pod.key());
        } else {
            place(pod);
        }
    }

    private boolean waitsForConsumer(Pod pod) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> bringsClaim(volume)
                        || claim(pod, volume).filter(this::waitsForConsumer).isPresent());
    }

    private Optional<PersistentVolumeClaim> claim(Pod pod, PodVolume volume) {
        String name = claimName(pod, volume);
        return name.isEmpty()
                ? Optional.empty()
                : cluster.get(ObjectKey.claim(pod.metadata().namespace(), name)).map(PersistentVolumeClaim.class::cast);
    }

    /** The name of the volume's claim, also for a generic ephemeral volume; {@code ""} if the volume has no claim. */
    static String claimName(Pod pod, PodVolume volume) {
        if (bringsClaim(volume)) {
            return pod.metadata().name() + "-" + volume.name();
        }
        return volume.source() instanceof ClaimSource source ? source.claimName() : "";
    }

    /** Whether the volume is a generic ephemeral volume, whose claim the controller creates for the pod. */
    private static boolean bringsClaim(PodVolume volume) {
        return volume.source() instanceof OtherSource source && source.type().equals("ephemeral");
    }

    /** Whether the claim stays without a volume until a pod that uses it has a node. */
    boolean waitsForConsumer(PersistentVolumeClaim claim) {
        return claim.status().phase() != ClaimPhase.BOUND
                && cluster.all(Kind.STORAGE_CLASS, StorageClass.class).stream()
                        .filter(known -> claim.classUnset()
                                ? known.isDefault()
                                : known.metadata().name().equals(claim.className()))
                        .anyMatch(known -> known.volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    }

    private void attempt(ObjectKey key) {
        Pod pod = cluster.get(key).map(Pod.class::cast).orElse(null);
        if (closed || pod == null || !pod.spec().nodeName().isEmpty()) {
            return;
        }
        VolumeReservation reservation;
        try {
            reservation = binder.reserve(pod, node);
        } catch (VolumeException notNow) {
            later(key);
            return;
        }
        // Elsewhere than on the controller's event loop, because the write waits for the disk.
        var unused = binder.preBind(reservation)
                .whenCompleteAsync(
                        (bound, failure) -> {
                            if (failure == null) {
                                placeOrTryAgain(pod);
                            } else {
                                binder.unreserve(reservation);
                                later(key);
                            }
                        },
                        timer);
    }

    private void later(ObjectKey key) {
        var unused = timer.schedule(() -> attempt(key), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void placeOrTryAgain(Pod pod) {
        try {
            place(pod);
        } catch (VolumeException notWritten) {
            // For instance the disk is full.
            later(pod.key());
        }
    }

    private void place(Pod pod) {
        try {
            cluster.patch(
                    pod.key(),
                    new Patch(
                            Preconditions.of(pod.metadata()),
                            false,
                            List.of(Patch.FieldChange.set(node, "spec", "nodeName"))));
        } catch (ClusterException changed) {
            // The pod changed or was deleted meanwhile; the next attempt finds out.
            later(pod.key());
        }
    }

    /** Cancels all waiting attempts. Idempotent. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
    }
}
