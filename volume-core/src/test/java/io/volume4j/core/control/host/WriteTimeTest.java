package io.volume4j.core.control.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.Patch.FieldChange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The time of a write is filled in when the write is sent. */
class WriteTimeTest {
    private static final Instant SENT = Instant.parse("2026-02-03T04:05:06.789Z");
    private static final String TEXT = "2026-02-03T04:05:06Z";

    @Test
    void isTheTimeOfSendingInWholeSeconds() {
        assertThat(sent(WriteTime.NOW)).isEqualTo(TEXT);
    }

    @Test
    void isFilledInWhereItStandsInListsAndFields() {
        assertThat(sent(List.of("other", Map.of("lastTransitionTime", WriteTime.NOW, "status", "True"))))
                .isEqualTo(List.of("other", Map.of("lastTransitionTime", TEXT, "status", "True")));
    }

    @Test
    void leavesOtherValuesAndRemovalsAsTheyAre() {
        assertThat(sent("Bound")).isEqualTo("Bound");
        FieldChange removal = FieldChange.remove("status", "reason");
        assertThat(WriteTime.at(SENT, removal)).isEqualTo(removal);
    }

    private static @Nullable Object sent(Object value) {
        return WriteTime.at(SENT, FieldChange.set(value, "status", "field")).value();
    }
}
