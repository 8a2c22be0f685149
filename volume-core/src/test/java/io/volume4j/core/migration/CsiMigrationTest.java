package io.volume4j.core.migration;

import static io.volume4j.core.migration.InTreeObjects.URI;
import static io.volume4j.core.migration.InTreeObjects.storageClass;
import static io.volume4j.core.migration.InTreeObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of reference section 6, row by row: names and sources. */
class CsiMigrationTest {
    private static final CsiMigration MIGRATION = CsiMigration.standard();

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
        assertThat(MIGRATION.driverFor(oldName)).contains(driver);
        assertThat(MIGRATION.inTreeNameFor(driver)).contains(oldName);
        assertThat(MIGRATION.driverFor(new OtherSource(source, Map.of()))).contains(driver);
        assertThat(MIGRATION.current(oldName)).isEqualTo(driver);
    }

    @Test
    void leavesEverythingElseAlone() {
        PersistentVolume nfs = volume("nfs: {server: s, path: /p}", "", "");
        StorageClass other = storageClass("loop.volume4j.io", "parameters: {fstype: xfs, zone: a}");

        assertThat(MIGRATION.toCsi(nfs)).isSameAs(nfs);
        assertThat(MIGRATION.toInTree(nfs)).isSameAs(nfs);
        assertThat(MIGRATION.toCsi(other)).isSameAs(other);
        assertThat(MIGRATION.current("loop.volume4j.io")).isEqualTo("loop.volume4j.io");
        assertThat(MIGRATION.ofInline(new PodVolume("v", new NfsSource("s", "/p", false)), "ns"))
                .isEmpty();
        assertThat(CsiMigration.repairedHandle("x.example.com", "UNSPECIFIED", "n"))
                .isEqualTo("UNSPECIFIED");
    }

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
        assertThat(MIGRATION.toCsi(volume(source, "", "")).spec().source()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("sources")
    void translatesTheSourceOfAPodsOwnVolumeToo(String source, CsiSource expected) {
        PodVolume inline = new PodVolume("data", volume(source, "", "").spec().source());

        PersistentVolume pseudo = MIGRATION.ofInline(inline, "ns").orElseThrow();
        VolumeSpec spec = MIGRATION.spec(inline, "ns");

        assertThat(pseudo.spec().source()).isEqualTo(expected);
        assertThat(pseudo.spec().volumeMode()).isEqualTo(VolumeMode.FILESYSTEM);
        assertThat(spec.name()).as("as the pod calls it").isEqualTo("data");
        assertThat(spec.source()).isEqualTo(expected);
        assertThat(CsiMigration.inline(spec)).isTrue();
        assertThat(MIGRATION.spec("va", pseudo.spec()).orElseThrow().source()).isEqualTo(expected);
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

        PersistentVolume after = MIGRATION.toInTree(MIGRATION.toCsi(before));

        assertThat(normal(after.spec().source())).isEqualTo(normal(before.spec().source()));
    }

    /** The driver looks for the device of any partition that is not empty, also of partition 0. */
    @ParameterizedTest
    @ValueSource(strings = {"gcePersistentDisk: {pdName: d}", "gcePersistentDisk: {pdName: d, partition: 0}"})
    void namesNoPartitionOfAWholeGoogleDisk(String source) {
        PersistentVolume volume = volume(source, "", "");

        CsiSource csi = (CsiSource) MIGRATION.toCsi(volume).spec().source();

        assertThat(csi.volumeAttributes()).isEqualTo(Map.of("partition", ""));
        assertThat(normal(MIGRATION.toInTree(MIGRATION.toCsi(volume)).spec().source()))
                .isEqualTo(normal(
                        volume("gcePersistentDisk: {pdName: d}", "", "").spec().source()));
    }

    /** Many nodes may have such a volume if all of them only read it. */
    @ParameterizedTest
    @CsvSource({
        "'gcePersistentDisk: {pdName: d, readOnly: true}',       READ_ONLY_MANY",
        "'gcePersistentDisk: {pdName: d}',                       READ_WRITE_ONCE",
        "'portworxVolume: {volumeID: p, readOnly: true}',        READ_ONLY_MANY",
        "'portworxVolume: {volumeID: p}',                        READ_WRITE_ONCE",
        "'cinder: {volumeID: c, readOnly: true}',                READ_WRITE_ONCE",
        "'awsElasticBlockStore: {volumeID: vol-1, readOnly: true}', READ_WRITE_ONCE",
    })
    void letsManyNodesHaveAPodsOwnVolumeThatTheyOnlyRead(String text, AccessMode expected) {
        VolumeSource source = volume(text, "", "").spec().source();

        PersistentVolume pseudo =
                MIGRATION.ofInline(new PodVolume("data", source), "ns").orElseThrow();

        assertThat(pseudo.spec().accessModes()).containsExactly(expected);
        PersistentVolume.Spec record = new PersistentVolume.Spec(
                null,
                List.of(AccessMode.READ_WRITE_MANY),
                ReclaimPolicy.RETAIN,
                "",
                VolumeMode.FILESYSTEM,
                null,
                List.of(),
                null,
                "",
                pseudo.spec().source());
        assertThat(Objects.requireNonNull(
                                MIGRATION.spec("va", record).orElseThrow().persistentVolume())
                        .spec()
                        .accessModes())
                .containsExactly(expected);
    }

    @Test
    void namesAnAzureShareByAllThatTheDriverNeeds() {
        PersistentVolume volume = volume(
                "azureFile: {secretName: azure-storage-account-acc-secret, shareName: share}",
                "annotations: {kubernetes.io/azure-file-resource-group: rg}",
                "claimRef: {namespace: team, name: c}");

        CsiSource csi = (CsiSource) MIGRATION.toCsi(volume).spec().source();

        assertThat(csi.volumeHandle()).isEqualTo("rg#acc#share#v#team");
        assertThat(csi.volumeAttributes()).isEqualTo(Map.of("shareName", "share"));
        assertThat(csi.nodeStageSecretRef()).isEqualTo(new SecretRef("team", "azure-storage-account-acc-secret"));
        assertThat(MIGRATION.toInTree(MIGRATION.toCsi(volume)).metadata().annotations())
                .containsEntry("kubernetes.io/azure-file-resource-group", "rg");
        assertThat(MIGRATION
                        .ofInline(new PodVolume("v", volume.spec().source()), "pods")
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

        CsiSource csi = (CsiSource) MIGRATION.toCsi(volume).spec().source();

        assertThat(csi)
                .isEqualTo(new CsiSource(
                        "pxd.portworx.com", "p", false, "", Map.of(), secret, secret, secret, secret, secret));
        assertThat(MIGRATION.toInTree(MIGRATION.toCsi(volume)).metadata().annotations())
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

        assertThatThrownBy(() -> MIGRATION.toCsi(volume))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("volume v");
        assertThat(MIGRATION.specIfPossible(volume, false).source())
                .isEqualTo(volume.spec().source());
    }

    @Test
    void translatesWhatAHostAddsAndTheRestAsBefore() {
        Translation rbd = new Translation("kubernetes.io/rbd", "rbd", "rbd.example.com", "image", "");
        PersistentVolume volume = volume("rbd: {image: i-1, readOnly: true}", "", "");

        CsiMigration more = MIGRATION.with(rbd);

        assertThat(more.toCsi(volume).spec().source()).isEqualTo(csi("rbd.example.com", "i-1", true, "", Map.of()));
        assertThat(more.toInTree(more.toCsi(volume)).spec().source())
                .isEqualTo(volume.spec().source());
        assertThat(more.current("kubernetes.io/rbd")).isEqualTo("rbd.example.com");
        assertThat(more.current("kubernetes.io/cinder")).isEqualTo("cinder.csi.openstack.org");
        assertThat(MIGRATION.toCsi(volume)).isSameAs(volume);
    }

    @Test
    void refusesASecondTranslationOfOneName() {
        Translation twice = new Translation("kubernetes.io/other", "cinder", "other.example.com", "volumeID", "");

        assertThatThrownBy(() -> MIGRATION.with(twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kubernetes.io/cinder");
    }

    private static CsiSource csi(
            String driver, String handle, boolean readOnly, String fsType, Map<String, String> attributes) {
        return new CsiSource(driver, handle, readOnly, fsType, attributes, null, null, null, null, null);
    }

    /** Whole numbers may be read as one type and made as another. */
    private static String normal(VolumeSource source) {
        return source instanceof OtherSource other
                ? other.type() + new java.util.TreeMap<>(other.fields())
                : source.toString();
    }
}
