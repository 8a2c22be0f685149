package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
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
