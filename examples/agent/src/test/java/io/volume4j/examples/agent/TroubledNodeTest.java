package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.TestAuthority;
import io.volume4j.examples.agent.store.Gate;
import io.volume4j.examples.agent.store.Gate.Verdict;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node whose server, over TLS, throttles, freezes, denies, or loses its connections from the first request on. Controllers have
 * no trouble. The storage judges the order of what is asked of it.
 */
@Timeout(300)
class TroubledNodeTest {
    private static final Path ROOT = Path.of("/agent");
    private static final String USER = "user.8f3a5c";
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final ObjectKey POD = ObjectKey.pod("default", "writer");

    @TempDir
    Path directory;

    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    /** What ended threads, such as those of the HTTP client, which no caller hears of. */
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private volatile Gate trouble = Gate.open();
    private Store store;
    private BreakingProxy way;
    private HttpCluster user;
    private HttpCluster agent;
    private ControllersRole controllers;
    private NodeRole node;

    @BeforeEach
    void start() throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        TestAuthority authority = new TestAuthority("authority");
        Path authorities = Files.writeString(directory.resolve("ca.crt"), authority.pem());
        store = Store.behind(
                authority.serve(authority.server(127, 0, 0, 1), false),
                call -> call.token().equals(USER) ? Verdict.PASS : trouble.judge(call));
        way = new BreakingProxy(store.uri());
        user = HttpCluster.of(Access.to(store.uri())
                .authorities(authorities)
                .token(Files.writeString(directory.resolve("user"), USER)));
        agent = HttpCluster.of(
                Access.to(URI.create("https://127.0.0.1:" + way.uri().getPort()))
                        .authorities(authorities)
                        .token(Files.writeString(directory.resolve("agent"), "agent.8f3a5c")));
        machine.files().createRoot(ROOT);
        PluginRegistry ofControlPlane = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/control")).build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        PluginRegistry ofNode = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("here")
                        .mounts(machine)
                        .build())
                .defaults(VolumePlugins.defaultPlugins())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        controllers = new ControllersRole(
                user, ofControlPlane, ObjectKey.lease("kube-system", "controllers"), Measured.nowhere());
        node = new NodeRole(agent, ofNode, new NodeRole.Options(AttachMode.CONTROLLER, true, false));
        controllers.start();
    }

    @AfterEach
    void stop() throws Exception {
        trouble = Gate.open();
        node.close();
        controllers.close();
        agent.close();
        user.close();
        way.close();
        store.close();
        Thread.setDefaultUncaughtExceptionHandler(before);
        assertThat(uncaught).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void aPodGetsItsVolumesAGrownOneAndLeavesNothing(Trouble kind) throws Exception {
        Trouble.Met met = new Trouble.Met();
        trouble = kind.gate(way, met);
        node.start();
        Manifests.read("test", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: mem}
                provisioner: mem
                allowVolumeExpansion: true
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: mem
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: writer, namespace: default}
                spec:
                  nodeName: here
                  containers:
                    - name: app
                      image: busybox
                      volumeMounts:
                        - {name: data, mountPath: /data}
                        - {name: scratch, mountPath: /scratch}
                  volumes:
                    - {name: data, persistentVolumeClaim: {claimName: data}}
                    - {name: scratch, emptyDir: {}}
                """).forEach(user::create);
        String uid = user.readLive(POD).orElseThrow().metadata().uid();

        assertThat(node.volumes().awaitMounted(uid, Duration.ofMinutes(1)).volumes())
                .containsOnlyKeys("data", "scratch");
        Programs.grow(user, CLAIM, "2Gi");
        Programs.await(
                user,
                CLAIM,
                each -> ((PersistentVolumeClaim) each).status().capacity().bytes() == 2L << 30);

        user.delete(POD, Preconditions.none());
        node.volumes().whenEmpty().get(1, TimeUnit.MINUTES);
        user.delete(CLAIM, Preconditions.none());
        for (Kind gone : List.of(Kind.PERSISTENT_VOLUME, Kind.VOLUME_ATTACHMENT)) {
            Programs.awaitList(user, gone, listing -> listing.objects().isEmpty());
        }
        assertThat(storage.volumes()).isEmpty();
        assertThat(storage.violations()).isEmpty();
        assertThat(machine.table().below(ROOT)).isEmpty();
        kind.assertMet(met, List.of("create nodes", "patch nodes/status", "patch persistentvolumeclaims/status"));
    }
}
