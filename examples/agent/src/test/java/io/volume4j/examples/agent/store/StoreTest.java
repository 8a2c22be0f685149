package io.volume4j.examples.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store keeps, and how it answers those who do not use the adapter. */
@Timeout(120)
class StoreTest {
    private static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path directory;

    private static ApiObject volume(String name) {
        return Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /x}}}
                """.formatted(name)).get(0);
    }

    /** As a server of Kubernetes' would, so that people can apply them there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "examples/agent/example.yaml",
                "examples/quickstart/src/main/resources/io/volume4j/examples/quickstart/quickstart.yaml",
                "volume-core/src/test/resources/manifests/seeds/static-nfs.yaml"
            })
    void takesTheManifestsOfTheExamples(String file) throws Exception {
        Path path = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"), file);
        try (Store store = Store.start(ANYWHERE, null);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            for (ApiObject object : Manifests.read(file, Files.readString(path))) {
                assertThat(cluster.create(object)).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1 | Pod | {nodeName: n, containers: [{name: a}]} | spec.containers[a].image: is required
            v1 | Pod | {containers: []} | spec.containers: is required
            v1 | PersistentVolume | {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}} | names exactly one kind of storage
            v1 | PersistentVolume | {accessModes: [ReadWriteOnce], hostPath: {path: /x}} | spec.capacity.storage: is required
            v1 | PersistentVolumeClaim | {accessModes: [ReadWriteOnce]} | spec.resources.requests.storage: is required
            storage.k8s.io/v1 | VolumeAttachment | {attacher: a/b, nodeName: n, source: {persistentVolumeName: v}} | spec.attacher: is a DNS subdomain
            """)
    void refusesWhatAnApiServerRefuses(String version, String kind, String spec, String why) throws Exception {
        String place = kind.equals("Pod") || kind.equals("PersistentVolumeClaim") ? ", namespace: default" : "";
        ApiObject object = Manifests.read(
                        "test",
                        "{apiVersion: " + version + ", kind: " + kind + ", metadata: {name: x" + place + "}, spec: "
                                + spec + "}")
                .get(0);
        try (Store store = Store.start(ANYWHERE, null);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> cluster.create(object))
                    .withMessageContaining(why)
                    .returns(ClusterException.Reason.INVALID, ClusterException::reason);
        }
    }

    @Test
    void aRequestThatGetsNoThreadAtFirstIsAnsweredWhenThereIsOne() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ThreadFactory few = task -> {
            if (asked.incrementAndGet() <= 5) {
                // As the JVM says it where the machine is at its limit of processes.
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
        try (Store store = Store.start(ANYWHERE, directory, few);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            assertThat(cluster.create(volume("v")).metadata().name()).isEqualTo("v");
            assertThat(asked.get()).isGreaterThan(5);
        }
    }

    @Test
    void tellsTheAddressOfLoopbackThatItListensOn() throws Exception {
        try (Store store = Store.start(new InetSocketAddress("127.0.0.9", 0), null);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            assertThat(store.uri().getHost()).isEqualTo("127.0.0.9");
            assertThat(cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects())
                    .isEmpty();
        }
    }

    @Test
    void anotherStartFindsEverythingAndGoesOnCounting() throws Exception {
        ApiObject kept;
        String last;
        try (Store store = Store.start(ANYWHERE, directory);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            kept = cluster.create(volume("kept"));
            cluster.create(volume("gone"));
            cluster.patch(
                    ObjectKey.volume("kept"),
                    new Patch(Preconditions.none(), true, List.of(FieldChange.set("Available", "status", "phase"))));
            cluster.delete(ObjectKey.volume("gone"), Preconditions.none());
            last = cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).revision();
        }
        // The process died while it wrote a line, of which no caller has an answer.
        Files.writeString(
                directory.resolve("objects.jsonl"), "{\"type\": \"STORED\", \"rev", StandardOpenOption.APPEND);

        try (Store store = Store.start(ANYWHERE, directory);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            var listing = cluster.list(Kind.PERSISTENT_VOLUME, Selection.all());
            assertThat(listing.objects()).hasSize(1);
            ApiObject found = listing.objects().get(0);
            assertThat(found.metadata().uid()).isEqualTo(kept.metadata().uid());
            assertThat(found.metadata().creationTimestamp())
                    .isEqualTo(kept.metadata().creationTimestamp());
            assertThat(Manifests.toYaml(found)).contains("phase: Available");
            assertThat(cluster.compareRevisions(found.metadata().resourceVersion(), last))
                    .isPositive();

            BlockingQueue<WatchEvent> heard = new LinkedBlockingQueue<>();
            var watch = cluster.watch(Kind.PERSISTENT_VOLUME, Selection.all(), last, heard::add);
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(WatchEvent.expired());
            watch.close();
        }
    }

    @Test
    void aDirectoryHasOneStore() throws Exception {
        try (Store store = Store.start(ANYWHERE, directory)) {
            assertThat(store.uri()).isNotNull();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> Store.start(ANYWHERE, directory))
                    .withMessageContaining("another store's");
        }
    }

    @Test
    void aDamagedFileIsNamedAndStaysAsItIs() throws Exception {
        Path file = Files.writeString(directory.resolve("objects.jsonl"), "{}\nno JSON\n");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Store.start(ANYWHERE, directory))
                .withMessageStartingWith(file + ": the line from byte 0 on is damaged: ")
                .withMessageEndingWith("name another directory");
        assertThat(file).hasContent("{}\nno JSON\n");
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (Store store = Store.start(ANYWHERE, null)) {
            String where = InetAddress.getLoopbackAddress().getHostName() + ":"
                    + store.uri().getPort();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> Store.start(
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(),
                                    store.uri().getPort()),
                            null))
                    .withMessageContaining("cannot listen at " + where + ": ")
                    .withMessageEndingWith("name another port");
        }
    }

    @Test
    void nobodyElseIsLetIn() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Store.start(new InetSocketAddress("0.0.0.0", 0), null))
                .withMessageContaining("loopback");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /                                       |                              | 404
            GET    | /api/v1/trees                           |                              | 404
            GET    | /api/v1/persistentvolumes               |                              | 200
            GET    | /api/v1/namespaces/default/pods         |                              | 200
            GET    | /api/v1/pods?labelSelector=a            |                              | 400
            GET    | /api/v1/pods?limit=x                    |                              | 400
            GET    | /api/v1/pods?limit=1&continue=7.1       |                              | 410
            GET    | /api/v1/persistentvolumes/none          |                              | 404
            PUT    | /api/v1/persistentvolumes/none          | application/json             | 405
            POST   | /api/v1/persistentvolumes               | text/plain                   | 415
            POST   | /api/v1/persistentvolumes               | application/json             | 422
            PATCH  | /api/v1/persistentvolumes/none          | application/json-patch+json  | 415
            PATCH  | /api/v1/persistentvolumes/none          | application/merge-patch+json | 404
            DELETE | /api/v1/persistentvolumes               |                              | 405
            """)
    void whatIsNotKnownIsRefused(String method, String path, String type, int code) throws Exception {
        try (Store store = Store.start(ANYWHERE, null)) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(store.uri() + path))
                    .method(
                            method,
                            type == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString("{\"kind\": \"PersistentVolume\"}"));
            if (type != null) {
                request.header("Content-Type", type);
            }
            assertThat(HttpClient.newHttpClient()
                            .send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(code);
        }
    }
}
