package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.LaterServer.AtFirst;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that a machine starts at boot, before their cluster answers: they wait for it, and then work. */
@Timeout(300)
class StartBeforeClusterTest {
    private static final ObjectKey NODE = ObjectKey.node("here");
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final String OBJECTS = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: v1}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              hostPath: {path: /somewhere}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              storageClassName: ""
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """;

    @TempDir
    Path directory;

    private final Programs programs = new Programs();

    @AfterEach
    void stop() throws Exception {
        programs.close();
    }

    @ParameterizedTest
    @EnumSource
    void anApiServer(AtFirst found) throws Exception {
        try (LaterServer later = new LaterServer(found)) {
            Programs.Program node = node("--server", later.url());
            Programs.Program controllers = programs.begin("controllers", "--server", later.url());
            if (found != AtFirst.NOTHING) {
                later.awaitAsked(10);
            }
            assertThat(node.runs()).isTrue();
            assertThat(controllers.runs()).isTrue();

            later.makeRoom();
            try (Store store = Store.start(later.address(), null);
                    HttpCluster user = HttpCluster.of(Access.to(store.uri()))) {
                Manifests.read("test", OBJECTS).forEach(user::create);

                awaitWork(user);
                programs.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NOTHING", "NO_ANSWER"})
    void anEtcd(AtFirst found) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/etcd")), "etcd is not installed; Debian's package is etcd-server");
        try (LaterServer later = new LaterServer(found)) {
            Programs.Program node = node("--etcd", later.url());
            Programs.Program controllers = programs.begin("controllers", "--etcd", later.url());
            if (found == AtFirst.NO_ANSWER) {
                later.awaitAsked(2);
            }
            assertThat(node.endsWithin(Duration.ofSeconds(12)))
                    .as("longer than the time of a call")
                    .isFalse();
            assertThat(controllers.runs()).isTrue();

            later.makeRoom();
            Process etcd = Programs.etcd(later.url(), directory);
            try (EtcdClient client = EtcdClient.builder()
                    .endpoints(List.of(URI.create(later.url())))
                    .build()) {
                EtcdCluster user = EtcdCluster.builder(client).build();
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .ignoreExceptions()
                        .until(() -> {
                            user.readLive(NODE);
                            return true;
                        });
                Manifests.read("test", OBJECTS).forEach(user::create);

                awaitWork(user);
                programs.close();
            } finally {
                etcd.destroyForcibly().waitFor();
            }
        }
    }

    private Programs.Program node(String option, String server) {
        return programs.begin(
                "node",
                option,
                server,
                "--name",
                "here",
                "--root",
                directory.resolve("root").toString(),
                "--in-memory");
    }

    private static void awaitWork(ClusterSource user) {
        await(user, NODE, node -> true);
        await(user, CLAIM, claim -> ((PersistentVolumeClaim) claim).status().phase() == ClaimPhase.BOUND);
    }

    private static void await(ClusterSource user, ObjectKey key, Predicate<ApiObject> wanted) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .ignoreException(ClusterException.class)
                .until(() -> user.readLive(key).filter(wanted).isPresent());
    }
}
