package io.volume4j.core.report;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the listeners and sinks of a host. A reconciler calls them while it handles an outcome. Without a guard, a
 * failing listener could prevent the handling of the outcome, and its volume would wait forever for an operation that
 * has ended. Logs the first failure of each. Thread-safe.
 */
public final class GuardedListeners {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListeners.class);

    private final String what;
    private final AtomicBoolean failedBefore = new AtomicBoolean();

    private GuardedListeners(String what) {
        this.what = what;
    }

    /** The same sink, whose exceptions do not reach the reconciler. */
    public static EventSink events(EventSink sink) {
        if (sink instanceof Events) {
            return sink;
        }
        return new Events(new GuardedListeners("event sink"), sink);
    }

    /** The same sink, whose exceptions do not reach the reconciler. */
    public static MetricsSink metrics(MetricsSink sink) {
        if (sink instanceof Metrics) {
            return sink;
        }
        return new Metrics(new GuardedListeners("metrics sink"), sink);
    }

    /** The same listener, whose exceptions do not reach the reconciler. */
    public static <T> Consumer<T> listener(Consumer<T> listener) {
        GuardedListeners guard = new GuardedListeners("listener");
        return told -> guard.tell(() -> listener.accept(told));
    }

    /** All these as one. An exception of one of them reaches neither the reconciler nor the others. */
    public static Instrumentation instrumentation(List<Instrumentation> each) {
        return Instrumentation.all(each.stream().map(GuardedListeners::guarded).toList());
    }

    private static Instrumentation guarded(Instrumentation instrumentation) {
        return instrumentation == Instrumentation.none()
                ? instrumentation
                : new Watching(new GuardedListeners("instrumentation"), instrumentation);
    }

    /** The host's answer, or the default if the host fails or answers null. */
    private <T> T ask(Supplier<T> question, T otherwise) {
        try {
            return Objects.requireNonNull(question.get(), "it returned null");
        } catch (Throwable failed) {
            logOnce(failed);
            return otherwise;
        }
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (Throwable failed) {
            logOnce(failed);
        }
    }

    private void logOnce(Throwable failed) {
        if (!failedBefore.getAndSet(true)) {
            LOG.atWarn()
                    .addKeyValue("listener", what)
                    .addKeyValue("reason", failed.toString())
                    .log("listener failed; its later failures are not logged");
        }
    }

    private record Watching(GuardedListeners guard, Instrumentation to) implements Instrumentation {
        @Override
        public Step step(StepStart start) {
            Step step = guard.ask(() -> to.step(start), Step.none());
            return step == Step.none() ? step : new WatchingStep(guard, step);
        }

        @Override
        public Scope plan(Object key) {
            return guarded(guard, guard.ask(() -> to.plan(key), Scope.none()));
        }

        @Override
        public Scope journalSync() {
            return guarded(guard, guard.ask(to::journalSync, Scope.none()));
        }

        private static Scope guarded(GuardedListeners guard, Scope scope) {
            return scope == Scope.none() ? scope : () -> guard.tell(scope::close);
        }
    }

    private record WatchingStep(GuardedListeners guard, Instrumentation.Step to) implements Instrumentation.Step {
        @Override
        public Instrumentation.Scope call() {
            return Watching.guarded(guard, guard.ask(to::call, Instrumentation.Scope.none()));
        }

        @Override
        public void ended(@Nullable VolumeException failure) {
            guard.tell(() -> to.ended(failure));
        }
    }

    private record Events(GuardedListeners guard, EventSink sink) implements EventSink {
        @Override
        public void event(Event event) {
            guard.tell(() -> sink.event(event));
        }
    }

    private record Metrics(GuardedListeners guard, MetricsSink sink) implements MetricsSink {
        @Override
        public void count(String name, Map<String, String> labels, long amount) {
            guard.tell(() -> sink.count(name, labels, amount));
        }

        @Override
        public void time(String name, Map<String, String> labels, Duration duration) {
            guard.tell(() -> sink.time(name, labels, duration));
        }

        @Override
        public void gauge(String name, Map<String, String> labels, long value) {
            guard.tell(() -> sink.gauge(name, labels, value));
        }

        @Override
        public void remove(String name, Map<String, String> labels) {
            guard.tell(() -> sink.remove(name, labels));
        }
    }
}
