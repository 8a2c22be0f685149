package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * From a claim to its snapshot to a claim that is made from it, and back to nothing, with a driver that loses answers, dies and
 * comes back; the two controllers meet only in the cluster. Afterwards nothing is left and nothing was made twice, and the
 * driver's judge has nothing to say.
 */
@Timeout(240)
class CsiSnapshotControllerTest {
    private static final String SECRET = "tops3cret-canary";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final ObjectKey SNAPSHOT = new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "s");
    private static final ObjectKey GROUP = new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, "default", "g");

    private final Place place = new Place();
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final CsiTestDriver driver = CsiTestDriver.start(DriverOptions.at(place.socket())
                    .stateDirectory(place.path().resolve("state"))
                    .secret("password", SECRET)
                    .snapshotPolls(1)
                    .mounts(MountStyle.LINKS)
                    .build())
            .revivesByItself();
    private final CsiPlugin plugin = CsiPlugin.at(new CsiEndpoint(place.socket()))
            .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
            .connect(Duration.ofSeconds(30));
    private final PluginRegistry registry = PluginRegistry.builder(
                    DefaultPluginHost.builder(place.path().resolve("node"))
                            .secrets(secrets)
                            .build())
            .plugin(plugin)
            .build();
    private final PersistentVolumeController volumes = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(registry)
            .restoresSnapshots()
            .build();
    private final SnapshotController snapshots = SnapshotController.builder()
            .cluster(cluster, cluster)
            .plugins(registry)
            .takesGroupSnapshots()
            .extraCreateMetadata()
            .build();

    @AfterEach
    void close() {
        snapshots.close();
        volumes.close();
        plugin.close();
        driver.close();
        place.close();
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "CreateSnapshot call=1 after UNAVAILABLE",
        "CreateSnapshot call=1 after crash",
        "ListSnapshots call=1 before UNAVAILABLE",
        "CreateVolume call=2 after crash",
        "DeleteSnapshot call=1 after UNAVAILABLE",
        "DeleteSnapshot call=1 after crash",
    })
    void everyLostAnswerEndsWithOneSnapshotOneCopyAndThenNothing(String fault) {
        begin();
        if (!fault.isEmpty()) {
            driver.faults().add(fault);
        }
        apply("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: s, namespace: default, uid: u-s},
                 spec: {source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: copy, namespace: default, uid: uid-copy},
                 spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}},
                        dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}}, status: {phase: Pending}}
                """);
        volumes.awaitBound(ObjectKey.claim("default", "copy"), SOON);

        assertThat(((VolumeSnapshot) cluster.get(SNAPSHOT).orElseThrow())
                        .status()
                        .ready())
                .isTrue();
        assertThat(driver.inventory().born()).containsEntry("volume pvc-uid-copy", 1);
        assertThat(driver.inventory().snapshots()).hasSize(1);
        assertThat(cluster.export())
                .filteredOn(object -> object instanceof VolumeSnapshotContent)
                .singleElement()
                .extracting(content -> content.metadata().annotation("volume4j.io/accessible-topology"))
                .as("where the driver says that it can be used")
                .isEqualTo("[{\"topology.volume4j.io/zone\":\"a\"}]");

        cluster.remove(SNAPSHOT);
        gone(SNAPSHOT);
        assertThat(driver.inventory().snapshots()).isEmpty();
        cluster.remove(ObjectKey.claim("default", "copy"));
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    @Test
    void aSnapshotThatIsNotWantedIsCreatedAgainToLearnItsHandleAndThenDeleted() {
        begin();
        driver.faults().add("CreateSnapshot call=1-2 after UNAVAILABLE");
        apply("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: s, namespace: default, uid: u-s},
                 spec: {source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick}}
                """);
        Awaitility.await().atMost(SOON).until(() -> driver.faults().struck() > 0);
        cluster.remove(SNAPSHOT);
        gone(SNAPSHOT);
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    @Test
    void aGroupIsCutAndDestroyedAsOne() {
        begin();
        apply("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: log, namespace: default, uid: uid-log, labels: {app: db}},
                 spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}},
                 status: {phase: Pending}}
                """);
        volumes.awaitBound(ObjectKey.claim("default", "log"), SOON);
        apply("""
                {apiVersion: groupsnapshot.storage.k8s.io/v1beta2, kind: VolumeGroupSnapshot,
                 metadata: {name: g, namespace: default, uid: u-g},
                 spec: {source: {selector: {matchLabels: {app: db}}}, volumeGroupSnapshotClassName: quick}}
                """);
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(cluster.get(GROUP)
                                .filter(group ->
                                        ((VolumeGroupSnapshot) group).status().ready()))
                        .as(snapshots.explain(GROUP).join().text())
                        .isPresent());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> cluster.export().stream()
                                .filter(object -> object instanceof VolumeSnapshot member
                                        && member.status().ready())
                                .count()
                        == 2);
        assertThat(driver.inventory().groups()).hasSize(1);

        cluster.remove(GROUP);
        gone(GROUP);
        assertThat(driver.inventory().groups()).isEmpty();
        assertThat(driver.inventory().snapshots()).isEmpty();
        cluster.remove(ObjectKey.claim("default", "log"));
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    /** A claim {@code data} that is bound. */
    private void begin() {
        secrets.put(Wishes.SECRET, Map.of("password", SECRET));
        cluster.apply(Wishes.storageClass(plugin.name()));
        String named = """
                {csi.storage.k8s.io/snapshotter-secret-name: key, csi.storage.k8s.io/snapshotter-secret-namespace: default,
                 csi.storage.k8s.io/snapshotter-list-secret-name: key, csi.storage.k8s.io/snapshotter-list-secret-namespace: default}
                """;
        apply("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: quick}, driver: DRIVER,
                 deletionPolicy: Delete, parameters: SECRETS}
                ---
                {apiVersion: groupsnapshot.storage.k8s.io/v1beta2, kind: VolumeGroupSnapshotClass, metadata: {name: quick},
                 driver: DRIVER, deletionPolicy: Delete, parameters: {csi.storage.k8s.io/group-snapshotter-secret-name: key,
                 csi.storage.k8s.io/group-snapshotter-secret-namespace: "${volumegroupsnapshot.namespace}"}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: default, uid: uid-data, labels: {app: db}},
                 spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}},
                 status: {phase: Pending}}
                """.replace("DRIVER", plugin.name()).replace("SECRETS", named.strip()));
        volumes.start();
        snapshots.start();
        volumes.awaitBound(ObjectKey.claim("default", "data"), SOON);
    }

    private void apply(String yaml) {
        Manifests.read("test", yaml).forEach(cluster::apply);
    }

    private void gone(ObjectKey key) {
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(cluster.get(key))
                        .as(snapshots.explain(key).join().text())
                        .isEmpty());
    }

    private void nothingIsLeft() {
        Awaitility.await()
                .atMost(SOON)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(driver.inventory().leaks()).isEmpty());
        assertThat(driver.oracle().violations()).isEmpty();
        place.holdsNothingOf(SECRET, place.path().resolve("state"));
        assertThat(cluster.export().toString()).doesNotContain(SECRET);
    }
}
