package io.volume4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationMetricsTest {
    private final List<String> told = new ArrayList<>();
    private final OperationMetrics metrics = new OperationMetrics(new MetricsSink() {
        @Override
        public void count(String name, Map<String, String> labels, long amount) {
            told.add(name + labels + " +" + amount);
        }

        @Override
        public void gauge(String name, Map<String, String> labels, long value) {
            told.add(name + labels + " =" + value);
        }

        @Override
        public void remove(String name, Map<String, String> labels) {
            told.add(name + labels + " removed");
        }

        @Override
        public void time(String name, Map<String, String> labels, Duration duration) {
            told.add(name + labels + " " + duration.toMillis() + " ms");
        }
    });

    @Test
    void timesASuccessAndCountsAFailureAsWell() {
        metrics.ended("nfs", "volume_mount", true, Duration.ofMillis(5));
        metrics.ended("nfs", "volume_mount", false, Duration.ofMillis(7));

        assertThat(told)
                .containsExactly(
                        "storage_operation_duration_seconds{migrated=false, operation_name=volume_mount, status=success,"
                                + " volume_plugin=nfs} 5 ms",
                        "storage_operation_duration_seconds{migrated=false, operation_name=volume_mount,"
                                + " status=fail-unknown, volume_plugin=nfs} 7 ms",
                        "volume_operation_total_errors{operation_name=volume_mount, plugin_name=nfs} +1");
    }

    @Test
    void showsStuckCallsUntilTheyReturn() {
        metrics.writtenOff("nfs", "volume_mount");
        metrics.writtenOff("nfs", "volume_unmount");
        metrics.returned("nfs");

        assertThat(told)
                .containsExactly(
                        "volume4j_calls_written_off_total{operation_name=volume_mount, volume_plugin=nfs} +1",
                        "volume4j_calls_stuck{volume_plugin=nfs} =1",
                        "volume4j_calls_written_off_total{operation_name=volume_unmount, volume_plugin=nfs} +1",
                        "volume4j_calls_stuck{volume_plugin=nfs} =2",
                        "volume4j_calls_stuck{volume_plugin=nfs} =1");
    }

    @Test
    void showsNoStuckCallsAnyMoreWhenItIsClosed() {
        metrics.writtenOff("nfs", "volume_mount");
        told.clear();

        metrics.close();

        assertThat(told).containsExactly("volume4j_calls_stuck{volume_plugin=nfs} removed");
    }
}
