package io.volume4j.inmemory.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver.Token;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HostFakesTest {
    private static final SecretRef SECRET = new SecretRef("default", "s");

    @Test
    void aMissingSecretIsATransientFailureThatSaysWhatToDo() {
        InMemorySecrets secrets = new InMemorySecrets();

        assertThatThrownBy(() -> secrets.resolve(SECRET)).isInstanceOfSatisfying(VolumeException.class, failure -> {
            assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failure).hasMessageContaining("default/s");
            assertThat(failure.advice()).isNotEmpty();
        });
    }

    @Test
    void aSecretsValueShowsNowhereButWhereItIsAskedFor() {
        InMemorySecrets secrets = new InMemorySecrets();
        secrets.put(SECRET, Map.of("password", "canary-1"));
        secrets.put(SECRET, Map.of("password", "canary-2"));

        assertThat(secrets.resolve(SECRET).values()).containsEntry("password", "canary-2");
        assertThat(secrets.toString()).contains("s").doesNotContain("canary");
        assertThat(secrets.everyValue()).containsExactly("canary-1", "canary-2");
        assertThat(secrets.resolved()).containsExactly(SECRET);
    }

    @Test
    void aConfigMapIsACopyBothWays() {
        InMemoryConfig config = new InMemoryConfig(new ManualClock());
        byte[] content = "a".getBytes(StandardCharsets.UTF_8);
        config.put("default", "c", Map.of("k", content));

        content[0] = 'x';
        contentOf(config)[0] = 'y';

        assertThat(contentOf(config)).containsExactly('a');
        assertThat(config.configMap("default", "d")).isEmpty();
    }

    @Test
    void tokensDifferAndExpireByTheClock() {
        ManualClock clock = new ManualClock();
        InMemoryConfig config = new InMemoryConfig(clock);
        TokenRequest request = new TokenRequest("default", "u1", "sa", "aud", 600);

        Token first = config.token(request);
        Token second = config.token(request);

        assertThat(first.value()).isNotEqualTo(second.value());
        assertThat(first.expires()).isEqualTo(clock.instant().plus(Duration.ofMinutes(10)));
        assertThat(config.tokenRequests()).containsExactly(request, request);
    }

    @Test
    void anUnsureRuntimeSaysThatAnUnknownPodMayUseItsVolumes() {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.unsure();
        assertThat(runtime.mayStillUse("u1")).isTrue();
        runtime.stopped("u1");
        assertThat(runtime.mayStillUse("u1")).isFalse();
    }

    @Test
    void anOmniscientRuntimeKnowsThatAPodNeverStartedUsesNothing() {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
        List<String> heard = new ArrayList<>();
        Consumer<String> listener = heard::add;
        runtime.addListener(listener);

        assertThat(runtime.mayStillUse("u1")).isFalse();
        runtime.started("u1");
        assertThat(runtime.mayStillUse("u1")).isTrue();
        assertThat(heard).containsExactly("u1");

        runtime.removeListener(listener);
        runtime.stopped("u1");
        assertThat(heard).as("a removed listener hears nothing").containsExactly("u1");
    }

    @Test
    void eventsAreKeptInOrderAndFoundByObjectReasonAndType() {
        RecordingEvents events = new RecordingEvents();
        Event good = new Event(Event.Type.NORMAL, "Mounted", podReference("a"), "fine");
        Event bad = new Event(Event.Type.WARNING, "FailedMount", podReference("b"), "not fine");
        events.event(good);
        events.event(bad);

        assertThat(events.all()).containsExactly(good, bad);
        assertThat(events.about(ObjectKey.pod("default", "a"))).containsExactly(good);
        assertThat(events.withReason("FailedMount")).containsExactly(bad);
        assertThat(events.warnings()).containsExactly(bad);
    }

    @Test
    void aSeriesIsTheSameWhateverTheOrderOfItsLabels() {
        RecordingMetrics metrics = new RecordingMetrics();
        metrics.count("calls", Map.of("plugin", "mem", "call", "attach"), 1);
        metrics.count("calls", Map.of("call", "attach", "plugin", "mem"), 2);
        metrics.gauge("size", Map.of(), 7);
        metrics.time("took", Map.of(), Duration.ofMillis(3));

        assertThat(metrics.counter("calls{call=attach,plugin=mem}")).isEqualTo(3);
        assertThat(metrics.gauge("size")).isEqualTo(7);
        assertThat(metrics.times("took")).containsExactly(Duration.ofMillis(3));
    }

    private static byte[] contentOf(InMemoryConfig config) {
        return Objects.requireNonNull(
                config.configMap("default", "c").orElseThrow().get("k"));
    }

    private static ObjectReference podReference(String name) {
        return new ObjectReference("v1", "Pod", "default", name, "u-" + name, "");
    }
}
