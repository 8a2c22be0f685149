package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bound has a default and a range, and a value out of it is refused by its name. */
class JournalOptionsTest {
    private static JournalOptions.Builder set(String what, long value) {
        JournalOptions.Builder builder = JournalOptions.builder();
        return switch (what) {
            case "maxQueuedRecords" -> builder.maxQueuedRecords((int) value);
            case "maxQueuedBytes" -> builder.maxQueuedBytes(value);
            case "maxRecordBytes" -> builder.maxRecordBytes((int) value);
            case "maxGroupBytes" -> builder.maxGroupBytes((int) value);
            case "reserveBytes" -> builder.reserveBytes((int) value);
            case "compactAfterBytes" -> builder.compactAfterBytes(value);
            case "compactAfterRatio" -> builder.compactAfterRatio((int) value);
            default -> builder.maxJournalBytes(value);
        };
    }

    private static long get(String what, JournalOptions options) {
        return switch (what) {
            case "maxQueuedRecords" -> options.maxQueuedRecords();
            case "maxQueuedBytes" -> options.maxQueuedBytes();
            case "maxRecordBytes" -> options.maxRecordBytes();
            case "maxGroupBytes" -> options.maxGroupBytes();
            case "reserveBytes" -> options.reserveBytes();
            case "compactAfterBytes" -> options.compactAfterBytes();
            case "compactAfterRatio" -> options.compactAfterRatio();
            default -> options.maxJournalBytes();
        };
    }

    @ParameterizedTest
    @CsvSource({
        // what, default, from, to
        "maxQueuedRecords, 65536, 1, 2147483647",
        "maxQueuedBytes, 16777216, 1, 9223372036854775807",
        "maxRecordBytes, 1048576, 1, 16777216",
        "maxGroupBytes, 262144, 1, 67108864",
        "reserveBytes, 1048576, 0, 268435456",
        "compactAfterBytes, 4194304, 1, 9223372036854775807",
        "compactAfterRatio, 2, 0, 1000",
        "maxJournalBytes, 1073741824, 65536, 68719476736",
    })
    void holdsEachBoundToItsRange(String what, long standard, long from, long to) {
        assertThat(get(what, JournalOptions.defaults())).isEqualTo(standard);
        assertThat(get(what, set(what, from).build())).isEqualTo(from);
        assertThat(get(what, set(what, to).build())).isEqualTo(to);
        refused(what, from - 1);
        if (to != Integer.MAX_VALUE && to != Long.MAX_VALUE) {
            refused(what, to + 1);
        }
    }

    private static void refused(String what, long value) {
        JournalOptions.Builder builder = set(what, value);

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageStartingWith(what + " " + value + " is not in ");
    }

    @Test
    void waitsForTheDiskAtItsEndForNoNegativeTime() {
        assertThat(JournalOptions.defaults().closeTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(JournalOptions.builder().closeTimeout(Duration.ZERO).build().closeTimeout())
                .isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalOptions.builder()
                        .closeTimeout(Duration.ofNanos(-1))
                        .build())
                .withMessageContaining("negative");
    }

    @Test
    void standsForASyncedDiskUnlessLessIsAskedFor() {
        assertThat(JournalOptions.defaults().durability()).isEqualTo(Durability.SYNCED);
    }

    @Test
    void tellsItsInstrumentationOfNothingUnlessOneIsGiven() {
        Instrumentation given = new Instrumentation() {};

        assertThat(JournalOptions.builder().instrumentation(given).build().instrumentation())
                .isSameAs(given);
        assertThat(JournalOptions.defaults().instrumentation()).isSameAs(Instrumentation.none());
    }
}
