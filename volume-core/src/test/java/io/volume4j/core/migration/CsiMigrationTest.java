package io.volume4j.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of reference section 6, row by row. */
class CsiMigrationTest {
    private static final String URI = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d1";

    @ParameterizedTest
    @CsvSource({
        "kubernetes.io/aws-ebs, ebs.csi.aws.com, awsElasticBlockStore",
        "kubernetes.io/gce-pd, pd.csi.storage.gke.io, gcePersistentDisk",
        "kubernetes.io/cinder, cinder.csi.openstack.org, cinder",
        "kubernetes.io/azure-disk, disk.csi.azure.com, azureDisk",
        "kubernetes.io/azure-file, file.csi.azure.com, azureFile",
        "kubernetes.io/vsphere-volume, csi.vsphere.vmware.com, vsphereVolume",
        "kubernetes.io/portworx-volume, pxd.portworx.com, portworxVolume",
    })
    void namesTheDriverOfEachKind(String oldName, String driver, String source) {
        assertThat(CsiMigration.driverFor(oldName)).contains(driver);
        assertThat(CsiMigration.inTreeNameFor(driver)).contains(oldName);
        assertThat(CsiMigration.driverFor(new OtherSource(source, Map.of()))).contains(driver);
        assertThat(CsiMigration.current(oldName)).isEqualTo(driver);
    }

    @Test
    void leavesEverythingElseAlone() {
        PersistentVolume nfs = volume("nfs: {server: s, path: /p}", "", "");
        StorageClass other = storageClass("loop.volume4j.io", "parameters: {fstype: xfs, zone: a}");

        assertThat(CsiMigration.toCsi(nfs)).isSameAs(nfs);
        assertThat(CsiMigration.toInTree(nfs)).isSameAs(nfs);
        assertThat(CsiMigration.toCsi(other)).isSameAs(other);
        assertThat(CsiMigration.current("loop.volume4j.io")).isEqualTo("loop.volume4j.io");
        assertThat(CsiMigration.ofInline(new PodVolume("v", new NfsSource("s", "/p", false)), "ns"))
                .isEmpty();
        assertThat(CsiMigration.repairedHandle("x.example.com", "UNSPECIFIED", "n"))
                .isEqualTo("UNSPECIFIED");
    }

    // Sources.

    static Stream<Arguments> sources() {
        return Stream.of(
                arguments(
                        "awsElasticBlockStore: {volumeID: 'aws://us-east-1a/vol-1', fsType: ext4, partition: 2, readOnly: true}",
                        csi("ebs.csi.aws.com", "vol-1", true, "ext4", Map.of("partition", "2"))),
                arguments(
                        "awsElasticBlockStore: {volumeID: 'aws:///vol-1'}",
                        csi("ebs.csi.aws.com", "vol-1", false, "", Map.of("partition", "0"))),
                arguments(
                        "awsElasticBlockStore: {volumeID: vol-1}",
                        csi("ebs.csi.aws.com", "vol-1", false, "", Map.of("partition", "0"))),
                arguments(
                        "gcePersistentDisk: {pdName: d, fsType: xfs, partition: 1}",
                        csi(
                                "pd.csi.storage.gke.io",
                                "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
                                false,
                                "xfs",
                                Map.of("partition", "1"))),
                arguments(
                        "cinder: {volumeID: c-1, fsType: ext3, readOnly: true}",
                        csi("cinder.csi.openstack.org", "c-1", true, "ext3", Map.of())),
                arguments(
                        "azureDisk: {diskName: d1, diskURI: '" + URI
                                + "', cachingMode: ReadOnly, fsType: ext4, kind: Managed}",
                        csi(
                                "disk.csi.azure.com",
                                URI,
                                false,
                                "ext4",
                                Map.of("kind", "Managed", "cachingmode", "ReadOnly", "fstype", "ext4"))),
                arguments(
                        "azureDisk: {diskName: d1, diskURI: '" + URI + "'}",
                        csi("disk.csi.azure.com", URI, false, "", Map.of("kind", "Managed"))),
                arguments(
                        "vsphereVolume: {volumePath: '[ds] v.vmdk', fsType: ext4, storagePolicyName: gold}",
                        csi(
                                "csi.vsphere.vmware.com",
                                "[ds] v.vmdk",
                                false,
                                "ext4",
                                Map.of("storagepolicyname", "gold"))),
                arguments(
                        "vsphereVolume: {volumePath: '[ds] v.vmdk'}",
                        csi("csi.vsphere.vmware.com", "[ds] v.vmdk", false, "", Map.of())),
                arguments(
                        "portworxVolume: {volumeID: p-1, fsType: ext4, readOnly: true}",
                        csi("pxd.portworx.com", "p-1", true, "ext4", Map.of())));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void translatesTheSourceOfAVolume(String source, CsiSource expected) {
        assertThat(CsiMigration.toCsi(volume(source, "", "")).spec().source()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("sources")
    void translatesTheSourceOfAPodsOwnVolumeToo(String source, CsiSource expected) {
        PodVolume inline = new PodVolume("data", volume(source, "", "").spec().source());

        PersistentVolume pseudo = CsiMigration.ofInline(inline, "ns").orElseThrow();
        VolumeSpec spec = CsiMigration.spec(inline, "ns");

        assertThat(pseudo.spec().source()).isEqualTo(expected);
        assertThat(pseudo.spec().volumeMode()).isEqualTo(VolumeMode.FILESYSTEM);
        assertThat(pseudo.spec().accessModes()).containsExactly(AccessMode.READ_WRITE_ONCE);
        assertThat(spec.name()).as("as the pod calls it").isEqualTo("data");
        assertThat(spec.source()).isEqualTo(expected);
        assertThat(CsiMigration.inline(spec)).isTrue();
        assertThat(CsiMigration.spec("va", pseudo.spec()).orElseThrow().source())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "awsElasticBlockStore: {volumeID: vol-1, fsType: ext4, partition: 2, readOnly: true}",
                "gcePersistentDisk: {pdName: d, fsType: xfs, partition: 1, readOnly: true}",
                "cinder: {volumeID: c-1, fsType: ext3, readOnly: true}",
                "azureDisk: {diskName: d1, diskURI: '" + URI + "', cachingMode: ReadOnly, fsType: ext4, kind: Managed}",
                "azureFile: {secretName: azure-storage-account-acc-secret, secretNamespace: ns, shareName: share, readOnly: true}",
                "azureFile: {secretName: mine, secretNamespace: ns, shareName: share}",
                "vsphereVolume: {volumePath: '[ds] v.vmdk', fsType: ext4, storagePolicyName: gold}",
                "portworxVolume: {volumeID: p-1, fsType: ext4, readOnly: true}",
            })
    void comesBackAsItWas(String source) {
        PersistentVolume before = volume(source, "", "");

        PersistentVolume after = CsiMigration.toInTree(CsiMigration.toCsi(before));

        assertThat(normal(after.spec().source())).isEqualTo(normal(before.spec().source()));
    }

    @Test
    void namesAnAzureShareByAllThatTheDriverNeeds() {
        PersistentVolume volume = volume(
                "azureFile: {secretName: azure-storage-account-acc-secret, shareName: share}",
                "annotations: {kubernetes.io/azure-file-resource-group: rg}",
                "claimRef: {namespace: team, name: c}");

        CsiSource csi = (CsiSource) CsiMigration.toCsi(volume).spec().source();

        assertThat(csi.volumeHandle()).isEqualTo("rg#acc#share#v#team");
        assertThat(csi.volumeAttributes()).isEqualTo(Map.of("shareName", "share"));
        assertThat(csi.nodeStageSecretRef()).isEqualTo(new SecretRef("team", "azure-storage-account-acc-secret"));
        assertThat(CsiMigration.toInTree(CsiMigration.toCsi(volume)).metadata().annotations())
                .containsEntry("kubernetes.io/azure-file-resource-group", "rg");
        assertThat(CsiMigration.ofInline(new PodVolume("v", volume.spec().source()), "pods")
                        .orElseThrow()
                        .spec())
                .satisfies(spec -> {
                    assertThat(((CsiSource) spec.source()).volumeHandle()).isEqualTo("#acc#share#v#pods");
                    assertThat(spec.accessModes()).containsExactly(AccessMode.READ_WRITE_MANY);
                });
    }

    @Test
    void givesEveryCallOfPortworxTheOneSecret() {
        PersistentVolume volume = volume(
                "portworxVolume: {volumeID: p}",
                "annotations: {openstorage.io/auth-secret-name: s, openstorage.io/auth-secret-namespace: ns}",
                "");
        SecretRef secret = new SecretRef("ns", "s");

        CsiSource csi = (CsiSource) CsiMigration.toCsi(volume).spec().source();

        assertThat(csi)
                .isEqualTo(new CsiSource(
                        "pxd.portworx.com", "p", false, "", Map.of(), secret, secret, secret, secret, secret));
        assertThat(CsiMigration.toInTree(CsiMigration.toCsi(volume)).metadata().annotations())
                .isEqualTo(volume.metadata().annotations());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "awsElasticBlockStore: {volumeID: 'aws://zone/disk-1'}",
                "awsElasticBlockStore: {volumeID: ''}",
                "awsElasticBlockStore: {volumeID: vol-1/2}",
                "gcePersistentDisk: {fsType: ext4}",
                "cinder: {fsType: ext4}",
                "azureDisk: {diskName: d, diskURI: 'https://account.blob.core.windows.net/vhds/d.vhd', kind: Dedicated}",
                "azureDisk: {diskName: d, diskURI: '" + URI + "', kind: Shared}",
                "azureDisk: {diskName: d, diskURI: 'https://account.blob.core.windows.net/vhds/d.vhd'}",
                "azureFile: {shareName: s}",
                "azureFile: {secretName: s}",
                "vsphereVolume: {fsType: ext4}",
                "portworxVolume: {fsType: ext4}",
            })
    void saysWhyASourceCannotBeTranslated(String source) {
        PersistentVolume volume = volume(source, "", "");

        assertThatThrownBy(() -> CsiMigration.toCsi(volume))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("volume v");
        assertThat(CsiMigration.specIfPossible(volume, false).source())
                .isEqualTo(volume.spec().source());
    }

    // GCE disks.

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

        assertThat(((CsiSource) CsiMigration.toCsi(volume).spec().source()).volumeHandle())
                .isEqualTo(handle);
    }

    @Test
    void refusesZonesOfTwoRegions() {
        PersistentVolume volume = volume(
                "gcePersistentDisk: {pdName: d}",
                "labels: {topology.kubernetes.io/zone: us-central1-a__europe-west1-b}",
                "");

        assertThatThrownBy(() -> CsiMigration.toCsi(volume)).hasMessageContaining("are not of one region");
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

        assertThat(CsiMigration.toCsi(volume).spec().accessModes()).containsExactly(expected);
    }

    // Places.

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

        assertThat(requirement(CsiMigration.toCsi(volume))).isEqualTo(expected + " In [zone-1]");
    }

    @Test
    void letsAffinityBeatLabelsAndNewLabelsBeatOldOnes() {
        String labels = "labels: {topology.kubernetes.io/zone: b, failure-domain.beta.kubernetes.io/zone: c}";

        assertThat(requirement(CsiMigration.toCsi(volume(
                        "awsElasticBlockStore: {volumeID: vol-1}",
                        labels,
                        affinity("topology.kubernetes.io/zone", "a")))))
                .isEqualTo("topology.ebs.csi.aws.com/zone In [a]");
        assertThat(requirement(CsiMigration.toCsi(volume("awsElasticBlockStore: {volumeID: vol-1}", labels, ""))))
                .isEqualTo("topology.ebs.csi.aws.com/zone In [b]");
    }

    @Test
    void givesTheInTreeFormItsZoneAndRegionBack() {
        PersistentVolume before = volume(
                "gcePersistentDisk: {pdName: d}",
                "labels: {topology.kubernetes.io/zone: us-central1-a__us-central1-b}",
                "");

        PersistentVolume csi = CsiMigration.toCsi(before);
        PersistentVolume bare =
                new PersistentVolume(csi.metadata().withLabels(Map.of()), csi.spec(), csi.status(), csi.unmodeled());
        PersistentVolume after = CsiMigration.toInTree(bare);

        assertThat(requirement(after)).isEqualTo("topology.kubernetes.io/zone In [us-central1-a, us-central1-b]");
        assertThat(after.metadata().labels())
                .isEqualTo(Map.of(
                        "topology.kubernetes.io/zone", "us-central1-a__us-central1-b",
                        "topology.kubernetes.io/region", "us-central1"));
    }

    // Classes.

    static Stream<Arguments> classes() {
        return Stream.of(
                arguments(
                        "kubernetes.io/aws-ebs",
                        "parameters: {fsType: ext4, type: io1, iopsPerGB: '10'}",
                        Map.of(
                                "csi.storage.k8s.io/fstype",
                                "ext4",
                                "type",
                                "io1",
                                "iopsPerGB",
                                "10",
                                "allowautoiopspergbincrease",
                                "true"),
                        ""),
                arguments(
                        "kubernetes.io/aws-ebs",
                        "parameters: {zone: a}",
                        Map.of(),
                        "topology.ebs.csi.aws.com/zone In [a]"),
                arguments(
                        "kubernetes.io/aws-ebs",
                        "parameters: {zones: 'a, b'}",
                        Map.of(),
                        "topology.ebs.csi.aws.com/zone In [a, b]"),
                arguments(
                        "kubernetes.io/aws-ebs",
                        topologies("failure-domain.beta.kubernetes.io/zone", "a"),
                        Map.of(),
                        "topology.ebs.csi.aws.com/zone In [a]"),
                arguments(
                        "kubernetes.io/gce-pd",
                        "parameters: {fstype: xfs, type: pd-ssd, replication-type: regional-pd, zones: 'a,b'}",
                        Map.of("csi.storage.k8s.io/fstype", "xfs", "type", "pd-ssd", "replication-type", "regional-pd"),
                        "topology.gke.io/zone In [a, b]"),
                arguments(
                        "kubernetes.io/gce-pd",
                        topologies("topology.kubernetes.io/zone", "a"),
                        Map.of(),
                        "topology.gke.io/zone In [a]"),
                arguments(
                        "kubernetes.io/cinder",
                        "parameters: {fsType: ext4, availability: nova, type: fast}",
                        Map.of("csi.storage.k8s.io/fstype", "ext4", "availability", "nova", "type", "fast"),
                        ""),
                arguments(
                        "kubernetes.io/azure-disk",
                        "parameters: {kind: Managed, skuName: P}",
                        Map.of("kind", "Managed", "skuName", "P"),
                        ""),
                arguments(
                        "kubernetes.io/azure-disk",
                        topologies("topology.kubernetes.io/zone", "1"),
                        Map.of(),
                        "topology.disk.csi.azure.com/zone In []"),
                arguments(
                        "kubernetes.io/azure-disk",
                        topologies("topology.kubernetes.io/zone", "westus-1"),
                        Map.of(),
                        "topology.disk.csi.azure.com/zone In [westus-1]"),
                arguments(
                        "kubernetes.io/azure-file",
                        "parameters: {fsType: x, skuName: P, location: eu}",
                        Map.of("fsType", "x", "skuName", "P", "location", "eu"),
                        ""),
                arguments(
                        "kubernetes.io/vsphere-volume",
                        "parameters: {fstype: ext4, storagePolicyName: gold, datastore: ds, diskformat: thin, hostFailuresToTolerate: '1', "
                                + "forceProvisioning: '0', cacheReservation: '20', diskStripes: '2', objectSpaceReservation: '3', iopslimit: '4', unknown: x}",
                        Map.ofEntries(
                                Map.entry("csi.storage.k8s.io/fstype", "ext4"),
                                Map.entry("storagepolicyname", "gold"),
                                Map.entry("datastore-migrationparam", "ds"),
                                Map.entry("diskformat-migrationparam", "thin"),
                                Map.entry("hostfailurestotolerate-migrationparam", "1"),
                                Map.entry("forceprovisioning-migrationparam", "0"),
                                Map.entry("cachereservation-migrationparam", "20"),
                                Map.entry("diskstripes-migrationparam", "2"),
                                Map.entry("objectspacereservation-migrationparam", "3"),
                                Map.entry("iopslimit-migrationparam", "4"),
                                Map.entry("csimigration", "true")),
                        ""),
                arguments(
                        "kubernetes.io/portworx-volume",
                        "parameters: {repl: '3', fs: ext4}",
                        Map.of("repl", "3", "fs", "ext4"),
                        ""));
    }

    @ParameterizedTest
    @MethodSource("classes")
    void translatesAClass(String provisioner, String fields, Map<String, String> parameters, String topology) {
        StorageClass translated = CsiMigration.toCsi(storageClass(provisioner, fields));

        assertThat(translated.provisioner()).isEqualTo(CsiMigration.current(provisioner));
        assertThat(translated.parameters()).isEqualTo(parameters);
        NodeSelector allowed = translated.allowedTopologies();
        assertThat(allowed == null ? "" : text(allowed)).isEqualTo(topology);
    }

    @Test
    void givesEveryCallOfAPortworxClassTheOneSecret() {
        Map<String, String> parameters = CsiMigration.toCsi(storageClass(
                        "kubernetes.io/portworx-volume",
                        "parameters: {openstorage.io/auth-secret-name: s, openstorage.io/auth-secret-namespace: ns}"))
                .parameters();

        for (String call : List.of(
                "provisioner",
                "controller-publish",
                "node-stage",
                "node-publish",
                "controller-expand",
                "node-expand")) {
            assertThat(parameters)
                    .containsEntry("csi.storage.k8s.io/" + call + "-secret-name", "s")
                    .containsEntry("csi.storage.k8s.io/" + call + "-secret-namespace", "ns");
        }
        assertThat(parameters)
                .containsEntry("openstorage.io/auth-secret-name", "s")
                .hasSize(14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zone: a", "zones: 'a,b'"})
    void refusesAClassThatSaysTwiceWhere(String parameter) {
        StorageClass twice = storageClass(
                "kubernetes.io/aws-ebs",
                "parameters: {" + parameter + "}, " + topologies("topology.kubernetes.io/zone", "a"));

        assertThatThrownBy(() -> CsiMigration.toCsi(twice)).hasMessageContaining("says where volumes are made twice");
        assertThat(CsiMigration.problem(twice)).isPresent();
        assertThat(CsiMigration.toCsiIfPossible(twice)).isSameAs(twice);
    }

    @Test
    void refusesAnEmptyZone() {
        assertThat(CsiMigration.problem(storageClass("kubernetes.io/gce-pd", "parameters: {zones: 'a,,b'}")))
                .contains("parameter zones of a class of kubernetes.io/gce-pd names an empty zone: \"a,,b\"");
    }

    private static CsiSource csi(
            String driver, String handle, boolean readOnly, String fsType, Map<String, String> attributes) {
        return new CsiSource(driver, handle, readOnly, fsType, attributes, null, null, null, null, null);
    }

    private static PersistentVolume volume(String source, String metadata, String spec) {
        return (PersistentVolume) Manifests.read(
                        "v",
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v"
                                + (metadata.isEmpty() ? "" : ", " + metadata)
                                + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]"
                                + (spec.isEmpty() ? "" : ", " + spec) + ", " + source + "}}")
                .get(0);
    }

    private static StorageClass storageClass(String provisioner, String fields) {
        return (StorageClass) Manifests.read(
                        "c",
                        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: c}, provisioner: "
                                + provisioner + ", " + fields + "}")
                .get(0);
    }

    private static String affinity(String key, String value) {
        return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " + key
                + ", operator: In, values: [" + value + "]}]}]}}";
    }

    private static String topologies(String key, String value) {
        return "allowedTopologies: [{matchLabelExpressions: [{key: " + key + ", values: ['" + value + "']}]}]";
    }

    private static String requirement(PersistentVolume volume) {
        NodeSelector affinity = volume.spec().nodeAffinity();
        return affinity == null ? "" : text(affinity);
    }

    private static String text(NodeSelector selector) {
        return String.join(
                " or ",
                selector.terms().stream()
                        .map(term -> String.join(
                                " and ",
                                term.matchExpressions().stream()
                                        .map(each -> each.key() + " " + each.operator() + " " + each.values())
                                        .toList()))
                        .toList());
    }

    /** Whole numbers may be read as one type and made as another. */
    private static String normal(VolumeSource source) {
        return source instanceof OtherSource other
                ? other.type() + new java.util.TreeMap<>(other.fields())
                : source.toString();
    }
}
