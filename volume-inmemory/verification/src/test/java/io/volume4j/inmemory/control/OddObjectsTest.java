package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.PersistentVolumeControllerBuilder;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Objects that API servers accept, although something in them cannot mean anything, stop the work for no other object. */
@Timeout(180)
class OddObjectsTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j");
    private final @Nullable Level before = logger.getLevel();

    @TempDir
    Path root;

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(before);
    }

    /** Each name would be a line of its own in a log, and longer than an event may be. */
    private static final String FORGING = "x\nforged: " + "all is well, ".repeat(1000);

    @Test
    void forgeNoLineAndFloodNoEvent() {
        cluster.apply(node());
        apply("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem}");
        RecordingEvents events = new RecordingEvents();
        List<ObjectKey> odd = forging().stream()
                .map(Manifests::fromTree)
                .peek(cluster::apply)
                .map(ApiObject::key)
                .toList();
        List<String> texts = new ArrayList<>();
        PluginRegistry plugins = plugins();
        try (PersistentVolumeController controller =
                        controller(plugins).events(events).build();
                VolumeManager node = node(plugins).events(events).build()) {
            controller.start();
            node.start();
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                texts.clear();
                for (ObjectKey key : odd) {
                    String text = (key.kind() == Kind.POD
                                    ? node.explainPod(key.namespace(), key.name())
                                    : controller.explain(key))
                            .get(1, TimeUnit.MINUTES)
                            .text();
                    assertThat(text).as("what is said of %s", key).contains("x?forged");
                    texts.add(text);
                }
            });
        }
        events.all().forEach(event -> texts.add(event.message()));
        for (ILoggingEvent line : List.copyOf(log.list)) {
            texts.add(line.getFormattedMessage());
            List<KeyValuePair> pairs = line.getKeyValuePairs();
            if (pairs != null) {
                pairs.forEach(pair -> texts.add(String.valueOf(pair.value)));
            }
        }
        assertThat(events.all()).isNotEmpty();
        assertThat(texts)
                .allSatisfy(text -> assertThat(text).doesNotContain("\nforged").hasSizeLessThan(2000));
    }

    private static List<Map<String, @Nullable Object>> forging() {
        String snapshots = "snapshot.storage.k8s.io/v1";
        return List.of(
                object("v1", "Pod", "claim", pod(Map.of("persistentVolumeClaim", Map.of("claimName", FORGING)))),
                object("v1", "Pod", "driver", pod(Map.of("flexVolume", Map.of("driver", FORGING)))),
                object("v1", "Pod", "secret", pod(Map.of("secret", Map.of("secretName", FORGING)))),
                object("v1", "Pod", "config", pod(Map.of("configMap", Map.of("name", FORGING)))),
                object("v1", "PersistentVolumeClaim", "volume", claim(Map.of("volumeName", FORGING))),
                object("v1", "PersistentVolumeClaim", "class", claim(Map.of("storageClassName", FORGING))),
                object(
                        "v1",
                        "PersistentVolumeClaim",
                        "source",
                        claim(Map.of(
                                "storageClassName",
                                "fast",
                                "dataSourceRef",
                                Map.of("apiGroup", "example.com", "kind", "Hello", "name", FORGING)))),
                object(
                        snapshots,
                        "VolumeSnapshot",
                        "claim",
                        Map.of("source", Map.of("persistentVolumeClaimName", FORGING))),
                object(
                        snapshots,
                        "VolumeSnapshot",
                        "content",
                        Map.of("source", Map.of("volumeSnapshotContentName", FORGING))),
                object("volume4j.io/v1alpha1", "VolumeMove", "claim", Map.of("claimName", FORGING)));
    }

    private static Map<String, @Nullable Object> object(String version, String kind, String name, Object spec) {
        return Map.of(
                "apiVersion",
                version,
                "kind",
                kind,
                "metadata",
                Map.of("name", name, "namespace", "default", "uid", "uid-" + kind + "-" + name),
                "spec",
                spec);
    }

    private static Map<String, Object> pod(Map<String, Object> source) {
        Map<String, Object> volume = new TreeMap<>(source);
        volume.put("name", "v");
        return Map.of(
                "nodeName",
                "n1",
                "containers",
                List.of(Map.of(
                        "name", "c", "image", "i", "volumeMounts", List.of(Map.of("name", "v", "mountPath", "/v")))),
                "volumes",
                List.of(volume));
    }

    private static Map<String, Object> claim(Map<String, Object> more) {
        Map<String, Object> spec = new TreeMap<>(more);
        spec.put("accessModes", List.of("ReadWriteOnce"));
        spec.put("resources", Map.of("requests", Map.of("storage", "1Gi")));
        return spec;
    }

    @Test
    void stopNoOther() throws IOException {
        for (Map<String, @Nullable Object> tree : odd()) {
            cluster.apply(Manifests.fromTree(tree));
        }
        cluster.apply(node());
        apply("""
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem}
                ---
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: snap}, driver: mem, deletionPolicy: Delete}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: good, namespace: default}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: good, namespace: default, uid: good}, spec: {nodeName: n1, containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, persistentVolumeClaim: {claimName: good}}]}}
                ---
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: good, namespace: default}, spec: {volumeSnapshotClassName: snap, source: {persistentVolumeClaimName: good}}}
                """);
        PluginRegistry plugins = plugins();
        try (PersistentVolumeController controller = controller(plugins).build();
                AttachDetachController attaches = AttachDetachController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .build();
                VolumeManager node = node(plugins).build()) {
            controller.start();
            attaches.start();
            node.start();

            controller.awaitBound(ObjectKey.claim("default", "good"), Duration.ofSeconds(60));
            node.awaitMounted("good", Duration.ofSeconds(60));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> cluster.get(new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "good"))
                            .map(VolumeSnapshot.class::cast)
                            .orElseThrow()
                            .status()
                            .ready());
        }
        assertThat(cluster.get(ObjectKey.volume("odd-ref-uid")))
                .as("its claim may be there")
                .map(PersistentVolume.class::cast)
                .hasValueSatisfying(
                        volume -> assertThat(volume.status().phase()).isNotEqualTo(VolumePhase.RELEASED));
        assertThat(List.copyOf(log.list))
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .isEmpty();
    }

    private PersistentVolumeControllerBuilder controller(PluginRegistry plugins) {
        return PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .expandsVolumes()
                .protectsWhatIsUsed()
                .makesPodClaims()
                .readsDataSources()
                .movesVolumes()
                .takesSnapshots()
                .takesGroupSnapshots()
                .restoresSnapshots()
                .tellsUnusedClaims();
    }

    private VolumeManagerBuilder node(PluginRegistry plugins) {
        return VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .attachMode(AttachMode.CONTROLLER)
                .journalInMemory()
                .plugins(plugins);
    }

    private static ApiObject node() {
        return Manifests.read("test", """
                {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready, status: 'True'}]}}
                """).get(0);
    }

    private PluginRegistry plugins() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        return PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugin(InMemoryPlugin.builder(InMemoryStorage.create()).build())
                .defaults(VolumePlugins.defaultPlugins())
                .build();
    }

    private void apply(String manifests) {
        Manifests.read("test", manifests).forEach(cluster::apply);
    }

    private static List<Map<String, @Nullable Object>> odd() throws IOException {
        Path file = Path.of(System.getProperty("volume4j.root"))
                .resolve("volume-core/src/test/resources/manifests/accepted/odd.yaml");
        return new YAMLMapper()
                .readerFor(new TypeReference<Map<String, @Nullable Object>>() {})
                .<Map<String, @Nullable Object>>readValues(file.toFile())
                .readAll();
    }
}
