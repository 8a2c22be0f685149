package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MetricsTest {
    @Test
    void servesCountersTimesAndGaugesAsPrometheusReadsThem() throws Exception {
        try (Metrics metrics = new Metrics(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            metrics.count("calls_total", Map.of("plugin", "a \"b\"", "call", "attach"), 2);
            metrics.count("calls_total", Map.of("plugin", "a \"b\"", "call", "attach"), 1);
            metrics.time("call_seconds", Map.of(), Duration.ofMillis(1500));
            metrics.gauge("queue", Map.of(), 7);

            assertThat(read(metrics)).isEqualTo("""
                    call_seconds_count 1
                    calls_total{call="attach",plugin="a \\"b\\""} 3
                    call_seconds_sum 1.5
                    queue 7
                    """);
        }
    }

    @Test
    @Timeout(30)
    void answersOnAMachineThatHasNoThreadLeft() throws Exception {
        AtomicBoolean none = new AtomicBoolean();
        ThreadFactory threads = task -> {
            if (none.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Executors.defaultThreadFactory().newThread(task);
        };
        try (Metrics metrics = new Metrics(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), threads)) {
            none.set(true);
            metrics.gauge("queue", Map.of(), 7);

            assertThat(read(metrics)).isEqualTo("queue 7\n");
            assertThat(read(metrics)).isEqualTo("queue 7\n");
        }
    }

    private static String read(Metrics metrics) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + metrics.address().getPort() + "/metrics");
        try (InputStream text = uri.toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
