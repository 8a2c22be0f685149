package io.volume4j.inmemory.attach;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A machine with a volume manager. */
final class NodeProcess {
    private final AttachHarness harness;
    final String name;
    final Link link;
    private final AttachMode mode;
    private final InMemoryJournalStore journal;
    private VirtualScheduler.@Nullable VirtualLoop loop;
    private @Nullable NodeAgent agent;
    private String boot = "boot";
    private int incarnation;

    NodeProcess(AttachHarness harness, String name, AttachMode mode) {
        this.harness = harness;
        this.name = name;
        this.mode = mode;
        this.link = new Link(harness.cluster);
        this.journal = new InMemoryJournalStore(JournalOptions.defaults(), harness.world.workers());
    }

    void start() {
        VirtualScheduler.VirtualLoop fresh = harness.world.loop();
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named(name).build())
                .plugin(InMemoryPlugin.builder(harness.storage).recordOnly().build())
                .build();
        NodePorts ports = new NodePorts(
                name,
                Path.of("/volumes"),
                "root-" + name,
                boot,
                name + "-" + ++incarnation,
                link,
                link,
                plugins,
                null,
                journal,
                fresh,
                workers(),
                Blocking.threads(fresh),
                harness.world.random(),
                null,
                EventSink.none(),
                MetricsSink.none());
        NodeOptions options = new NodeOptions(
                mode,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Backoff.standard(),
                OperationExecutor.Limits.standard(),
                0,
                false);
        NodeAgent started = new NodeAgent(ports, options, List.of());
        var unused = started.start();
        loop = fresh;
        agent = started;
    }

    /** What a killed agent had sent still takes effect; nothing of a machine does that was powered off meanwhile. */
    private Executor workers() {
        String mine = boot;
        return task -> harness.world.workers().execute(() -> {
            if (boot.equals(mine)) {
                task.run();
            }
        });
    }

    void kill() {
        if (loop != null) {
            loop.kill();
        }
        loop = null;
        agent = null;
        journal.crash();
    }

    /** The machine is powered off and on: nothing is mounted any more, and nothing runs before {@link #start}. */
    void powerCycle() {
        kill();
        boot += "+";
        harness.storage.nodeRebooted(name);
    }

    NodeAgent agent() {
        if (agent == null) {
            throw new IllegalStateException(name + " does not run");
        }
        return agent;
    }

    boolean running() {
        return agent != null;
    }

    MountedPod mounted(String podUid) {
        return harness.get(agent().whenMounted(podUid));
    }

    Explanation explainPod(String podUid) {
        return harness.get(agent().explainPod(podUid, "pod " + podUid));
    }
}
