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
 * Tells a host's scheduler where a pod's volumes allow it to run, and gets the pod its volumes there. For each pod, in this
 * order: {@link #filter}, {@link #score}, {@link #reserve}, {@link #preBind}, and then the host gives the pod its node;
 * {@link #unreserve} where something came between. Pods may be decided at the same time: what one was promised, an available
 * volume, a share of a pool, a place among the volumes that a node can have, is not promised to another.
 *
 * <p>It has no thread of its own. It knows the cluster by what it is told: by a controller of the same process ({@link
 * PersistentVolumeControllerBuilder#volumeBinder}) or by the host ({@link #accept}). Claims are bound by a {@link
 * PersistentVolumeController}, here or elsewhere; this only writes which volume is reserved, or which node was chosen.
 *
 * <p>Thread-safe. A decision is a pure function of the objects that are known and of what was promised, taken under one lock
 * that is never held while the cluster is called or a future is completed.
 *
 * <p>What it promised is lost with the process, but not what {@link #preBind} wrote: a reserved volume stays its claim's,
 * and a chosen node stays chosen, until the claim is bound, or its provisioner gives the node back.
 *
 * @since 0.1.0
 */
public final class VolumeBinder {
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

    /** A caller that waits for a reservation to come true. */
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

    /** Begins a binder; see the builder for what it needs. */
    public static VolumeBinderBuilder builder() {
        return new VolumeBinderBuilder();
    }

    // What it knows.

    /**
     * Takes a change over: of pods, nodes, claims, volumes, classes, attachments, drivers, their nodes and their capacities,
     * snapshots and their contents; other kinds, and other types of events, say nothing to it. Changes of one object must come in their order; an older
     * state than the one that it wrote itself is ignored.
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
                // nothing about an object
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
            }
        });
    }

    /** While not all objects of a kind are known, no node fits any pod. */
    void complete(Kind kind, boolean complete) {
        locked(() -> complete ? incomplete.remove(kind) : incomplete.add(kind));
    }

    // Decisions.

    /**
     * To which of the nodes the pod can go, as far as its volumes are concerned, and why not to the others. What it has been
     * promised already, or has, is not in its way: at that node it adds nothing.
     *
     * @param nodes names, each once counts
     */
    public NodeFit filter(Pod pod, Collection<String> nodes) {
        return locked(() -> incomplete.isEmpty() ? filter.fit(pod, nodes) : notSynced(nodes));
    }

    /**
     * How well the nodes suit the pod by the storage that it would take there, 0 to 100 and the more the better, in the order
     * of the names. Nodes to which it cannot go are left out.
     */
    public Map<String, Integer> score(Pod pod, Collection<String> nodes) {
        return locked(() -> incomplete.isEmpty() ? scorer.scores(pod, nodes) : Map.of());
    }

    /**
     * Promises the pod what its volumes need at the node, so that no other pod is promised the same. Again for the same pod and
     * node gives the same, until it is given back or the pod is known to have a node: a promise stands although the node can
     * have fewer volumes since.
     *
     * @throws VolumeException transient, if the node does not do (any more), or the pod was promised another node; the
     *     message says why
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
     * Writes the reservation to the cluster, and completes when the pod's claims are all bound. The writes are done on the
     * builder's workers; it completes on whatever thread brought the last news. It has no timeout of its own: {@link
     * CompletableFuture#orTimeout} and cancelling end the waiting and nothing else.
     *
     * <p>Fails with a {@link VolumeException}: <em>transient</em>, if the reservation cannot come true, because another claim
     * was faster, no volume could be made there, or the pod, a claim or the node is gone; or if the cluster did not do a
     * write. Then {@link #unreserve} and decide again, after a growing while: what led to this decision may not have been
     * corrected yet. What was written is not taken back: it is still right for the claim.
     *
     * <p>A node can go in the moment in which this completes. The scheduler deals with that as for any pod.
     */
    public CompletableFuture<Void> preBind(VolumeReservation reservation) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    write(reservation);
                    await(reservation, future);
                } catch (RuntimeException | Error failure) {
                    future.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error noThread) {
            future.completeExceptionally(NoThread.because(
                    "cannot reserve the volumes of pod " + reservation.pod().name(), noThread));
        }
        return future;
    }

    /** Gives back what was promised. Again, or after the pod got its node, is nothing. */
    public void unreserve(VolumeReservation reservation) {
        locked(() -> {
            world.unhold(reservation.podUid(), reservation.pod());
            return true;
        });
    }

    private void write(VolumeReservation reservation) {
        List<ObjectWrite> writes = locked(() -> {
            reserving.broken(reservation, false).ifPresent(why -> fail(reservation, why));
            return reserving.writes(reservation);
        });
        for (ObjectWrite write : writes) {
            try {
                ApiObject stored = writer.patch(write.key(), write.against(write.revision()));
                change(write.key(), () -> {
                    // One that was deleted meanwhile stays deleted.
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
            return state(waiter).isPresent();
        });
        if (decided) {
            end(waiter);
        }
        var unused = future.whenComplete((nothing, failure) -> locked(() -> forget(waiter)));
    }

    /** How the waiting ends: with {@code ""} if all is bound, or with why it cannot be; empty if it goes on. */
    private Optional<String> state(Waiter waiter) {
        VolumeReservation reservation = waiter.reservation();
        Optional<String> broken = reserving.broken(reservation, true);
        if (broken.isPresent()) {
            return broken;
        }
        return reserving.fulfilled(reservation) ? Optional.of("") : Optional.empty();
    }

    private void end(Waiter waiter) {
        String how = locked(() -> state(waiter).orElse("its pod is gone"));
        if (how.isEmpty()) {
            waiter.future().complete(null);
        } else {
            waiter.future().completeExceptionally(failure(waiter.reservation(), how));
        }
    }

    /** Makes a change, and completes the futures of those for whom it decides something, without the lock. */
    private void change(ObjectKey key, Runnable task) {
        List<Waiter> decided = locked(() -> {
            task.run();
            List<Waiter> ended = new ArrayList<>();
            for (Waiter waiter : concerned(key)) {
                boolean ofPod = key.equals(waiter.reservation().pod());
                if ((ofPod && podGone(waiter.reservation())) || state(waiter).isPresent()) {
                    ended.add(waiter);
                }
            }
            return ended;
        });
        decided.forEach(this::end);
    }

    /** A volume's change may concern any caller that waits; there are few. */
    private Set<Waiter> concerned(ObjectKey key) {
        if (key.kind() != Kind.PERSISTENT_VOLUME) {
            return waiters.getOrDefault(key, Set.of());
        }
        Set<Waiter> all = new LinkedHashSet<>();
        waiters.values().forEach(all::addAll);
        return all;
    }

    private boolean podGone(VolumeReservation reservation) {
        return world.get(reservation.pod())
                .filter(pod -> pod.metadata().uid().equals(reservation.podUid())
                        && !pod.metadata().deleting())
                .isEmpty();
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
                ? "it was promised another node"
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
        return VolumeException.transientFailure("the volumes of pod "
                        + reservation.pod().name() + " cannot be had on node " + reservation.node() + ": " + why)
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
