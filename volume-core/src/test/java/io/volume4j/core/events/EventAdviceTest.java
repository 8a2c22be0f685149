package io.volume4j.core.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user is told to do about events that cannot be written. */
class EventAdviceTest {
    @ParameterizedTest
    @CsvSource({
        "FORBIDDEN, allow create and patch of events",
        "FORBIDDEN, nothing is wrong if the namespace is being deleted",
        "INVALID, report it",
        "UNAVAILABLE, look whether the cluster can be reached",
    })
    void fitsTheReason(Reason reason, String advice) {
        assertThat(EventWriter.advice(reason)).contains(advice);
    }
}
