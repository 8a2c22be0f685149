package io.volume4j.core.report;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host hears with, told in the midst of taking an outcome over. One that fails hurts nobody but itself: otherwise the
 * rest of the outcome would be lost, and its volume would wait for ever for an operation that has ended. The first failure of
 * each is logged. Thread-safe.
 */
public final class HostEars {
    private static final Logger LOG = LoggerFactory.getLogger(HostEars.class);

    private final String what;
    private final AtomicBoolean failedBefore = new AtomicBoolean();

    private HostEars(String what) {
        this.what = what;
    }

    /** The same sink, which may throw what it likes. */
    public static EventSink events(EventSink sink) {
        if (sink instanceof Events) {
            return sink;
        }
        return new Events(new HostEars("event sink"), sink);
    }

    /** The same sink, which may throw what it likes. */
    public static MetricsSink metrics(MetricsSink sink) {
        if (sink instanceof Metrics) {
            return sink;
        }
        return new Metrics(new HostEars("metrics sink"), sink);
    }

    /** The same listener, which may throw what it likes. */
    public static <T> Consumer<T> listener(Consumer<T> listener) {
        HostEars ears = new HostEars("listener");
        return told -> ears.tell(() -> listener.accept(told));
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error failed) {
            if (!failedBefore.getAndSet(true)) {
                LOG.warn("{} failed, later failures are not logged reason=\"{}\"", what, failed.toString());
            }
        }
    }

    private record Events(HostEars ears, EventSink sink) implements EventSink {
        @Override
        public void event(Event event) {
            ears.tell(() -> sink.event(event));
        }
    }

    private record Metrics(HostEars ears, MetricsSink sink) implements MetricsSink {
        @Override
        public void count(String name, Map<String, String> labels, long amount) {
            ears.tell(() -> sink.count(name, labels, amount));
        }

        @Override
        public void time(String name, Map<String, String> labels, Duration duration) {
            ears.tell(() -> sink.time(name, labels, duration));
        }

        @Override
        public void gauge(String name, Map<String, String> labels, long value) {
            ears.tell(() -> sink.gauge(name, labels, value));
        }
    }
}
