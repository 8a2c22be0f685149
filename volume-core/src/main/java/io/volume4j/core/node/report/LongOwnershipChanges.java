package io.volume4j.core.node.report;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.NodeStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes an event for a pod that waits long until its group owns a volume's files, as the kubelet does: first after
 * half a minute, then every minute. Loop thread only.
 */
final class LongOwnershipChanges {
    private static final Duration FIRST = Duration.ofSeconds(30);
    private static final Duration NEXT = Duration.ofSeconds(60);

    private final EventLoop loop;
    private final NodeEvents events;
    private final Map<NodeStep, Walk> walks = new LinkedHashMap<>();

    LongOwnershipChanges(EventLoop loop, NodeEvents events) {
        this.loop = loop;
        this.events = events;
    }

    void started(NodeStep step) {
        Walk walk = new Walk();
        walks.put(step, walk);
        arm(step, walk, FIRST);
    }

    void progress(NodeStep step, String message) {
        Walk walk = walks.get(step);
        if (walk != null) {
            walk.progress = message;
        }
    }

    void ended(NodeStep step) {
        Walk walk = walks.remove(step);
        if (walk != null) {
            walk.timer.cancel();
        }
    }

    private void arm(NodeStep step, Walk walk, Duration delay) {
        walk.timer = loop.schedule(delay, () -> {
            if (walks.get(step) == walk) {
                events.owningTakesLong(step, walk.progress);
                arm(step, walk, NEXT);
            }
        });
    }

    private static final class Walk {
        private String progress = "";
        private EventLoop.Timer timer = () -> {};
    }
}
