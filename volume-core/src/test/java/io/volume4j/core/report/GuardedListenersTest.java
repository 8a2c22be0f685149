package io.volume4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A host's sinks and listeners fail without harm to the code that calls them. */
class GuardedListenersTest {
    private final List<String> heard = new ArrayList<>();

    private void fail(String what) {
        heard.add(what);
        throw new IllegalStateException("the host's own trouble");
    }

    @Test
    void anEventSinkThatFailsHarmsNoVolumeAndGetsTheNextEvent() {
        EventSink sink = GuardedListeners.events(event -> fail(event.reason()));

        assertThatCode(() -> {
                    sink.event(event("First"));
                    sink.event(event("Second"));
                })
                .doesNotThrowAnyException();

        assertThat(heard).containsExactly("First", "Second");
    }

    @Test
    void aMetricsSinkThatFailsHarmsNoVolume() {
        MetricsSink sink = GuardedListeners.metrics(new MetricsSink() {
            @Override
            public void count(String name, Map<String, String> labels, long amount) {
                fail("count " + name + labels + amount);
            }

            @Override
            public void time(String name, Map<String, String> labels, Duration duration) {
                fail("time " + name + labels + duration.toMillis());
            }

            @Override
            public void gauge(String name, Map<String, String> labels, long value) {
                fail("gauge " + name + labels + value);
            }
        });

        assertThatCode(() -> {
                    sink.count("c", Map.of("a", "b"), 1);
                    sink.time("t", Map.of(), Duration.ofMillis(2));
                    sink.gauge("g", Map.of(), 3);
                })
                .doesNotThrowAnyException();

        assertThat(heard).containsExactly("count c{a=b}1", "time t{}2", "gauge g{}3");
    }

    @Test
    void aListenerThatFailsHarmsNoOtherListener() {
        Consumer<String> listener = GuardedListeners.listener(this::fail);

        assertThatCode(() -> listener.accept("told")).doesNotThrowAnyException();

        assertThat(heard).containsExactly("told");
    }

    /** As where a class of the host's is missing. */
    @Test
    void noErrorOfAListenerHurtsAnybody() {
        Consumer<String> listener = GuardedListeners.listener(told -> {
            heard.add(told);
            throw new NoClassDefFoundError("io/example/Meter");
        });

        assertThatCode(() -> listener.accept("told")).doesNotThrowAnyException();

        assertThat(heard).containsExactly("told");
    }

    @Test
    void whatIsGuardedAlreadyStaysAsItIs() {
        EventSink events = GuardedListeners.events(EventSink.none());
        MetricsSink metrics = GuardedListeners.metrics(MetricsSink.none());

        assertThat(GuardedListeners.events(events)).isSameAs(events);
        assertThat(GuardedListeners.metrics(metrics)).isSameAs(metrics);
    }

    private static EventSink.Event event(String reason) {
        return new EventSink.Event(
                EventSink.Event.Type.NORMAL, reason, new ObjectReference("v1", "Pod", "default", "a", "a", ""), "");
    }
}
