package io.volume4j.core.report;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host hears with, told in the midst of taking an outcome over. One that fails hurts only itself: otherwise the
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

    /** The same instrumentation, which may throw what it likes. */
    public static Instrumentation instrumentation(Instrumentation instrumentation) {
        return instrumentation == Instrumentation.none()
                ? instrumentation
                : new Watching(new HostEars("instrumentation"), instrumentation);
    }

    /** What the host answers, or what stands for an answer if it fails. */
    private <T> T ask(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (RuntimeException | Error failed) {
            logOnce(failed);
            return otherwise;
        }
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error failed) {
            logOnce(failed);
        }
    }

    private void logOnce(Throwable failed) {
        if (!failedBefore.getAndSet(true)) {
            LOG.warn("{} failed, later failures are not logged reason=\"{}\"", what, failed.toString());
        }
    }

    private record Watching(HostEars ears, Instrumentation to) implements Instrumentation {
        @Override
        public Step step(StepStart start) {
            Step step = ears.ask(() -> to.step(start), Step.none());
            return step == Step.none() ? step : new WatchingStep(ears, step);
        }

        @Override
        public Scope plan(Object key) {
            return guarded(ears, ears.ask(() -> to.plan(key), Scope.none()));
        }

        @Override
        public Scope journalSync() {
            return guarded(ears, ears.ask(to::journalSync, Scope.none()));
        }

        private static Scope guarded(HostEars ears, Scope scope) {
            return scope == Scope.none() ? scope : () -> ears.tell(scope::close);
        }
    }

    private record WatchingStep(HostEars ears, Instrumentation.Step to) implements Instrumentation.Step {
        @Override
        public Instrumentation.Scope call() {
            return Watching.guarded(ears, ears.ask(to::call, Instrumentation.Scope.none()));
        }

        @Override
        public void ended(@Nullable VolumeException failure) {
            ears.tell(() -> to.ended(failure));
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
