package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A member of etcd with real controllers and real nodes, each with a connection of its own. Their storage is in memory. */
final class LoadedEtcd implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;

    /** etcd takes 128 operations in a transaction, and a pair has two objects. */
    private static final int PAIRS_OF_A_TRANSACTION = 64;

    private static final int NODES_OF_A_CONNECTION = 100;
    private static final String PATTERN = "other-pattern";

    private final Deque<Runnable> open = new ArrayDeque<>();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final List<VolumeManager> nodes = new ArrayList<>();
    private final Map<ObjectKey, String> patterns = new HashMap<>();
    private final boolean patient;
    private final EtcdServer server;
    private final EtcdClient etcd;
    private final EtcdCluster admin;

    /**
     * @param patient for thousands of nodes that share few processors: a request may take a minute, because a member gives it up after 5 s
     *     and twice the time of an election, and a member that is late is not taken for dead. It takes longer to start
     */
    LoadedEtcd(boolean patient) {
        this.patient = patient;
        List<String> options = new ArrayList<>(List.of("--quota-backend-bytes=" + (8L << 30)));
        if (patient) {
            options.addAll(List.of("--heartbeat-interval=1000", "--election-timeout=20000"));
        }
        server = keep(EtcdServer.start(options.toArray(String[]::new)), EtcdServer::close);
        etcd = connect();
        admin = EtcdCluster.builder(etcd).build();
        Manifests.read("class", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: mem}
                provisioner: %s
                """.formatted(InMemoryPlugin.on(storage).name()))
                .forEach(admin::create);
    }

    EtcdClient connect() {
        EtcdClient.Builder client =
                EtcdClient.builder().endpoints(List.of(server.uri())).callTimeout(Duration.ofMinutes(1));
        if (patient) {
            client.pings(WatchingNodes.PINGS, WatchingNodes.PINGS);
        }
        return keep(client.build(), EtcdClient::close);
    }

    EtcdCluster admin() {
        return admin;
    }

    EtcdCounters counters() throws IOException, InterruptedException {
        return EtcdCounters.of(server.uri());
    }

    /**
     * How many watches there are once each of twenty looks sees the same number: a watch that is closed goes a moment later. A second
     * without a change is no sign of that: this process, which closes the watch, may have stood still for all of it.
     */
    double settledWatchers() throws IOException, InterruptedException {
        double seen = counters().watchers();
        for (int same = 0; same < 20; ) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            double now = counters().watchers();
            same = now == seen ? same + 1 : 0;
            seen = now;
        }
        return seen;
    }

    /**
     * Nodes that only listen, from now on. Each hundred begins when etcd has the watches of those before: nodes that begin all together
     * are another matter.
     */
    WatchingNodes watching(int count) throws IOException, InterruptedException {
        double before = counters().watchers();
        WatchingNodes made = listening(server.uri());
        while (made.count() < count) {
            made.connect(Math.min(NODES_OF_A_CONNECTION, count - made.count()));
            while (counters().watchers() < before + made.count() * (double) WatchingNodes.WATCHES_OF_A_NODE) {
                assertThat(made.failure()).isEmpty();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        return made;
    }

    /** The same behind a proxy of their own. */
    WatchingNodes watchingBehindAProxy(int count) {
        EtcdProxy proxy = keep(EtcdProxy.start(server.uri()), EtcdProxy::close);
        WatchingNodes made = listening(proxy.uri());
        made.connect(count);
        return made;
    }

    private WatchingNodes listening(URI where) {
        String now = admin.list(Kind.NODE, Selection.all()).revision();
        return keep(new WatchingNodes(where, Long.parseLong(now)), WatchingNodes::close);
    }

    /** Claims with their volumes that have nothing to do with what is measured, as a controller left them. */
    void fill(int pairs) {
        if (pairs == 0) {
            return;
        }
        Manifests.read("other", """
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: pv-NAME
                  uid: pv-NAME
                  finalizers: [kubernetes.io/pv-protection]
                  annotations: {pv.kubernetes.io/provisioned-by: elsewhere}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: elsewhere
                  persistentVolumeReclaimPolicy: Retain
                  claimRef: {kind: PersistentVolumeClaim, namespace: default, name: NAME, uid: NAME}
                  csi: {driver: elsewhere, volumeHandle: handle-NAME}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: NAME
                  namespace: default
                  uid: NAME
                  finalizers: [kubernetes.io/pvc-protection]
                  annotations: {pv.kubernetes.io/bind-completed: "yes"}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: elsewhere
                  volumeName: pv-NAME
                  resources: {requests: {storage: 1Gi}}
                """.replace("NAME", PATTERN)).forEach(admin::create);
        ObjectKey volume = ObjectKey.volume("pv-" + PATTERN);
        ObjectKey claim = ObjectKey.claim("default", PATTERN);
        status(volume, Map.of("phase", "Bound"));
        status(
                claim,
                Map.of(
                        "phase",
                        "Bound",
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "capacity",
                        Map.of("storage", "1Gi")));
        // one transaction for each object takes an hour
        List<Op> puts = new ArrayList<>();
        for (int i = 1; i < pairs; i++) {
            puts.add(copy(volume, "other-" + i));
            puts.add(copy(claim, "other-" + i));
            if (i % PAIRS_OF_A_TRANSACTION == 0 || i == pairs - 1) {
                etcd.await(
                        "fill",
                        etcd.client()
                                .getKVClient()
                                .txn()
                                .Then(puts.toArray(Op[]::new))
                                .commit());
                puts.clear();
            }
        }
    }

    private Op copy(ObjectKey pattern, String name) {
        ByteSequence at = etcd.keys().of(pattern);
        String value = patterns.computeIfAbsent(
                pattern,
                key -> EtcdKeys.text(
                        etcd.await("read", etcd.client().getKVClient().get(at))
                                .getKvs()
                                .get(0)
                                .getValue()));
        return Op.put(
                EtcdKeys.bytes(EtcdKeys.text(at).replace(PATTERN, name)),
                EtcdKeys.bytes(value.replace(PATTERN, name)),
                PutOption.DEFAULT);
    }

    private void status(ObjectKey key, Map<String, Object> status) {
        List<Patch.FieldChange> changes = status.entrySet().stream()
                .map(each -> Patch.FieldChange.set(each.getValue(), "status", each.getKey()))
                .toList();
        admin.patch(key, new Patch(Preconditions.none(), true, changes));
    }

    void startControllers() {
        EtcdClient own = connect();
        EtcdElection election =
                keep(EtcdElection.start(own, "controllers", Duration.ofSeconds(15)), EtcdElection::close);
        EtcdCluster cluster = EtcdCluster.builder(own).onlyAs(election).build();
        PersistentVolumeController claims = keep(
                PersistentVolumeController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins("control"))
                        .leader(election)
                        .protectsWhatIsUsed()
                        .build(),
                PersistentVolumeController::close);
        AttachDetachController attachments = keep(
                AttachDetachController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins("control"))
                        .leader(election)
                        .build(),
                AttachDetachController::close);
        claims.start();
        attachments.start();
    }

    void startNode() {
        String name = "n" + nodes.size();
        admin.create(TestObjects.node(name));
        EtcdNodeHealth.markReady(admin, name);
        EtcdCluster cluster = EtcdCluster.builder(connect()).build();
        VolumeManager node = keep(
                VolumeManager.builder()
                        .cluster(cluster)
                        .clusterWriter(cluster)
                        .plugins(plugins(name))
                        .attachMode(AttachMode.CONTROLLER)
                        .withoutMounts()
                        .journalInMemory()
                        .build(),
                VolumeManager::close);
        node.start();
        nodes.add(node);
    }

    private PluginRegistry plugins(String node) {
        return PluginRegistry.builder(InMemoryPluginHost.named(node).build())
                .plugin(InMemoryPlugin.builder(storage).recordOnly().build())
                .build();
    }

    /** Pods one after another, on the nodes in turn: each is created with its claim, mounted, and deleted with it. */
    void lives(int count, String prefix) throws Exception {
        for (int i = 0; i < count; i++) {
            live(nodes.get(i % nodes.size()), prefix + i);
        }
    }

    /** One on the node that came last. */
    void liveOnTheNewest(String name) throws Exception {
        live(nodes.get(nodes.size() - 1), name);
    }

    private void live(VolumeManager node, String name) throws Exception {
        Manifests.read("life", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: NAME, namespace: default}
                spec: {storageClassName: mem, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: NAME, namespace: default, uid: NAME}
                spec:
                  nodeName: NODE
                  containers: [{name: app, image: app, volumeMounts: [{name: v, mountPath: /v}]}]
                  volumes: [{name: v, persistentVolumeClaim: {claimName: NAME}}]
                """.replace("NAME", name)
                        .replace("NODE", node.snapshot().get().node()))
                .forEach(admin::create);
        node.whenMounted(name).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        CompletableFuture<String> unmounted = node.whenUnmounted(name);
        CompletableFuture<String> deleted = new CompletableFuture<>();
        String now = admin.list(Kind.NODE, Selection.all()).revision();
        var watch = admin.watch(Kind.PERSISTENT_VOLUME, Selection.all(), now, event -> {
            if (event.type() == WatchEvent.Type.DELETED) {
                deleted.complete("");
            }
        });
        admin.delete(ObjectKey.pod("default", name), Preconditions.none());
        unmounted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        admin.delete(ObjectKey.claim("default", name), Preconditions.none());
        deleted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        watch.close();
    }

    private <T> T keep(T resource, Consumer<T> close) {
        open.push(() -> close.accept(resource));
        return resource;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
