package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.spi.model.AccessMode;
import org.junit.jupiter.api.Test;

/** Measurements, under the names that dashboards of the field look for. */
class AttachMetricsTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final String DESIRED =
            "attachdetach_controller_total_volumes{plugin_name=mem,state=desired_state_of_world}";
    private static final String ACTUAL =
            "attachdetach_controller_total_volumes{plugin_name=mem,state=actual_state_of_world}";

    private final AttachHarness cluster = new AttachHarness(1);

    @Test
    void countsVolumesThatAreWantedAndAttached() {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO).volume("w", RWO);
        Lease lease = new Lease(cluster.world);
        lease.give("c");
        cluster.controller("c", lease.of("c"));
        cluster.pod("a", "n1", "v").pod("b", "n1", "v", "w").settle();
        assertThat(gauge(DESIRED)).isEqualTo(2);
        assertThat(gauge(ACTUAL)).isEqualTo(2);
        assertThat(inUse("n1")).isEqualTo(2);

        cluster.pod("d", "n2", "w").settle();
        assertThat(gauge(DESIRED)).as("wanted on a second node").isEqualTo(3);
        assertThat(gauge(ACTUAL)).as("and not attached there").isEqualTo(2);
        assertThat(inUse("n2")).isEqualTo(1);

        cluster.deletePod("a");
        cluster.deletePod("b");
        cluster.settle();
        assertThat(gauge(DESIRED)).isEqualTo(1);
        assertThat(gauge(ACTUAL)).isEqualTo(1);
        assertThat(inUse("n1")).isZero();

        lease.give("another");
        cluster.settle();
        assertThat(cluster.metrics.gauges())
                .as("it does not lead any more")
                .allSatisfy((name, value) -> assertThat(value).as(name).isZero());
    }

    @Test
    void countsTheSameAfterARestart() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.pod("a", "n1", "v").settle();
        cluster.killController("c");
        AttachHarness again = cluster.controller().settle();

        assertThat(again.metrics.gauge(DESIRED)).isEqualTo(1);
        assertThat(again.metrics.gauge(ACTUAL)).isEqualTo(1);
    }

    @Test
    void measuresCallsToTheDriver() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").times(2));
        cluster.pod("a", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(operations("volume_attach", "fail-unknown")).isEqualTo(2);
        assertThat(operations("volume_attach", "success")).isEqualTo(1);
        assertThat(operations("volume_detach", "success")).isEqualTo(1);
        assertThat(cluster.metrics.counter(
                        "volume_operation_total_errors{operation_name=volume_attach,plugin_name=mem}"))
                .isEqualTo(2);
    }

    private int operations(String operation, String status) {
        return cluster.metrics
                .times("storage_operation_duration_seconds{migrated=false,operation_name=" + operation + ",status="
                        + status + ",volume_plugin=mem}")
                .size();
    }

    private long gauge(String series) {
        return cluster.metrics.gauge(series);
    }

    private long inUse(String node) {
        return gauge("storage_count_attachable_volumes_in_use{node=" + node + ",volume_plugin=mem}");
    }
}
