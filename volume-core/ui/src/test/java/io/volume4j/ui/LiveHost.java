package io.volume4j.ui;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.LeaderEpoch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** A host with one node, both controllers and a live view, on a machine and storage in memory. */
final class LiveHost implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(30);
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            ---
            apiVersion: storage.k8s.io/v1
            kind: CSIDriver
            metadata: {name: mem}
            spec: {attachRequired: true}
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: mem
            allowVolumeExpansion: true
            """;

    final InMemoryCluster cluster = InMemoryCluster.create();
    final InMemoryStorage storage;
    final InMemorySecrets secrets = new InMemorySecrets();
    final InMemoryPlugin plugin;
    final AtomicBoolean leads = new AtomicBoolean(true);
    final LiveView view;
    final PersistentVolumeController claims;
    final AttachDetachController attachments;
    final VolumeManager volumes;
    final LiveSource node;

    LiveHost() {
        this(view -> view);
    }

    LiveHost(UnaryOperator<LiveViewBuilder> options) {
        this(options, InMemoryStorage.create());
    }

    LiveHost(UnaryOperator<LiveViewBuilder> options, InMemoryStorage storage) {
        this.storage = storage;
        Path root = Path.of("/var/lib/volumes");
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        plugin = InMemoryPlugin.builder(storage).leaksSecrets().build();
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .secrets(secrets)
                        .build())
                .plugins(List.of(plugin))
                .build();
        view = options.apply(LiveView.builder().title("test").cluster(cluster)).build();
        node = view.source("n1");
        LiveSource binding = view.source("claims");
        LiveSource attaching = view.source("attachments");
        claims = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(leader())
                .expandsVolumes()
                .backoff(new RetryBackoff(Duration.ofSeconds(2), Duration.ofMinutes(2), Duration.ofMinutes(5)))
                .instrumentation(binding)
                .build();
        attachments = AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(leader())
                .instrumentation(attaching)
                .build();
        volumes = VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.CONTROLLER)
                .journalInMemory()
                .mountDeadline(Duration.ofSeconds(90))
                .backoff(new RetryBackoff(Duration.ofSeconds(90), Duration.ofMinutes(2), Duration.ofMinutes(5)))
                .instrumentation(node)
                .build();
        node.watch(volumes);
        binding.watch(claims);
        attaching.watch(attachments);
        apply(CLUSTER);
    }

    private LeaderEpoch leader() {
        return new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                return leads.get() ? Duration.ofHours(1) : Duration.ZERO;
            }
        };
    }

    LiveHost start() {
        claims.start();
        attachments.start();
        volumes.start();
        view.start();
        return this;
    }

    void apply(String manifests) {
        Manifests.read("test", manifests).forEach(cluster::apply);
    }

    /** A claim and a pod that mounts it, both of that name. */
    void pod(String name) {
        apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %1$s, namespace: default}
                spec:
                  storageClassName: fast
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, namespace: default, uid: u-%1$s}
                spec:
                  nodeName: n1
                  containers: [{name: c, image: none, volumeMounts: [{name: data, mountPath: /data}]}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: %1$s}}]
                """.formatted(name));
    }

    void awaitMounted(String name) {
        volumes.awaitMounted("u-" + name, SOON);
    }

    @Override
    public void close() {
        view.close();
        storage.blockingGate().releaseAll();
        volumes.close();
        attachments.close();
        claims.close();
    }
}
