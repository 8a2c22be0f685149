package io.volume4j.examples.benchmarks.world;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.Pod;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Random;

/**
 * Nodes with 100 attached volumes each, and the attach/detach controller over them. Loop and workers are played by one thread,
 * so that its processor time is the controller's; the store is a map, so that it costs nothing.
 */
public final class AttachWorld {
    public static final int VOLUMES = 100;
    public static final int MOST_DEATHS = 20;

    private final int nodes;
    private final SteadyCluster objects = new SteadyCluster();
    private final SteppedLoop loop = new SteppedLoop();
    private final AttachAgent agent;

    public AttachWorld(int nodes) {
        this.nodes = nodes;
        for (int n = 0; n < nodes; n++) {
            objects.node(node(n), VOLUMES);
        }
        agent = new AttachAgent(
                new ControlPorts(
                        "benchmark",
                        objects,
                        InMemoryCluster.create(),
                        PluginRegistry.builder(InMemoryPluginHost.named("").build())
                                .plugin(InMemoryPlugin.builder(InMemoryStorage.builder()
                                                .rememberedCalls(0)
                                                .build())
                                        .recordOnly()
                                        .build())
                                .build(),
                        loop,
                        loop::work,
                        new Random(1),
                        LeaderEpoch.alone(),
                        EventSink.none(),
                        MetricsSink.none()),
                FencingAuthority.none(),
                options(),
                transition -> {});
    }

    /** As usual, but nothing waits for a place: detaches that are decided are not carried out, and so keep theirs. */
    private static AttachOptions options() {
        AttachOptions usual = AttachOptions.standard();
        int calls = MOST_DEATHS * VOLUMES;
        return new AttachOptions(
                usual.clusterDeadline(),
                usual.driverDeadline(),
                calls,
                usual.backoff(),
                new OperationExecutor.Limits(
                        2 * calls,
                        usual.limits().writtenOffPerLane(),
                        usual.limits().writtenOff()),
                usual.resyncPerSecond(),
                Duration.ZERO,
                usual.askFenceEvery(),
                usual.acceptedRiskAfter(),
                usual.externalAttachers(),
                usual.attachLimits(),
                usual.kubernetesNames(),
                usual.takesOver());
    }

    private static String node(int number) {
        return "n" + number;
    }

    public int attachments() {
        return nodes * VOLUMES;
    }

    /** Builds the worlds and visits everything once; returns nanoseconds of processor. */
    public long start() {
        long began = processor();
        agent.start();
        loop.runReady();
        long took = processor() - began;
        if (!agent.quiet()) {
            throw new IllegalStateException("what should be steady is not");
        }
        return took;
    }

    /** Changes a pod with 10 volumes and decides what that means; returns nanoseconds of processor. */
    public long changePod(int number) {
        long began = processor();
        objects.touchPod(node(number % nodes) + "-0");
        loop.runReady();
        return processor() - began;
    }

    /** Takes a pod with 10 volumes that its node uses away and brings it back; returns nanoseconds of processor for each. */
    public long replacePod(int number) {
        long began = processor();
        Pod pod = objects.removePod(node(number % nodes) + "-0");
        loop.runUntilCalls();
        objects.put(pod);
        loop.runUntilCalls();
        return (processor() - began) / 2;
    }

    /** Ten minutes in which nothing happens, as fast as they go; returns nanoseconds of processor. */
    public long idleForTenMinutes() {
        long began = processor();
        loop.pass(Duration.ofMinutes(10));
        return processor() - began;
    }

    /** What came of a node's death: how long it took to decide, and how many detaches that was. */
    public record Death(long nanos, int detaches) {}

    /** A node dies with its volumes in use and is known to be off; everything is decided, and nothing is sent. */
    public Death killNode(int number) {
        String node = node(number);
        objects.notReady(node);
        objects.removePods(node);
        loop.runReady();
        long began = processor();
        var known = agent.fence(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "off"));
        loop.runUntilCalls();
        long took = processor() - began;
        int detaches = loop.dropCalls();
        if (!known.isDone()) {
            throw new IllegalStateException("the fence of " + node + " was not taken in");
        }
        return new Death(took, detaches);
    }

    /** Of this thread. */
    private static long processor() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
