package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measurements tell which volumes a driver serves that are described as before there were drivers. */
class MigratedVolumesTest {
    private static final String DRIVER = "ebs.csi.aws.com";

    private final NodeHarness node = NodeHarness.withPlugin(plugin -> plugin.name(DRIVER));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "awsElasticBlockStore: {volumeID: vol-1} | true",
                "csi: {driver: ebs.csi.aws.com} | false",
            })
    void everyStepSaysHowItsVolumeIsDescribed(String source, boolean migrated) {
        pod(source);
        node.start().settle();
        node.deletePod("a");
        node.settle();

        assertThat(node.metrics.timed())
                .contains(
                        series("volume_mount", migrated),
                        series("overall_volume_mount", migrated),
                        series("volume_unmount", migrated))
                .noneMatch(series -> series.contains("migrated=" + !migrated));
    }

    @Test
    void isStillKnownWhenThePodGoesAfterARestart() {
        pod("awsElasticBlockStore: {volumeID: vol-1}");
        node.start().settle();
        node.kill();
        node.start().settle();
        node.deletePod("a");
        node.settle();

        assertThat(node.metrics.timed())
                .contains(series("volume_unmount", true), series("volume_detach", true))
                .noneMatch(series -> series.contains("migrated=false"));
    }

    /** A driver writes its own labels. Old volumes name the labels of their time. */
    @ParameterizedTest
    @CsvSource({
        "topology.ebs.csi.aws.com/zone, east, true",
        "failure-domain.beta.kubernetes.io/zone, east, true",
        "topology.ebs.csi.aws.com/zone, west, false",
    })
    void isReachedByTheLabelOfItsDriverOrByThatInItsOwnAffinity(String label, String zone, boolean reached) {
        NodeHarness old = NodeHarness.withPlugin(
                plugin -> plugin.name(DRIVER).without(Capability.ATTACH, Capability.DEVICE_MOUNT));
        old.storage.add("vol-1", BoundVolumes.SIZE.bytes());
        old.cluster.apply(BoundVolumes.claim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM));
        old.cluster.apply(Manifests.read(
                        "volume.yaml",
                        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-data}, spec: {capacity: {storage: 1Gi}, accessModes:"
                                + " [ReadWriteOnce], claimRef: {namespace: default, name: data, uid: uid-data}, awsElasticBlockStore:"
                                + " {volumeID: vol-1}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                                + " failure-domain.beta.kubernetes.io/zone, operator: In, values: [east]}]}]}}}}")
                .get(0));
        old.nodeObject(Map.of(label, zone));
        old.pod("a", "data");
        old.start().settle();

        if (reached) {
            assertThat(old.mounted("a").volumes()).containsOnlyKeys("data");
        } else {
            assertThat(old.explainPod("a").text()).contains("volume pv-data cannot be reached from node n1");
        }
    }

    private static String series(String operation, boolean migrated) {
        return "storage_operation_duration_seconds{migrated=" + migrated + ",operation_name=" + operation
                + ",status=success,volume_plugin=" + DRIVER + "}";
    }

    private void pod(String source) {
        node.cluster.apply(Manifests.read(
                        "pod.yaml",
                        "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: a, uid: a}, spec: {nodeName: "
                                + NodeHarness.NODE + ", volumes: [{name: data, " + source
                                + "}], containers: [{name: app, volumeMounts: [{name: data, mountPath: /data}]}]},"
                                + " status: {phase: Running}}")
                .get(0));
    }
}
