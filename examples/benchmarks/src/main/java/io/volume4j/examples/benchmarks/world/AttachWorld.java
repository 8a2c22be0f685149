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
import java.time.Duration;
import java.util.Random;

/**
 * Nodes with 100 attached volumes each, and the attach/detach controller. The calling thread runs the loop and the workers, so it
 * measures only the controller's work; the store is a map and costs next to nothing.
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

    /** The standard options without queues: decided detaches are not executed, and so never leave their lane. */
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

    /** Builds the views and visits everything once. */
    public void start() {
        agent.start();
        loop.runReady();
        if (!agent.quiet()) {
            throw new IllegalStateException("what should be steady is not");
        }
    }

    /** Changes a pod with 10 volumes and runs the decisions. */
    public void changePod(int number) {
        objects.touchPod(node(number % nodes) + "-0");
        loop.runReady();
    }

    /** Removes a pod with 10 volumes from its node and adds it again, which are two changes. */
    public void replacePod(int number) {
        Pod pod = objects.removePod(node(number % nodes) + "-0");
        loop.runUntilCalls();
        objects.put(pod);
        loop.runUntilCalls();
    }

    /** Lets ten minutes of virtual time pass without changes. */
    public void idleForTenMinutes() {
        loop.pass(Duration.ofMinutes(10));
    }

    /**
     * A node dies with its volumes in use: it is not ready, its pods are removed, and an authority proves that it is off. Makes all
     * decisions and sends no call.
     *
     * @return the number of decided detaches
     */
    public int killNode(int number) {
        String node = node(number);
        objects.notReady(node);
        objects.removePods(node);
        loop.runReady();
        var known = agent.fence(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "off"));
        loop.runUntilCalls();
        if (!known.isDone()) {
            throw new IllegalStateException("the fence of " + node + " was not taken in");
        }
        return loop.dropCalls();
    }
}
