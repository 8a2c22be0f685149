package io.volume4j.examples.agent.schedule;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns each pod without a node to one where its volumes can be. If a claim waits for its first consumer, the binder first writes the
 * node to the claim. The pod gets the node when its volumes are bound. A pod with a node in its manifest needs no scheduler, but its
 * claims may wait for their first consumer too. The binder writes that node to them.
 *
 * <p>While no node is possible, the scheduler tries again when a node begins to accept pods, and after 0.25 seconds, doubling to 15. From
 * the second attempt on an event has the reason. Only the leader assigns pods. One thread makes all decisions; others read pods and
 * nodes. Thread-safe.
 */
public final class PodScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodScheduler.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private static final Duration LONGEST_BINDING = Duration.ofMinutes(10);

    private final ClusterWriter writer;
    private final VolumeBinder binder;
    private final LeaderEpoch leader;
    private final EventSink events;
    private final Duration longestBinding;
    private final ScheduledThreadPoolExecutor executor;
    private final ThreadPoolExecutor podReader;
    private final ThreadPoolExecutor nodeReader;
    private final Followed<Pod> pods;
    private final Followed<Node> nodes;
    private final Map<ObjectKey, Waiting> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> podsOfNode = new HashMap<>();

    /** The nodes that accept new pods. */
    private final Set<String> openNodes = new TreeSet<>();

    private final Runnable leads = this::lookSoon;

    /** A pod without a node, or one whose claims are not known to be bound for its node. */
    private static final class Waiting {
        final String uid;
        Duration pause = FIRST_PAUSE;
        boolean underWay;
        String told = "";

        /** The next attempt; null before the first failed one. */
        @Nullable
        Future<?> next;

        Waiting(String uid) {
            this.uid = uid;
        }
    }

    /**
     * Does nothing before {@link #start}.
     *
     * @param binder a controller of this process updates it
     */
    public <C extends ClusterSource & ClusterWriter> PodScheduler(
            C cluster, VolumeBinder binder, LeaderEpoch leader, EventSink events) {
        this(cluster, binder, leader, events, LONGEST_BINDING);
    }

    /** @param longestBinding how long a pod waits at a node for its volumes before the scheduler chooses a node anew */
    <C extends ClusterSource & ClusterWriter> PodScheduler(
            C cluster, VolumeBinder binder, LeaderEpoch leader, EventSink events, Duration longestBinding) {
        this.longestBinding = longestBinding;
        this.writer = cluster;
        this.binder = binder;
        this.leader = leader;
        this.events = events;
        executor = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, "pod-scheduler");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // started now, because the machine may run out of threads later, and a waiting pod would be lost
        executor.prestartCoreThread();
        podReader = reader("pod-scheduler-pods");
        nodeReader = reader("pod-scheduler-nodes");
        pods = new Followed<>(cluster, Kind.POD, Pod.class, executor, podReader, this::podChanged);
        nodes = new Followed<>(cluster, Kind.NODE, Node.class, executor, nodeReader, this::nodeChanged);
    }

    /** A thread for the calls of one kind to the cluster, which may block. Started now, as above. */
    private static ThreadPoolExecutor reader(String name) {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        made.prestartCoreThread();
        return made;
    }

    /** Starts; returns at once. Must be called once. */
    public void start() {
        if (!leader.addListener(leads)) {
            var unused = executor.scheduleWithFixedDelay(this::lookAtAll, 1, 1, TimeUnit.SECONDS);
        }
        executor.execute(nodes::list);
        executor.execute(pods::list);
    }

    private void podChanged(@Nullable Pod before, @Nullable Pod after) {
        count(before, -1);
        count(after, 1);
        ObjectKey key = Objects.requireNonNull(after != null ? after : before).key();
        if (after == null || after.metadata().deleting() || after.terminated()) {
            waiting.remove(key);
            return;
        }
        Waiting known = waiting.get(key);
        if (known != null ? known.uid.equals(after.metadata().uid()) : !begins(before, after)) {
            return;
        }
        Waiting added = new Waiting(after.metadata().uid());
        waiting.put(key, added);
        look(key, added);
    }

    /** Whether it is another pod than before, or has another node. */
    private static boolean begins(@Nullable Pod before, Pod after) {
        return before == null
                || !before.metadata().uid().equals(after.metadata().uid())
                || !before.spec().nodeName().equals(after.spec().nodeName());
    }

    private void count(@Nullable Pod pod, int change) {
        if (pod != null && !pod.spec().nodeName().isEmpty() && !pod.terminated()) {
            podsOfNode.merge(pod.spec().nodeName(), change, (had, more) -> had + more == 0 ? null : had + more);
        }
    }

    private void nodeChanged(@Nullable Node before, @Nullable Node after) {
        if (after != null && NodeChoice.isOpen(after)) {
            if (openNodes.add(after.metadata().name())) {
                lookAtAll();
            }
        } else {
            openNodes.remove(Objects.requireNonNull(after != null ? after : before)
                    .metadata()
                    .name());
        }
    }

    private void lookSoon() {
        executor.execute(this::lookAtAll);
    }

    private void lookAtAll() {
        Map.copyOf(waiting).forEach(this::look);
    }

    private void look(ObjectKey key, Waiting state) {
        orAgain(key, state, () -> decide(key, state));
    }

    private void decide(ObjectKey key, Waiting state) {
        Pod pod = pods.get(key).orElse(null);
        if (pod == null || waiting.get(key) != state || state.underWay) {
            return;
        }
        String named = pod.spec().nodeName();
        if (!named.isEmpty() && !hasClaims(pod)) {
            waiting.remove(key);
            return;
        }
        if (!leads()) {
            return;
        }
        if (!nodes.complete()) {
            later(key, state);
            return;
        }
        Optional<String> node = named.isEmpty() ? choose(pod, state) : Optional.of(named);
        if (node.isPresent()) {
            reserve(pod, node.get(), state);
        } else {
            later(key, state);
        }
    }

    private boolean leads() {
        return leader.remaining().compareTo(Duration.ZERO) > 0;
    }

    private static boolean hasClaims(Pod pod) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> volume.source() instanceof ClaimSource
                        || (volume.source() instanceof OtherSource other
                                && other.type().equals("ephemeral")));
    }

    private Optional<String> choose(Pod pod, Waiting state) {
        NodeFit fit = binder.filter(pod, openNodes);
        Optional<String> chosen = NodeChoice.of(fit.fitting(), binder.score(pod, fit.fitting()), podsOfNode);
        if (chosen.isEmpty()) {
            tell(pod, state, openNodes.isEmpty() ? "no node is ready and takes new pods" : fit.text());
        }
        return chosen;
    }

    private void reserve(Pod pod, String node, Waiting state) {
        VolumeReservation reservation;
        try {
            reservation = binder.reserve(pod, node);
        } catch (VolumeException notNow) {
            tell(pod, state, Objects.requireNonNullElse(notNow.getMessage(), "its volumes cannot be there"));
            later(pod.key(), state);
            return;
        }
        state.underWay = true;
        CompletableFuture<Void> bound = binder.preBind(reservation);
        // Not orTimeout: that may need another thread, and the machine may have none.
        var limit = executor.schedule(
                () -> bound.completeExceptionally(new TimeoutException()),
                longestBinding.toMillis(),
                TimeUnit.MILLISECONDS);
        var unused = bound.whenComplete((done, failure) -> {
            limit.cancel(false);
            executor.execute(() -> {
                state.underWay = false;
                orAgain(pod.key(), state, () -> reserved(pod, reservation, state, failure));
            });
        });
    }

    /** What the task throws ends no pod's scheduling, such as an Error of the writer. */
    private void orAgain(ObjectKey pod, Waiting state, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            LOG.atError()
                    .setCause(bug)
                    .addKeyValue("pod", pod)
                    .log("a pod could not be scheduled, which is tried again");
            state.underWay = false;
            later(pod, state);
        }
    }

    private void reserved(Pod pod, VolumeReservation reservation, Waiting state, @Nullable Throwable failure) {
        boolean named = !pod.spec().nodeName().isEmpty();
        try {
            if (failure != null) {
                String why = failure instanceof TimeoutException
                        ? "its claims were not bound within " + longestBinding.toSeconds() + " s on node "
                                + reservation.node()
                        : failure.getMessage();
                report(pod, state, Objects.requireNonNullElse(why, failure.toString()));
            } else if (named || place(pod, reservation, state)) {
                waiting.remove(pod.key(), state);
                return;
            }
        } finally {
            if (failure != null || named) {
                binder.unreserve(reservation);
            }
        }
        later(pod.key(), state);
    }

    /** Checks the current pod: another program may have assigned it. */
    private boolean place(Pod pod, VolumeReservation reservation, Waiting state) {
        String node = reservation.node();
        try {
            Pod latest = pods.get(pod.key()).orElse(pod);
            if (!latest.spec().nodeName().isEmpty()) {
                return true;
            }
            writer.patch(
                    pod.key(),
                    new Patch(
                            new Preconditions(
                                    pod.metadata().uid(), latest.metadata().resourceVersion()),
                            false,
                            List.of(Patch.FieldChange.set(node, "spec", "nodeName"))));
            LOG.atInfo()
                    .addKeyValue("action", "schedule")
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("node", node)
                    .log("the pod has its node");
            return true;
        } catch (ClusterException failed) {
            if (failed.reason() == ClusterException.Reason.NOT_FOUND) {
                // The binder may have heard of the deletion before it made the reservation.
                binder.unreserve(reservation);
            }
            LOG.atDebug()
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("node", node)
                    .log("the pod's node cannot be written, which is tried again: {}", failed.getMessage());
            if (failed.reason() == ClusterException.Reason.FORBIDDEN
                    || failed.reason() == ClusterException.Reason.INVALID) {
                report(
                        pod,
                        state,
                        "node " + node
                                + " fits, but the server refuses to store the pod's node. Kubernetes' API server needs"
                                + " a scheduler of its own, such as kube-scheduler: " + failed.getMessage());
            }
            return false;
        }
    }

    /** Why the pod can go to no node. At the first look the binder may not know yet what was made together with the pod. */
    private void tell(Pod pod, Waiting state, String why) {
        boolean first = state.next == null;
        if (!first) {
            report(pod, state, why);
        }
    }

    /** Not for a pod whose manifest names its node: that pod is not scheduled. */
    private void report(Pod pod, Waiting state, String why) {
        if (!why.equals(state.told) && pod.spec().nodeName().isEmpty()) {
            state.told = why;
            events.event(new Event(Event.Type.WARNING, "FailedScheduling", reference(pod), why));
        }
    }

    private static ObjectReference reference(Pod pod) {
        return ObjectReference.builder()
                .apiVersion(Kind.POD.apiVersion())
                .kind(Kind.POD.apiName())
                .namespace(pod.metadata().namespace())
                .name(pod.metadata().name())
                .uid(pod.metadata().uid())
                .build();
    }

    private void later(ObjectKey key, Waiting state) {
        if (state.next != null) {
            // an attempt was scheduled, and a change of the nodes came before it
            state.next.cancel(false);
        }
        state.next = executor.schedule(() -> look(key, state), state.pause.toMillis(), TimeUnit.MILLISECONDS);
        Duration longer = state.pause.multipliedBy(2);
        state.pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }

    /** Makes no more decisions. All that was written stays valid, and the next process continues from there. Idempotent. */
    @Override
    public void close() {
        leader.removeListener(leads);
        pods.close();
        nodes.close();
        podReader.shutdown();
        nodeReader.shutdown();
        executor.shutdown();
    }
}
