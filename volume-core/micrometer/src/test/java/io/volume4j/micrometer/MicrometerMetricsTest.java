package io.volume4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.volume4j.spi.host.Metric;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Prometheus registry shows each measurement under its own name. */
class MicrometerMetricsTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

    @ParameterizedTest
    @EnumSource(Metric.class)
    void showsEachMeasurementUnderItsName(Metric metric) {
        Map<String, String> labels = new TreeMap<>();
        metric.labels().forEach(label -> labels.put(label, "of-" + label));
        switch (metric.type()) {
            case COUNTER -> metrics.count(metric.metricName(), labels, 3);
            case TIMER -> metrics.time(metric.metricName(), labels, Duration.ofSeconds(3));
            case GAUGE -> metrics.gauge(metric.metricName(), labels, 3);
        }

        String shown = metric.labels().isEmpty()
                ? ""
                : "{"
                        + String.join(
                                ",",
                                metric.labels().stream()
                                        .map(label -> label + "=\"of-" + label + "\"")
                                        .toList())
                        + "}";
        String name = metric.metricName() + (metric.type() == Metric.Type.TIMER ? "_sum" : "");
        assertThat(registry.scrape())
                .contains("# HELP " + metric.metricName() + " " + metric.help() + "\n")
                .containsPattern("(?m)^\\Q" + name + shown + "\\E 3(\\.0)?$");
    }

    @Test
    void addsUpWhatIsCountedAndReplacesWhatIsGauged() {
        for (int i = 0; i < 3; i++) {
            metrics.count("reconstruct_volume_operations_total", Map.of(), 2);
            metrics.count("attachdetach_controller_forced_detaches", Map.of("reason", "lease"), 2);
            metrics.gauge("volume4j_calls_stuck", Map.of("volume_plugin", "nfs"), i);
        }

        assertThat(registry.scrape())
                .contains("reconstruct_volume_operations_total 6.0\n")
                .contains("attachdetach_controller_forced_detaches{reason=\"lease\"} 6.0\n")
                .contains("volume4j_calls_stuck{volume_plugin=\"nfs\"} 2.0\n");
    }

    @Test
    void forgetsTheGaugeOfANodeThatWantsNothing() {
        Map<String, String> labels = Map.of("node", "n1", "volume_plugin", "mem");
        metrics.gauge("storage_count_attachable_volumes_in_use", labels, 2);
        metrics.gauge("storage_count_attachable_volumes_in_use", labels, 0);
        assertThat(registry.scrape()).doesNotContain("n1");

        metrics.gauge("storage_count_attachable_volumes_in_use", labels, 1);
        assertThat(registry.scrape()).contains("volume_plugin=\"mem\"} 1.0\n");
    }
}
