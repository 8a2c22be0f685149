package io.volume4j.core.node;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.journal.JournalStore;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All external dependencies of a node agent.
 *
 * @param root absolute; the agent creates all its files below it
 * @param writer writes the reports of the node about itself and its claims; null if the host writes them
 * @param machine null for an agent that mounts nothing itself
 * @param bootId different after every boot of the machine
 * @param rootId identity of the root
 * @param incarnation different for every start of the agent
 * @param workers runs calls that may block
 * @param runtime the pod runtime, null to use the pods' objects
 */
public record NodePorts(
        String nodeName,
        Path root,
        String rootId,
        String bootId,
        String incarnation,
        ClusterSource cluster,
        @Nullable ClusterWriter writer,
        PluginRegistry plugins,
        @Nullable MountBackend machine,
        JournalStore journal,
        EventLoop loop,
        Executor workers,
        Blocking blocking,
        RandomGenerator random,
        @Nullable PodRuntime runtime,
        EventSink events,
        MetricsSink metrics) {
    /** A sink of the host that fails must not disturb the node. */
    public NodePorts {
        events = GuardedListeners.events(events);
        metrics = GuardedListeners.metrics(metrics);
    }

    /** The prefix of the agent's operation ids, which identifies their owner. */
    public String operationPrefix() {
        return "volume4j-" + rootId;
    }
}
