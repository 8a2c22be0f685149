package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Objects that API servers accept, although something in them cannot mean anything, stop the work for no other object. */
@Timeout(180)
class OddObjectsTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j");

    @TempDir
    Path root;

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    @Test
    void stopNoOther() throws IOException {
        for (Map<String, @Nullable Object> tree : odd()) {
            cluster.apply(Manifests.fromTree(tree));
        }
        apply("""
                {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready, status: 'True'}]}}
                ---
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
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
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
                        .tellsUnusedClaims()
                        .build();
                AttachDetachController attaches = AttachDetachController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .build();
                VolumeManager node = VolumeManager.builder()
                        .cluster(cluster)
                        .clusterWriter(cluster)
                        .attachMode(AttachMode.CONTROLLER)
                        .journalInMemory()
                        .plugins(plugins)
                        .build()) {
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
