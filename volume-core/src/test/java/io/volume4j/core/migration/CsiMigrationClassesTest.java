package io.volume4j.core.migration;

import static io.volume4j.core.migration.InTreeObjects.storageClass;
import static io.volume4j.core.migration.InTreeObjects.text;
import static io.volume4j.core.migration.InTreeObjects.topologies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a translated class asks of its driver. */
class CsiMigrationClassesTest {
    private static final CsiMigration MIGRATION = CsiMigration.standard();

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
        StorageClass translated = MIGRATION.toCsi(storageClass(provisioner, fields));

        assertThat(translated.provisioner()).isEqualTo(MIGRATION.current(provisioner));
        assertThat(translated.parameters()).isEqualTo(parameters);
        NodeSelector allowed = translated.allowedTopologies();
        assertThat(allowed == null ? "" : text(allowed)).isEqualTo(topology);
    }

    @Test
    void givesEveryCallOfAPortworxClassTheOneSecret() {
        Map<String, String> parameters = MIGRATION
                .toCsi(storageClass(
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

        assertThatThrownBy(() -> MIGRATION.toCsi(twice)).hasMessageContaining("says where volumes are made twice");
        assertThat(MIGRATION.problem(twice)).isPresent();
        assertThat(MIGRATION.toCsiIfPossible(twice)).isSameAs(twice);
    }

    @Test
    void refusesAnEmptyZone() {
        assertThat(MIGRATION.problem(storageClass("kubernetes.io/gce-pd", "parameters: {zones: 'a,,b'}")))
                .contains("parameter zones of a class of kubernetes.io/gce-pd names an empty zone: \"a,,b\"");
    }
}
