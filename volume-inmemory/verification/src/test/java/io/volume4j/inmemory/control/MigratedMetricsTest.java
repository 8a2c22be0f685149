package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measurements tell which operations a driver does in the place of what was there before it. */
class MigratedMetricsTest {
    @ParameterizedTest
    @CsvSource({"kubernetes.io/gce-pd, true", "pd.csi.storage.gke.io, false"})
    void sayWhetherAVolumeIsMadeInOldWords(String provisioner, boolean migrated) {
        ControlBench bench = new ControlBench();
        bench.plugins.add(bench.pluginNamed("pd.csi.storage.gke.io"));
        bench.given(
                        Classes.storageClass("fast", provisioner),
                        claim("c").ofClass("fast").made())
                .startAndSettle();
        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.metrics.timed())
                .contains("storage_operation_duration_seconds{migrated=" + migrated
                        + ",operation_name=provision,status=success,volume_plugin=pd.csi.storage.gke.io}");
    }
}
