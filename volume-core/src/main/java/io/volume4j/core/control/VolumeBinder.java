package io.volume4j.core.control;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.schedule.NodeFilter;
import io.volume4j.core.control.schedule.NodeScorer;
import io.volume4j.core.control.schedule.Reserving;
import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.engine.NoThread;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says to a host's scheduler on which nodes a pod can run because of its volumes, and binds the pod's claims for the
 * chosen node. For each pod the scheduler calls, in this order: {@link #filter}, {@link #score}, {@link #reserve},
 * {@link #preBind}. Then it assigns the node to the pod. If a step fails, it calls {@link #unreserve}. The scheduler
 * may handle several pods at the same time. The binder never reserves the same thing for two pods: an available
 * volume, a part of a pool's capacity, or one of the volumes that a node can have.
 *
 * <p>The binder has no threads. It learns the cluster's objects from a controller of the same process
 * ({@link PersistentVolumeControllerBuilder#volumeBinder}) or from the host ({@link #accept}). The binder only writes
 * the reserved volume or the selected node. A {@link PersistentVolumeController}, in this process or another, binds
 * the claims.
 *
 * <p>Thread-safe. A decision is a pure function of the known objects and the reservations. One lock protects both.
 * The binder never holds the lock during a call to the cluster or while it completes a future.
 *
 * <p>Reservations end with the process. What {@link #preBind} wrote stays: the volume stays reserved for its claim,
 * and the node stays selected, until the claim is bound or its provisioner rejects the node.
 *
 * @since 0.1.0
 */
public final class VolumeBinder {
    private static final String POD_GONE = "its pod is gone";

    private final ReentrantLock lock = new ReentrantLock();
    private final ClusterSource source;
    private final ClusterWriter writer;
    private final Executor workers;
    private final SchedulingWorld world;
    private final NodeFilter filter;
    private final NodeScorer scorer;
    private final Reserving reserving;
    private final Set<Kind> incomplete = EnumSet.noneOf(Kind.class);
    private final Map<ObjectKey, Set<Waiter>> waiters = new LinkedHashMap<>();

    /** A caller that waits until a reservation is fulfilled. */
    private static final class Waiter {
        private final VolumeReservation reservation;
        private final CompletableFuture<Void> future;

        Waiter(VolumeReservation reservation, CompletableFuture<Void> future) {
            this.reservation = reservation;
            this.future = future;
        }

        VolumeReservation reservation() {
            return reservation;
        }

        CompletableFuture<Void> future() {
            return future;
        }
    }

    VolumeBinder(
            ClusterSource source,
            ClusterWriter writer,
            Executor workers,
            SchedulingWorld world,
            NodeFilter filter,
            NodeScorer scorer) {
        this.source = source;
        this.writer = writer;
        this.workers = workers;
        this.world = world;
        this.filter = filter;
        this.scorer = scorer;
        this.reserving = new Reserving(world, filter);
    }

    /** A builder for a binder. */
    public static VolumeBinderBuilder builder() {
        return new VolumeBinderBuilder();
    }

    // Objects.

    /**
     * Reports a change of an object to the binder. The binder uses pods, nodes, claims, volumes, classes,
     * attachments, CSIDrivers, CSINodes, CSIStorageCapacities, snapshots and their contents. It ignores other kinds
     * and other types of events. The host must report the changes of one object in their order. The binder ignores a
     * state that is older than its own write.
     */
    public void accept(WatchEvent event) {
        @Nullable ApiObject object = event.object();
        if (object == null) {
            return;
        }
        switch (event.type()) {
            case CHANGED -> changed(object);
            case DELETED -> deleted(object);
            default -> {
                // reports no object
            }
        }
    }

    void changed(ApiObject object) {
        change(object.key(), () -> {
            @Nullable ApiObject known = world.get(object.key()).orElse(null);
            if (known == null || !sameUid(known, object) || newer(object, known)) {
                world.put(object);
            }
        });
    }

    void deleted(ApiObject last) {
        change(last.key(), () -> {
            if (world.get(last.key()).filter(known -> sameUid(known, last)).isPresent()) {
                world.remove(last.key());
            } else if (last.kind() == Kind.POD) {
                // It may have a reservation although no event named it before.
                world.unhold(last.metadata().uid(), last.key());
            }
        });
    }

    /** While some objects of a kind are not known, no node fits any pod. */
    void complete(Kind kind, boolean complete) {
        locked(() -> complete ? incomplete.remove(kind) : incomplete.add(kind));
    }

    // Decisions.

    /**
     * The nodes where the pod can run because of its volumes, and the reasons against the other nodes. Volumes that
     * the pod already has, or that are reserved for it, add nothing to its demand on that node.
     * @param nodes names of nodes; duplicates are ignored
     */
    public NodeFit filter(Pod pod, Collection<String> nodes) {
        return locked(() -> incomplete.isEmpty() ? filter.fit(pod, nodes) : notSynced(nodes));
    }

    /**
     * Scores the nodes by the storage that the pod would use there, from 0 (worst) to 100 (best), in the order of the
     * names. Nodes where the pod cannot run are missing.
     */
    public Map<String, Integer> score(Pod pod, Collection<String> nodes) {
        return locked(() -> incomplete.isEmpty() ? scorer.scores(pod, nodes) : Map.of());
    }

    /**
     * Reserves for the pod what its volumes need on the node, so that no other pod gets it. A repeated call for the
     * same pod and node returns the same reservation, until the scheduler releases it or the pod has a node. A
     * reservation stays valid even if the node's limit of volumes decreases later.
     * @throws VolumeException transient, if the pod cannot run on the node (any more), or if it has a reservation for
     *     another node; the message says why
     */
    public VolumeReservation reserve(Pod pod, String node) {
        return locked(() -> {
            Optional<VolumeReservation> reserved =
                    incomplete.isEmpty() ? reserving.reserve(pod, node) : Optional.empty();
            return reserved.orElseThrow(() -> VolumeException.transientFailure(
                    "pod " + name(pod) + " cannot be given node " + node + ": " + why(pod, node)));
        });
    }

    /**
     * Writes the reservation to the cluster, and completes when all claims of the pod are bound. It writes on the
     * builder's workers. The future completes on the thread that reports the last change. That may be the event loop
     * of a controller, which a dependent stage must not block: use {@link CompletableFuture#whenCompleteAsync} with an
     * executor for calls to a server or a disk. The future has no timeout: {@link CompletableFuture#orTimeout} and
     * cancelling end only the waiting.
     *
     * <p>Fails with a {@link VolumeException}: <em>transient</em>, if the reservation cannot be fulfilled. Reasons
     * are: another claim was faster, the provisioner could not create a volume there, the pod, a claim or the node
     * was deleted, or the cluster refused a write. The scheduler then calls {@link #unreserve} and decides again,
     * with an increasing delay, because the cause may still exist. The binder does not revert its writes: they are
     * still correct for the claim.
     *
     * <p>The node may be deleted at the moment when the future completes. The scheduler handles this as for any pod.
     */
    public CompletableFuture<Void> preBind(VolumeReservation reservation) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    write(reservation);
                    await(reservation, future);
                } catch (Throwable failure) {
                    future.completeExceptionally(failure);
                }
            });
        } catch (Throwable noThread) {
            future.completeExceptionally(NoThread.because(
                    "cannot reserve the volumes of pod " + reservation.pod().name(), noThread));
        }
        return future;
    }

    /**
     * Releases a reservation. Idempotent. Does nothing after the pod has its node, or if the pod has a later reservation
     * for another node or other volumes.
     */
    public void unreserve(VolumeReservation reservation) {
        locked(() -> {
            reserving.release(reservation);
            return true;
        });
    }

    private void write(VolumeReservation reservation) {
        List<ObjectWrite> writes = locked(() -> {
            if (reserving.podGone(reservation)) {
                fail(reservation, POD_GONE);
            }
            reserving.broken(reservation, false).ifPresent(why -> fail(reservation, why));
            return reserving.writes(reservation);
        });
        for (ObjectWrite write : writes) {
            try {
                ApiObject stored = writer.patch(write.key(), write.against(write.revision()));
                change(write.key(), () -> {
                    // An object that was deleted meanwhile stays deleted.
                    if (world.get(write.key())
                            .filter(known -> sameUid(known, stored) && newer(stored, known))
                            .isPresent()) {
                        world.put(stored);
                    }
                });
            } catch (ClusterException failure) {
                throw VolumeException.transientFailure("cannot reserve the volumes of pod "
                                + reservation.pod().name() + " on node " + reservation.node() + ": " + write.key()
                                + ": " + failure.getMessage())
                        .withCause(failure);
            }
        }
    }

    private void await(VolumeReservation reservation, CompletableFuture<Void> future) {
        Waiter waiter = new Waiter(reservation, future);
        boolean decided = locked(() -> {
            for (ObjectKey key : Reserving.concerned(reservation)) {
                waiters.computeIfAbsent(key, each -> new LinkedHashSet<>()).add(waiter);
            }
            // The pod may have been deleted before the waiting began. No later event would say so.
            return reserving.podGone(reservation) || state(waiter).isPresent();
        });
        if (decided) {
            end(waiter);
        }
        var unused = future.whenComplete((nothing, failure) -> locked(() -> forget(waiter)));
    }

    /** The end of the waiting: {@code ""} if all claims are bound, or why they cannot be; empty while the waiting continues. */
    private Optional<String> state(Waiter waiter) {
        VolumeReservation reservation = waiter.reservation();
        Optional<String> broken = reserving.broken(reservation, true);
        if (broken.isPresent()) {
            return broken;
        }
        return reserving.fulfilled(reservation) ? Optional.of("") : Optional.empty();
    }

    private void end(Waiter waiter) {
        String how = locked(() -> state(waiter).orElse(POD_GONE));
        if (how.isEmpty()) {
            waiter.future().complete(null);
        } else {
            waiter.future().completeExceptionally(failure(waiter.reservation(), how));
        }
    }

    /** Makes a change, and then, without the lock, completes the futures whose outcome it determines. */
    private void change(ObjectKey key, Runnable task) {
        List<Waiter> decided = locked(() -> {
            task.run();
            List<Waiter> ended = new ArrayList<>();
            for (Waiter waiter : concerned(key)) {
                boolean ofPod = key.equals(waiter.reservation().pod());
                if ((ofPod && reserving.podGone(waiter.reservation()))
                        || state(waiter).isPresent()) {
                    ended.add(waiter);
                }
            }
            return ended;
        });
        decided.forEach(this::end);
    }

    /** The change of a volume may affect any waiting caller; there are few. */
    private Set<Waiter> concerned(ObjectKey key) {
        if (key.kind() != Kind.PERSISTENT_VOLUME) {
            return waiters.getOrDefault(key, Set.of());
        }
        Set<Waiter> all = new LinkedHashSet<>();
        waiters.values().forEach(all::addAll);
        return all;
    }

    private boolean forget(Waiter waiter) {
        for (ObjectKey key : Reserving.concerned(waiter.reservation())) {
            waiters.computeIfPresent(key, (each, all) -> {
                all.remove(waiter);
                return all.isEmpty() ? null : all;
            });
        }
        return true;
    }

    private String why(Pod pod, String node) {
        if (!incomplete.isEmpty()) {
            return VolumeRefusal.Reason.NOT_SYNCED.summary();
        }
        List<VolumeRefusal> refusals = filter.fit(pod, List.of(node)).refusals(node);
        return refusals.isEmpty()
                ? "it has a reservation for another node"
                : String.join(
                        "; ", refusals.stream().map(VolumeRefusal::message).toList());
    }

    private static NodeFit notSynced(Collection<String> nodes) {
        List<String> names = new ArrayList<>(new LinkedHashSet<>(nodes));
        BitSet all = new BitSet();
        all.set(0, names.size());
        VolumeRefusal.Reason reason = VolumeRefusal.Reason.NOT_SYNCED;
        return new NodeFit(names, List.of(new NodeFit.Refused(new VolumeRefusal(reason, reason.summary()), all)));
    }

    private static void fail(VolumeReservation reservation, String why) {
        throw failure(reservation, why);
    }

    private static VolumeException failure(VolumeReservation reservation, String why) {
        return VolumeException.transientFailure("pod " + reservation.pod().name() + " cannot have its volumes on node "
                        + reservation.node() + ": " + why)
                .withAdvice("unreserve and choose a node again");
    }

    private boolean newer(ApiObject left, ApiObject right) {
        return source.compareRevisions(
                        left.metadata().resourceVersion(), right.metadata().resourceVersion())
                > 0;
    }

    private static boolean sameUid(ApiObject left, ApiObject right) {
        return left.metadata().uid().equals(right.metadata().uid());
    }

    private static String name(Pod pod) {
        return pod.metadata().namespace() + "/" + pod.metadata().name();
    }

    private <T> T locked(Supplier<T> task) {
        lock.lock();
        try {
            return task.get();
        } finally {
            lock.unlock();
        }
    }
}
