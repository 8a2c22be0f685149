package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node agent whose API server is away when it starts. Its journal lies on the disk, its mounts are in memory. */
@Timeout(300)
class AwayAtStartTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ObjectKey NODE = ObjectKey.node("here");
    private static final ObjectKey CLAIM_KEY = ObjectKey.claim("default", "data");
    private static final ObjectKey POD = ObjectKey.pod("default", "writer");
    private static final String OBJECTS = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: v1}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              persistentVolumeReclaimPolicy: Retain
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data, uid: UID}
              csi: {driver: mem, volumeHandle: v1}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: writer}
            spec:
              nodeName: here
              containers:
                - name: app
                  image: busybox
                  volumeMounts:
                    - {name: data, mountPath: /data}
              volumes:
                - name: data
                  persistentVolumeClaim: {claimName: data}
            """;
    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              storageClassName: ""
              volumeName: v1
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """;

    @TempDir
    Path root;

    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private Store store;
    private BreakingProxy way;
    private HttpCluster user;
    private HttpCluster agents;
    private NodeRole node;

    @BeforeEach
    void open() throws Exception {
        store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        way = new BreakingProxy(store.uri());
        user = HttpCluster.of(Access.to(store.uri()));
        agents = HttpCluster.of(Access.to(way.uri()));
        machine.files().createRoot(root);
        storage.add("v1", 1L << 30);
        node = role();
    }

    private NodeRole role() {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("here")
                        .mounts(machine)
                        .build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        return new NodeRole(agents, plugins, new NodeRole.Options(AttachMode.SELF, false, false));
    }

    @AfterEach
    void close() throws Exception {
        node.close();
        agents.close();
        user.close();
        way.close();
        store.close();
        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void registersOnceTheServerAnswers() throws Exception {
        way.takeDown();
        node.start();
        assertThat(node.volumes().present().get(1, TimeUnit.MINUTES)).isEmpty();
        assertThat(user.readLive(NODE)).isEmpty();

        way.mend();

        awaitReady();
    }

    @Test
    void keepsAndTellsWhatIsMountedAndGoesOnOnceTheServerAnswers() throws Exception {
        node.start();
        create(CLAIM);
        String claim = user.readLive(CLAIM_KEY).orElseThrow().metadata().uid();
        create(OBJECTS.replace("UID", claim));
        user.patch(
                CLAIM_KEY,
                new Patch(Preconditions.none(), true, List.of(Patch.FieldChange.set("Bound", "status", "phase"))));
        String uid = user.readLive(POD).orElseThrow().metadata().uid();
        Path mounted = Objects.requireNonNull(
                        node.volumes().awaitMounted(uid, PATIENCE).volumes().get("data"))
                .path();
        node.close();

        way.takeDown();
        node = role();
        node.start();

        assertThat(node.volumes().mountedVolumes(uid).get(1, TimeUnit.MINUTES).volumes())
                .hasEntrySatisfying("data", volume -> assertThat(volume.path()).isEqualTo(mounted));
        assertThat(machine.table().below(root)).as("nothing is torn down").isNotEmpty();

        way.mend();

        assertThat(node.volumes().awaitMounted(uid, PATIENCE).volumes()).containsOnlyKeys("data");
        user.delete(POD, Preconditions.none());
        node.volumes().whenEmpty().get(1, TimeUnit.MINUTES);
        assertThat(machine.table().below(root)).isEmpty();
    }

    private void create(String manifests) {
        Manifests.read("test", manifests).forEach(user::create);
    }

    private void awaitReady() throws InterruptedException {
        Semaphore news = new Semaphore(0);
        ClusterSource.Listing from = user.list(Kind.NODE, Selection.all());
        try (ClusterSource.Watch watch =
                user.watch(Kind.NODE, Selection.all(), from.revision(), event -> news.release())) {
            assertThat(watch).isNotNull();
            while (user.readLive(NODE)
                    .filter(found -> ((Node) found).status().ready())
                    .isEmpty()) {
                assertThat(news.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            }
        }
    }
}
