package io.volume4j.examples.benchmarks.workload;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The library: one cluster in memory, a volume manager for each node, and claims that are bound before a pod uses them.
 */
final class LibraryTarget implements Target {
    private static final String NAMESPACE = "default";
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_MANY);

    private final InMemoryCluster cluster =
            InMemoryCluster.builder().rememberedWrites(1).build();
    private final Map<String, VolumeManager> managers = new ConcurrentHashMap<>();
    private final Set<String> volumes = new HashSet<>();
    private final ScriptedBackend backend;
    private final Path root;
    private final boolean durable;

    /**
     * Without nodes.
     *
     * @param durable whether intents are synced to a journal on the disk or kept in memory
     */
    LibraryTarget(ScriptedBackend backend, Path root, boolean durable) {
        this.backend = backend;
        this.root = root;
        this.durable = durable;
    }

    @Override
    public void prepare(String node, List<String> wanted) {
        wanted.stream().filter(volumes::add).forEach(this::store);
        if (!managers.containsKey(node)) {
            cluster.apply(new Node(
                    ObjectMeta.named("", node),
                    new Node.Spec(List.of()),
                    new Node.Status(true, List.of(), List.of(), Map.of()),
                    Unmodeled.none()));
            managers.put(node, manager(node));
        }
    }

    private VolumeManager manager(String node) {
        Path own = root.resolve("node-" + managers.size());
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        VolumeManagerBuilder builder = VolumeManager.builder()
                .cluster(cluster)
                .plugins(PluginRegistry.builder(
                                DefaultPluginHost.builder(own).nodeName(node).build())
                        .plugin(new ScriptedPlugin(backend))
                        .build())
                .withoutMounts()
                .attachMode(AttachMode.SELF);
        VolumeManager manager = (durable ? builder : builder.journalInMemory()).build();
        manager.start();
        return manager;
    }

    private void store(String volume) {
        PersistentVolumeClaim claim = (PersistentVolumeClaim) cluster.apply(new PersistentVolumeClaim(
                ObjectMeta.named(NAMESPACE, volume),
                new PersistentVolumeClaim.Spec(MODES, SIZE, "", VolumeMode.FILESYSTEM, volume, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, MODES, SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none()));
        cluster.apply(new PersistentVolume(
                ObjectMeta.named("", volume),
                new PersistentVolume.Spec(
                        SIZE,
                        MODES,
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of(ScriptedPlugin.NAME, volume, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
    }

    @Override
    public CompletableFuture<?> mount(String pod, String node, List<String> wanted) {
        List<PodVolume> sources = new ArrayList<>();
        List<VolumeMount> mounts = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            sources.add(new PodVolume("v" + i, new ClaimSource(wanted.get(i), false)));
            mounts.add(new VolumeMount("v" + i, "/data/v" + i, "", false, "", ""));
        }
        CompletableFuture<?> mounted = manager(node, pod).whenMounted(uid(pod));
        cluster.apply(new Pod(
                ObjectMeta.named(NAMESPACE, pod).withUid(uid(pod)),
                new Pod.Spec(
                        node,
                        sources,
                        List.of(),
                        List.of(new Container("main", mounts, List.of(), Map.of(), Map.of())),
                        Pod.SecurityContext.none(),
                        ""),
                null,
                Unmodeled.none()));
        return mounted;
    }

    @Override
    public CompletableFuture<?> unmount(String pod, String node) {
        cluster.remove(ObjectKey.pod(NAMESPACE, pod));
        return manager(node, pod).whenUnmounted(uid(pod));
    }

    private VolumeManager manager(String node, String pod) {
        VolumeManager manager = managers.get(node);
        if (manager == null) {
            throw new IllegalStateException("node " + node + " of pod " + pod + " was not prepared");
        }
        return manager;
    }

    private static String uid(String pod) {
        return ScriptedPlugin.UID_PREFIX + pod;
    }

    @Override
    public void close() {
        managers.values().forEach(VolumeManager::close);
    }
}
