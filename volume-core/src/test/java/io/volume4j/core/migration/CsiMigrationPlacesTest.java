package io.volume4j.core.migration;

import static io.volume4j.core.migration.InTreeObjects.URI;
import static io.volume4j.core.migration.InTreeObjects.affinity;
import static io.volume4j.core.migration.InTreeObjects.requirement;
import static io.volume4j.core.migration.InTreeObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a translated volume is: the zones of GCE disks and the affinity of all. */
class CsiMigrationPlacesTest {
    private static final CsiMigration MIGRATION = CsiMigration.standard();

    @ParameterizedTest
    @CsvSource({
        "'topology.kubernetes.io/zone: us-central1-a', projects/UNSPECIFIED/zones/us-central1-a/disks/d",
        "'failure-domain.beta.kubernetes.io/zone: us-central1-b', projects/UNSPECIFIED/zones/us-central1-b/disks/d",
        "'topology.kubernetes.io/zone: us-central1-a, failure-domain.beta.kubernetes.io/zone: us-central1-b', projects/UNSPECIFIED/zones/us-central1-a/disks/d",
        "'topology.kubernetes.io/zone: us-central1-a__us-central1-b', projects/UNSPECIFIED/regions/us-central1/disks/d",
        "'', projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
    })
    void findsAGceDiskByItsZones(String labels, String handle) {
        PersistentVolume volume = volume("gcePersistentDisk: {pdName: d}", "labels: {" + labels + "}", "");

        assertThat(((CsiSource) MIGRATION.toCsi(volume).spec().source()).volumeHandle())
                .isEqualTo(handle);
    }

    @Test
    void refusesZonesOfTwoRegions() {
        PersistentVolume volume = volume(
                "gcePersistentDisk: {pdName: d}",
                "labels: {topology.kubernetes.io/zone: us-central1-a__europe-west1-b}",
                "");

        assertThatThrownBy(() -> MIGRATION.toCsi(volume)).hasMessageContaining("are not of one region");
    }

    @ParameterizedTest
    @CsvSource({
        "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d, projects/P/zones/us-central1-a/instances/i, projects/P/zones/us-central1-a/disks/d",
        "projects/UNSPECIFIED/zones/us-central1-b/disks/d, projects/P/zones/us-central1-a/instances/i, projects/P/zones/us-central1-b/disks/d",
        "projects/UNSPECIFIED/regions/UNSPECIFIED/disks/d, projects/P/zones/us-central1-a/instances/i, projects/P/regions/us-central1/disks/d",
        "projects/Q/zones/us-central1-b/disks/d, projects/P/zones/us-central1-a/instances/i, projects/Q/zones/us-central1-b/disks/d",
        "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d, i-1, projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
        "d, projects/P/zones/us-central1-a/instances/i, d",
    })
    void repairsAHandleByTheNode(String handle, String node, String repaired) {
        assertThat(CsiMigration.repairedHandle("pd.csi.storage.gke.io", handle, node))
                .isEqualTo(repaired);
    }

    @ParameterizedTest
    @CsvSource({
        "ReadWriteMany, READ_WRITE_ONCE",
        "'ReadWriteOnce, ReadOnlyMany', READ_WRITE_ONCE",
        "'ReadWriteOnce, ReadWriteMany', READ_WRITE_ONCE",
        "ReadOnlyMany, READ_ONLY_MANY",
        "ReadWriteOnce, READ_WRITE_ONCE",
    })
    void givesAGceDiskToNoMoreThanTheDriverCan(String modes, AccessMode expected) {
        PersistentVolume volume = (PersistentVolume) Manifests.read(
                        "v",
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi}, accessModes: ["
                                + modes + "], gcePersistentDisk: {pdName: d}}}")
                .get(0);

        assertThat(MIGRATION.toCsi(volume).spec().accessModes()).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({
        // kind, labels, key of the affinity (none for ''), expected key, expected value
        "awsElasticBlockStore: {volumeID: vol-1}, topology.kubernetes.io/zone, topology.ebs.csi.aws.com/zone",
        "awsElasticBlockStore: {volumeID: vol-1}, failure-domain.beta.kubernetes.io/zone, topology.ebs.csi.aws.com/zone",
        "gcePersistentDisk: {pdName: d}, topology.kubernetes.io/zone, topology.gke.io/zone",
        "cinder: {volumeID: c}, topology.kubernetes.io/zone, topology.cinder.csi.openstack.org/zone",
        "azureDisk: {diskURI: '" + URI + "'}, topology.kubernetes.io/zone, topology.kubernetes.io/zone",
        "vsphereVolume: {volumePath: p}, failure-domain.beta.kubernetes.io/zone, topology.kubernetes.io/zone",
        "portworxVolume: {volumeID: p}, topology.kubernetes.io/zone, topology.kubernetes.io/zone",
    })
    void saysThePlaceInTheDriversWords(String source, String key, String expected) {
        PersistentVolume volume = volume(source, "", affinity(key, "zone-1"));

        assertThat(requirement(MIGRATION.toCsi(volume))).isEqualTo(expected + " In [zone-1]");
    }

    @Test
    void letsAffinityBeatLabelsAndNewLabelsBeatOldOnes() {
        String labels = "labels: {topology.kubernetes.io/zone: b, failure-domain.beta.kubernetes.io/zone: c}";

        assertThat(requirement(MIGRATION.toCsi(volume(
                        "awsElasticBlockStore: {volumeID: vol-1}",
                        labels,
                        affinity("topology.kubernetes.io/zone", "a")))))
                .isEqualTo("topology.ebs.csi.aws.com/zone In [a]");
        assertThat(requirement(MIGRATION.toCsi(volume("awsElasticBlockStore: {volumeID: vol-1}", labels, ""))))
                .isEqualTo("topology.ebs.csi.aws.com/zone In [b]");
    }

    @Test
    void givesTheInTreeFormItsZoneAndRegionBack() {
        PersistentVolume before = volume(
                "gcePersistentDisk: {pdName: d}",
                "labels: {topology.kubernetes.io/zone: us-central1-a__us-central1-b}",
                "");

        PersistentVolume csi = MIGRATION.toCsi(before);
        PersistentVolume bare =
                new PersistentVolume(csi.metadata().withLabels(Map.of()), csi.spec(), csi.status(), csi.unmodeled());
        PersistentVolume after = MIGRATION.toInTree(bare);

        assertThat(requirement(after)).isEqualTo("topology.kubernetes.io/zone In [us-central1-a, us-central1-b]");
        assertThat(after.metadata().labels())
                .isEqualTo(Map.of(
                        "topology.kubernetes.io/zone", "us-central1-a__us-central1-b",
                        "topology.kubernetes.io/region", "us-central1"));
    }
}
