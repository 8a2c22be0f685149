package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.VolumeTransition;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Subscriptions to a node's steps. */
final class NodeListeners {
    private NodeListeners() {}

    static VolumeManager.Subscription listen(NodeAgent agent, Consumer<VolumeTransition> listener) {
        agent.listen(Objects.requireNonNull(listener, "listen(…) was given null; give a listener"));
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                agent.unlisten(listener);
            }
        };
    }
}
