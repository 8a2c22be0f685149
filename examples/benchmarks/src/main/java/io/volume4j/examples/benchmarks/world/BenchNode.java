package io.volume4j.examples.benchmarks.world;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node's volume manager and the cluster with its pods. */
public final class BenchNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    public final BenchCluster cluster;
    public final VolumeManager manager;

    private BenchNode(BenchCluster cluster, VolumeManager manager) {
        this.cluster = cluster;
        this.manager = manager;
    }

    /** A started node with the cluster in memory, without a machine, and with a journal in memory. */
    public static BenchNode inMemory(Path root, VolumePlugin... plugins) {
        return started(root, true, BenchCluster.of(InMemoryCluster.create()), plugins);
    }

    /** The same with an instrumentation. */
    public static BenchNode watched(Path root, Instrumentation instrumentation, VolumePlugin... plugins) {
        BenchCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        BenchNode node = new BenchNode(
                cluster,
                manager(root, null, cluster, plugins)
                        .journalInMemory()
                        .instrumentation(instrumentation)
                        .build());
        node.manager.start();
        return node;
    }

    /** A started node without a machine. */
    public static BenchNode started(Path root, boolean journalInMemory, BenchCluster cluster, VolumePlugin... plugins) {
        cluster.apply(Things.node());
        BenchNode node = build(root, null, journalInMemory, cluster, plugins);
        node.manager.start();
        return node;
    }

    /** A node with an optional machine, and a journal in memory or on the disk; not started. */
    public static BenchNode build(
            Path root,
            @Nullable MountBackend machine,
            boolean journalInMemory,
            BenchCluster cluster,
            VolumePlugin... plugins) {
        VolumeManagerBuilder manager = manager(root, machine, cluster, plugins);
        return new BenchNode(cluster, (journalInMemory ? manager.journalInMemory() : manager).build());
    }

    private static VolumeManagerBuilder manager(
            Path root, @Nullable MountBackend machine, BenchCluster cluster, VolumePlugin... plugins) {
        DefaultPluginHost.Builder host = DefaultPluginHost.builder(root).nodeName(Things.NODE);
        if (machine != null) {
            host.mounts(machine);
        }
        PluginRegistry.Builder registry = PluginRegistry.builder(host.build());
        for (VolumePlugin plugin : plugins) {
            registry.plugin(plugin);
        }
        VolumeManagerBuilder manager = VolumeManager.builder()
                .cluster(cluster.source())
                .plugins(registry.build())
                .attachMode(AttachMode.SELF);
        return machine == null ? manager.withoutMounts() : manager;
    }

    /** Adds the pod; the future completes when its volumes are mounted. */
    public CompletableFuture<MountedPod> add(Pod pod) {
        CompletableFuture<MountedPod> mounted =
                manager.whenMounted(pod.metadata().uid());
        cluster.apply(pod);
        return mounted;
    }

    /** Removes the pod; the future completes when its volumes are unmounted. */
    public CompletableFuture<String> remove(String podName) {
        cluster.remove(ObjectKey.pod(Things.NAMESPACE, podName));
        return manager.whenUnmounted(Things.uid(podName));
    }

    /** Adds this many pods with one volume each and waits until all are mounted. */
    public void fill(String prefix, String driver, int pods) throws Exception {
        List<CompletableFuture<MountedPod>> all = new ArrayList<>(pods);
        for (int i = 0; i < pods; i++) {
            all.add(add(Things.pod(prefix + i, driver)));
        }
        await(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    }

    /** Waits until this many existing pods with that prefix are mounted. */
    public void awaitMounted(String prefix, int pods) throws Exception {
        CompletableFuture<?>[] all = new CompletableFuture<?>[pods];
        for (int i = 0; i < pods; i++) {
            all[i] = manager.whenMounted(Things.uid(prefix + i));
        }
        await(CompletableFuture.allOf(all));
    }

    public static void await(CompletableFuture<?> future) throws Exception {
        future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        manager.close();
    }
}
