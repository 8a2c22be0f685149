package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a pod with a claim of its own costs etcd, from the creation of both to the deletion of the volume: revisions that are written, and
 * bytes that clients send and get, as etcd counts them. All controllers and nodes are real, each node with a connection of its own; the
 * storage is in memory. {@code -Dvolume4j.load=NODES:VOLUMES,…} measures larger worlds and prints a row for each.
 */
class EtcdLoadTest {
    private static final int LIVES = Integer.getInteger("volume4j.load.lives", 10);
    private static final long PATIENCE_SECONDS = 120;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** What etcd had counted at a moment. */
    private record Count(long revision, long sent, long received) {
        Count since(Count before) {
            return new Count(revision - before.revision, sent - before.sent, received - before.received);
        }

        Count per(int parts) {
            return new Count(revision / parts, sent / parts, received / parts);
        }
    }

    /**
     * One world.
     *
     * @param join what a node costs that begins
     * @param life what a pod costs
     * @param idle what a minute costs in which nothing happens
     */
    private record Row(int nodes, int volumes, Count join, Count life, Count idle) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "| %,d | %,d | %,d | %,d | %,d | %,d | %,d |",
                    nodes,
                    volumes,
                    join.sent,
                    life.revision,
                    life.received,
                    life.sent,
                    idle.sent);
        }
    }

    @Test
    void aPodCostsTheSameWritesBesideMoreNodesAndVolumesAndEachNodeHearsAsMuch() throws Exception {
        Row few = measure(2, 0, false);
        close();
        Row more = measure(8, 200, false);

        assertThat(few.life.revision).as("%s", few).isBetween(5L, 40L);
        // a conflict between two writers is written again
        assertThat(more.life.revision).as("%s after %s", more, few).isLessThanOrEqualTo(few.life.revision + 3);
        assertThat(more.life.received).as("%s after %s", more, few).isLessThan(few.life.received * 3 / 2);
        // each of four times as many nodes hears of it, and the controllers as before
        assertThat(more.life.sent).as("%s after %s", more, few).isLessThan(few.life.sent * 4);
    }

    /** For each page etcd counts all keys of the kind: in pages of 500, 100,000 volumes were still being listed after 30 s. */
    @Test
    void aListingOfThousandsOfObjectsIsReadAtOnce() throws Exception {
        EtcdServer server = keep(EtcdServer.start());
        EtcdCluster cluster = EtcdCluster.builder(keep(server.client())).build();
        for (int i = 0; i < 1_100; i++) {
            cluster.create(TestObjects.claim("claim-" + i));
        }
        long before = counter(metrics(server), "etcd_mvcc_range_total");

        assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects())
                .hasSize(1_100);

        // one of them may be etcd's own
        assertThat(counter(metrics(server), "etcd_mvcc_range_total") - before).isBetween(1L, 2L);
    }

    @Test
    void largerWorldsAreMeasuredWhereTheyAreAskedFor() throws Exception {
        String asked = System.getProperty("volume4j.load", "");
        assumeFalse(asked.isEmpty(), "-Dvolume4j.load=NODES:VOLUMES,… says which");
        for (String each : asked.split(",")) {
            String[] world = each.split(":");
            System.out.println(measure(Integer.parseInt(world[0]), Integer.parseInt(world[1]), true));
            close();
        }
    }

    private Row measure(int nodeCount, int volumes, boolean idleToo) throws Exception {
        EtcdServer server = keep(EtcdServer.start("--quota-backend-bytes=" + (4L << 30)));
        EtcdClient etcd = keep(server.client());
        EtcdCluster admin = EtcdCluster.builder(etcd).build();
        InMemoryStorage storage = InMemoryStorage.create();
        Manifests.read("class", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: mem}
                provisioner: %s
                """.formatted(InMemoryPlugin.on(storage).name()))
                .forEach(admin::create);
        fill(admin, volumes);
        controllers(server, storage);
        List<VolumeManager> nodes = new ArrayList<>();
        for (int i = 0; i < nodeCount - 1; i++) {
            nodes.add(node(server, storage, admin, i));
        }
        // all of them have read what there is
        lives(admin, nodes, 2, "first");
        Count before = count(server, etcd);
        nodes.add(node(server, storage, admin, nodeCount - 1));
        lives(admin, List.of(nodes.get(nodeCount - 1)), 1, "joined");
        Count joined = count(server, etcd).since(before);

        before = count(server, etcd);
        lives(admin, nodes, LIVES, "measured");
        Count life = count(server, etcd).since(before).per(LIVES);

        Count idle = new Count(0, 0, 0);
        if (idleToo) {
            before = count(server, etcd);
            // the minute itself is what is measured
            assertThat(new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES)).isFalse();
            idle = count(server, etcd).since(before);
        }
        return new Row(nodeCount, volumes, joined, life, idle);
    }

    /** Claims with their volumes that have nothing to do with what is measured. */
    private static void fill(EtcdCluster admin, int volumes) throws InterruptedException {
        ExecutorService writers = Executors.newFixedThreadPool(32);
        for (int i = 0; i < volumes; i++) {
            String name = "other-" + i;
            writers.execute(() -> {
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
                    """.replace("NAME", name)).forEach(admin::create);
                // as a controller left them: it has nothing to do for them
                status(admin, ObjectKey.volume("pv-" + name), Map.of("phase", "Bound"));
                status(
                        admin,
                        ObjectKey.claim("default", name),
                        Map.of(
                                "phase",
                                "Bound",
                                "accessModes",
                                List.of("ReadWriteOnce"),
                                "capacity",
                                Map.of("storage", "1Gi")));
            });
        }
        writers.shutdown();
        assertThat(writers.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
    }

    private static void status(EtcdCluster admin, ObjectKey key, Map<String, Object> status) {
        List<Patch.FieldChange> changes = status.entrySet().stream()
                .map(each -> Patch.FieldChange.set(each.getValue(), "status", each.getKey()))
                .toList();
        admin.patch(key, new Patch(Preconditions.none(), true, changes));
    }

    private void controllers(EtcdServer server, InMemoryStorage storage) {
        EtcdClient etcd = keep(server.client());
        EtcdElection election = keep(EtcdElection.start(etcd, "controllers", Duration.ofSeconds(15)));
        EtcdCluster cluster = EtcdCluster.builder(etcd).onlyAs(election).build();
        PersistentVolumeController claims = keep(PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins(storage, "control"))
                .leader(election)
                .protectsWhatIsUsed()
                .build());
        AttachDetachController attachments = keep(AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins(storage, "control"))
                .leader(election)
                .build());
        claims.start();
        attachments.start();
    }

    private VolumeManager node(EtcdServer server, InMemoryStorage storage, EtcdCluster admin, int number) {
        String name = "n" + number;
        admin.create(TestObjects.node(name));
        EtcdNodeHealth.markReady(admin, name);
        EtcdCluster cluster = EtcdCluster.builder(keep(server.client())).build();
        VolumeManager node = keep(VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(plugins(storage, name))
                .attachMode(AttachMode.CONTROLLER)
                .withoutMounts()
                .journalInMemory()
                .build());
        node.start();
        return node;
    }

    private static PluginRegistry plugins(InMemoryStorage storage, String node) {
        return PluginRegistry.builder(InMemoryPluginHost.named(node).build())
                .plugin(InMemoryPlugin.builder(storage).recordOnly().build())
                .build();
    }

    /** Pods one after another, on the nodes in turn: each is created with its claim, mounted, and deleted with it. */
    private static void lives(EtcdCluster admin, List<VolumeManager> nodes, int count, String prefix) throws Exception {
        for (int i = 0; i < count; i++) {
            VolumeManager node = nodes.get(i % nodes.size());
            String name = prefix + i;
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
    }

    private Count count(EtcdServer server, EtcdClient etcd) throws IOException, InterruptedException {
        long revision = etcd.await(
                        "look at the revision",
                        etcd.client().getKVClient().get(etcd.keys().of(ObjectKey.node("n0"))))
                .getHeader()
                .getRevision();
        String metrics = metrics(server);
        return new Count(
                revision,
                counter(metrics, "etcd_network_client_grpc_sent_bytes_total"),
                counter(metrics, "etcd_network_client_grpc_received_bytes_total"));
    }

    private String metrics(EtcdServer server) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(server.uri().resolve("/metrics")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static long counter(String metrics, String name) {
        return Stream.of(metrics.split("\n"))
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    @AfterEach
    void close() throws Exception {
        Collections.reverse(open);
        for (AutoCloseable each : open) {
            each.close();
        }
        open.clear();
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(resource);
        return resource;
    }
}
