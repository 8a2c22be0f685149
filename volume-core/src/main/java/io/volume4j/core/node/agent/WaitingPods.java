package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.report.NodeEvents;
import io.volume4j.core.node.report.NodeQueries;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Writes an event for each pod that waits for its volumes, although no step fails: its claim is missing or not bound, or the node
 * refuses one of its volumes. Looks in rounds, and writes the event at a pod's second, fourth, eighth … round. Loop thread only.
 *
 * <p>A kubelet writes this event each two minutes. See {@code WaitForAttachAndMount} in Kubernetes.
 */
final class WaitingPods {
    private final EventLoop loop;
    private final Duration interval;
    private final DesiredStateOfWorld desired;
    private final NodeQueries queries;
    private final PodReasons reasons;
    private final NodeEvents events;

    /** How many rounds each waiting pod has waited, by UID. */
    private final Map<String, Integer> rounds = new HashMap<>();

    private boolean closed;

    /** @param interval from one round to the next; zero for no rounds */
    WaitingPods(
            EventLoop loop,
            Duration interval,
            DesiredStateOfWorld desired,
            NodeQueries queries,
            PodReasons reasons,
            NodeEvents events) {
        this.loop = loop;
        this.interval = interval;
        this.desired = desired;
        this.queries = queries;
        this.reasons = reasons;
        this.events = events;
    }

    void begin() {
        if (!interval.isZero()) {
            loop.schedule(interval, this::round);
        }
    }

    void close() {
        closed = true;
    }

    private void round() {
        if (closed) {
            return;
        }
        // First, so that a failure of this round ends no later one.
        loop.schedule(interval, this::round);
        Set<String> waiting = new HashSet<>();
        for (ResolvedPod pod : desired.pods()) {
            if (waits(pod)) {
                waiting.add(pod.uid());
                int waited = rounds.merge(pod.uid(), 1, Integer::sum);
                if (waited > 1 && Integer.bitCount(waited) == 1) {
                    events.timedOut(pod.pod(), reasons.missing(pod.uid()));
                }
            }
        }
        rounds.keySet().retainAll(waiting);
    }

    private boolean waits(ResolvedPod pod) {
        return !pod.pod().metadata().deleting() && !pod.pod().terminated() && !queries.whole(pod);
    }
}
