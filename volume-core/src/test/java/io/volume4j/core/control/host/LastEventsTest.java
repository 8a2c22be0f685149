package io.volume4j.core.control.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The policy of docs/events.md. */
class LastEventsTest {
    private static final ObjectReference CLAIM = new ObjectReference("v1", "PersistentVolumeClaim", "ns", "c", "u", "");

    private LastEvents told = LastEvents.nothing();
    private long now = 1;

    @Test
    void aStateIsToldOnceWhenItBegins() {
        assertThat(tells(normal("WaitForFirstConsumer", "waits"))).isTrue();
        assertThat(tells(normal("WaitForFirstConsumer", "waits"))).isFalse();
        pass(Duration.ofHours(5));
        assertThat(tells(normal("WaitForFirstConsumer", "waits"))).isFalse();
    }

    @Test
    void aWarningIsToldAgainEachHalfHour() {
        int times = 0;
        for (int minute = 0; minute < 120; minute += 2) {
            times += tells(warning("ProvisioningFailed", "unavailable")) ? 1 : 0;
            pass(Duration.ofMinutes(2));
        }
        assertThat(times).isEqualTo(4);
    }

    @Test
    void statesThatTakeTurnsAreToldOnceEach() {
        int times = 0;
        for (int turn = 0; turn < 10; turn++) {
            times += tells(normal("ExternalProvisioning", "waiting for the provisioner")) ? 1 : 0;
            times += tells(normal("ExternalProvisioning", "the provisioner is making a volume")) ? 1 : 0;
            pass(Duration.ofSeconds(1));
        }
        assertThat(times).isEqualTo(2);
    }

    @Test
    void aTextThatIsAnotherOneEachTimeIsHeldBack() {
        int times = 0;
        for (int second = 0; second < 50; second++) {
            times += tells(warning("ProvisioningFailed", "request " + second + " failed")) ? 1 : 0;
            pass(Duration.ofSeconds(1));
        }
        assertThat(times).isEqualTo(3);
        assertThat(told.at(now).heldBackUntil(List.of(warning("ProvisioningFailed", "request 51 failed"))))
                .as("the minute since the first of the three")
                .hasValue(1 + LastEvents.CALM.toNanos());
        assertThat(tells(warning("VolumeMismatch", "another reason"))).isTrue();
        pass(Duration.ofSeconds(10));
        assertThat(tells(warning("ProvisioningFailed", "request 60 failed"))).isTrue();
    }

    @Test
    void whatIsRememberedIsBounded() {
        for (int i = 0; i < 100; i++) {
            told = told.with(List.of(warning("R" + i, "m")), now);
        }
        assertThat(told.last()).hasSize(8);
    }

    private boolean tells(Event event) {
        LastEvents view = told.at(now);
        boolean tells = !view.covers(List.of(event))
                && view.heldBackUntil(List.of(event)).isEmpty();
        if (tells) {
            told = told.with(List.of(event), now);
        }
        return tells;
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private static Event normal(String reason, String message) {
        return new Event(Event.Type.NORMAL, reason, CLAIM, message);
    }

    private static Event warning(String reason, String message) {
        return new Event(Event.Type.WARNING, reason, CLAIM, message);
    }
}
