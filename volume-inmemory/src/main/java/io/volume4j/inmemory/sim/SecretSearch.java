package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.Map;

/** Searches for secrets in the output of processes and on the disks of nodes; the oracle knows the secrets. */
final class SecretSearch {
    private final Oracle oracle;

    SecretSearch(Oracle oracle) {
        this.oracle = oracle;
    }

    /** Wraps the event sink of processes. */
    EventSink in(EventSink events) {
        return event -> {
            events.event(event);
            oracle.said("event " + event.reason(), event.message());
        };
    }

    /** The metrics sink of processes; searches labels if there are secrets. */
    MetricsSink metrics() {
        if (!oracle.hasSecrets()) {
            return MetricsSink.none();
        }
        return new MetricsSink() {
            @Override
            public void count(String name, Map<String, String> labels, long amount) {
                oracle.said("metric " + name, labels.toString());
            }

            @Override
            public void time(String name, Map<String, String> labels, Duration duration) {
                oracle.said("metric " + name, labels.toString());
            }

            @Override
            public void gauge(String name, Map<String, String> labels, long value) {
                oracle.said("metric " + name, labels.toString());
            }
        };
    }

    /** Searches what the node has written to its disk. */
    void journal(NodeProcess node) {
        for (String secret : oracle.secrets()) {
            if (node.journal().holds(secret)) {
                oracle.said("journal of " + node.name(), secret);
            }
        }
    }
}
