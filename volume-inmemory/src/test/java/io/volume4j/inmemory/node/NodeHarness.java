package io.volume4j.inmemory.node;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.NodeAgent;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.sim.VirtualScheduler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One node in virtual time: its agent can be killed and started again, while cluster, storage and journal stay. */
final class NodeHarness {
    static final String NODE = "n1";

    /** Nothing may depend on the safety net. */
    private static final int NO_RESYNC = 0;

    private static final Quantity SIZE = Quantity.parse("1Gi");

    final VirtualScheduler world;
    final InMemoryCluster cluster;
    final InMemoryStorage storage = InMemoryStorage.create();
    final InMemoryPlugin plugin;
    private final InMemoryJournalStore journal;
    private final @Nullable PodRuntime runtime;
    private VirtualScheduler.@Nullable VirtualLoop loop;
    private @Nullable NodeAgent agent;
    private CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);
    private int incarnation;
    private String boot = "boot-1";

    NodeHarness(long seed) {
        this(seed, null);
    }

    NodeHarness(long seed, @Nullable PodRuntime runtime) {
        this.runtime = runtime;
        world = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        cluster = InMemoryCluster.create();
        plugin = InMemoryPlugin.builder(storage).recordOnly().build();
        journal = new InMemoryJournalStore(JournalOptions.defaults(), world.workers());
    }

    NodeHarness start() {
        VirtualScheduler.VirtualLoop fresh = world.loop();
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named(NODE).build())
                .plugin(plugin)
                .build();
        NodePorts ports = new NodePorts(
                NODE,
                Path.of("/volumes"),
                "root-1",
                boot,
                String.valueOf(++incarnation),
                cluster,
                cluster,
                plugins,
                null,
                journal,
                fresh,
                world.workers(),
                Blocking.threads(),
                world.random(),
                runtime,
                EventSink.none(),
                MetricsSink.none());
        NodeOptions options = new NodeOptions(
                AttachMode.SELF,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Backoff.standard(),
                OperationExecutor.Limits.standard(),
                NO_RESYNC);
        NodeAgent started = new NodeAgent(ports, options, transition -> {});
        starting = started.start();
        loop = fresh;
        agent = started;
        return this;
    }

    /** The process dies now; what the journal had not written is lost. Calls that were sent still take effect. */
    void kill() {
        if (loop != null) {
            loop.kill();
        }
        loop = null;
        agent = null;
        journal.crash();
    }

    /** The machine is booted: what was mounted and staged is gone. */
    void reboot() {
        kill();
        boot = boot + "+";
        storage.nodeRebooted(NODE);
    }

    NodeAgent agent() {
        if (agent == null || starting.isCompletedExceptionally()) {
            throw new IllegalStateException("not started");
        }
        return agent;
    }

    void settle() {
        world.advance(Duration.ofMinutes(10));
    }

    Explanation explainPod(String uid) {
        return get(agent().explainPod(uid, "pod " + uid));
    }

    MountedPod mounted(String uid) {
        return get(agent().whenMounted(uid));
    }

    <T> T get(CompletableFuture<T> future) {
        world.runReady();
        if (!future.isDone()) {
            throw new AssertionError("not done: " + future);
        }
        try {
            return future.join();
        } catch (java.util.concurrent.CompletionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw failed;
        }
    }

    List<String> calls() {
        return new ArrayList<>(storage.callTexts());
    }

    /** A volume and a claim that is bound to it. */
    void boundClaim(String name) {
        boundClaim(name, AccessMode.READ_WRITE_ONCE);
    }

    void boundClaim(String name, AccessMode mode) {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(
                        List.of(mode), SIZE, "", VolumeMode.FILESYSTEM, "pv-" + name, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, List.of(mode), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
        PersistentVolume volume = new PersistentVolume(
                ObjectMeta.named("", "pv-" + name),
                new PersistentVolume.Spec(
                        SIZE,
                        List.of(mode),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", "h-" + name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
        storage.add("h-" + name, SIZE.bytes());
        cluster.apply(claim);
        cluster.apply(volume);
    }

    /** A pod on this node that uses the claims. */
    void pod(String name, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> mounts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            mounts.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
        }
        Container container = new Container("app", mounts, List.of(), Map.of(), Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(NODE, volumes, List.of(), List.of(container), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }

    void deletePod(String name) {
        cluster.remove(ObjectKey.pod("default", name));
    }
}
