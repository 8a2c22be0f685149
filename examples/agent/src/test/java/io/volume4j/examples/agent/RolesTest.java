package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Control plane and node as two processes would be, who meet in a store only, over connections that break. The storage is one
 * that control plane and node both reach, and judges the order of what is asked of it.
 */
@Timeout(300)
class RolesTest {
    private static final Path ROOT = Path.of("/agent");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String CLASS_AND_CLAIM = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: mem}
            provisioner: mem
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              storageClassName: mem
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """;
    private static final String POD = """
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
    private static final ObjectKey CLAIM_KEY = ObjectKey.claim("default", "data");
    private static final ObjectKey POD_KEY = ObjectKey.pod("default", "writer");

    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    private Store store;
    private BreakingProxy way;
    private HttpCluster person;
    private HttpCluster agents;
    private ControllersRole controllers;
    private NodeRole node;

    @BeforeEach
    void start() throws Exception {
        store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        way = new BreakingProxy(store.uri());
        person = HttpCluster.of(Access.to(store.uri()));
        agents = HttpCluster.of(Access.to(way.uri()));
        machine.files().createRoot(ROOT);
        PluginRegistry ofControlPlane = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/control")).build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        PluginRegistry ofNode = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("here")
                        .mounts(machine)
                        .build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        controllers = new ControllersRole(
                agents, ofControlPlane, ObjectKey.lease("kube-system", "controllers"), Measured.nowhere());
        node = new NodeRole(agents, ofNode, new NodeRole.Options(AttachMode.CONTROLLER, true, false));
        controllers.start();
        node.start();
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
        controllers.close();
        agents.close();
        person.close();
        way.close();
        store.close();
        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void aClaimBecomesAMountedVolumeAndNothingIsLeftOfItInTheEnd() throws Exception {
        create(CLASS_AND_CLAIM);
        create(POD);

        MountedPod mounted = awaitMounted();

        assertThat(mounted.volumes()).containsOnlyKeys("data");
        assertThat(machine.table().below(ROOT)).isNotEmpty();
        removeEverything();
    }

    @Test
    void brokenConnectionsLoseNothing() throws Exception {
        create(CLASS_AND_CLAIM);
        way.breakAll();
        controllers.claims().awaitBound(CLAIM_KEY, PATIENCE);
        way.breakAll();
        create(POD);
        way.breakAll();
        awaitMounted();
        way.breakAll();
        removeEverything();
    }

    @Test
    void aServerThatIsDownTakesNothingDownAndWhatHappenedMeanwhileIsFoundOut() throws Exception {
        create(CLASS_AND_CLAIM);
        create(POD);
        String uid = awaitMounted().podUid();

        way.takeDown();
        awaitSynced(false);
        person.delete(POD_KEY, Preconditions.none());
        assertThat(machine.table().below(ROOT)).as("known to be unknown").isNotEmpty();
        assertThat(node.volumes().mountedVolumes(uid).get(1, TimeUnit.MINUTES).volumes())
                .containsOnlyKeys("data");
        way.mend();

        removeEverything();
    }

    @Test
    void aNodeThatStartsAgainGoesOn() throws Exception {
        create(CLASS_AND_CLAIM);
        create(POD);
        awaitMounted();

        assertThat(person.readLive(ObjectKey.node("here"))).isPresent();
        assertThat(node.close()).isEmpty();
        controllers.close();
        create(POD.replace("writer", "second"));

        assertThat(person.readLive(POD_KEY)).isPresent();
        person.delete(ObjectKey.pod("default", "second"), Preconditions.none());
        assertThat(machine.table().below(ROOT))
                .as("closing leaves mounts as they are")
                .isNotEmpty();
    }

    @Test
    void aPodGetsFilesOfASecretThatIsReadOverHttp() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer vault = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        vault.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                byte[] secret = """
                        {"kind": "Secret", "metadata": {"name": "login", "namespace": "default"},
                         "data": {"password": "aHVudGVyMg=="}}""".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, secret.length);
                exchange.getResponseBody().write(secret);
            }
        });
        vault.start();
        URI at = URI.create("http://127.0.0.1:" + vault.getAddress().getPort());
        InMemoryMountBackend other = InMemoryMountBackend.create();
        other.files().createRoot(ROOT);
        try (HttpCluster secrets = HttpCluster.of(Access.to(at))) {
            PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                            .nodeName("there")
                            .mounts(other)
                            .secrets(secrets.secrets())
                            .build())
                    .defaults(VolumePlugins.defaultPlugins())
                    .build();
            NodeRole there = new NodeRole(agents, plugins, new NodeRole.Options(AttachMode.SELF, true, false));
            there.start();
            try {
                create(POD.replace("here", "there")
                        .replace("persistentVolumeClaim: {claimName: data}", "secret: {secretName: login}"));
                String uid = person.readLive(POD_KEY).orElseThrow().metadata().uid();

                assertThat(there.volumes().awaitMounted(uid, PATIENCE).volumes())
                        .containsOnlyKeys("data");
                assertThat(asked).isNotEmpty().containsOnly("GET /api/v1/namespaces/default/secrets/login");

                person.delete(POD_KEY, Preconditions.none());
                there.volumes().whenEmpty().get(1, TimeUnit.MINUTES);
            } finally {
                there.close();
            }
        } finally {
            vault.stop(0);
        }
    }

    private void create(String manifests) {
        Manifests.read("test", manifests).forEach(person::create);
    }

    private MountedPod awaitMounted() {
        String uid = person.readLive(POD_KEY).orElseThrow().metadata().uid();
        return node.volumes().awaitMounted(uid, PATIENCE);
    }

    private void awaitSynced(boolean wanted) throws Exception {
        while (node.volumes().statesSynced().get(1, TimeUnit.MINUTES) != wanted) {
            Thread.onSpinWait();
        }
    }

    private void removeEverything() throws Exception {
        person.readLive(POD_KEY).ifPresent(pod -> person.delete(POD_KEY, Preconditions.none()));
        node.volumes().whenEmpty().get(1, TimeUnit.MINUTES);
        person.delete(CLAIM_KEY, Preconditions.none());
        for (Kind kind : List.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.PERSISTENT_VOLUME, Kind.VOLUME_ATTACHMENT)) {
            awaitNone(kind);
        }
        assertThat(storage.volumes()).isEmpty();
        assertThat(machine.table().below(ROOT)).isEmpty();
    }

    private void awaitNone(Kind kind) throws InterruptedException {
        Semaphore news = new Semaphore(0);
        ClusterSource.Listing from = person.list(kind, Selection.all());
        try (ClusterSource.Watch watch =
                person.watch(kind, Selection.all(), from.revision(), event -> news.release())) {
            assertThat(watch).isNotNull();
            List<ApiObject> left = person.list(kind, Selection.all()).objects();
            while (!left.isEmpty()) {
                assertThat(news.tryAcquire(1, TimeUnit.MINUTES))
                        .as("still there: %s", left)
                        .isTrue();
                left = person.list(kind, Selection.all()).objects();
            }
        }
    }
}
