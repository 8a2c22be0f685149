package io.volume4j.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every outcome makes of every state; the rows in which one call's final error would clear another's doubt say no. */
class TransitionsTest {
    @ParameterizedTest
    @CsvSource({
        "NOT_MOUNTED, success,   MOUNTED",
        "NOT_MOUNTED, UNCERTAIN, UNCERTAIN",
        "NOT_MOUNTED, TRANSIENT, NOT_MOUNTED",
        "NOT_MOUNTED, FINAL,     NOT_MOUNTED",
        "NOT_MOUNTED, EXHAUSTED, NOT_MOUNTED",
        "UNCERTAIN,   success,   MOUNTED",
        "UNCERTAIN,   UNCERTAIN, UNCERTAIN",
        "UNCERTAIN,   TRANSIENT, UNCERTAIN",
        "UNCERTAIN,   FINAL,     UNCERTAIN",
        "UNCERTAIN,   absent,    NOT_MOUNTED",
        "MOUNTED,     success,   MOUNTED",
        "MOUNTED,     UNCERTAIN, MOUNTED",
        "MOUNTED,     FINAL,     MOUNTED",
        "MOUNTED,     absent,    MOUNTED",
    })
    void afterMounting(MountState before, String outcome, MountState after) {
        assertThat(Transitions.afterMount(before, outcome(outcome))).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({
        "MOUNTED,   success,    NOT_MOUNTED",
        "MOUNTED,   UNCERTAIN,  UNCERTAIN",
        "MOUNTED,   FINAL,      UNCERTAIN",
        "MOUNTED,   EXHAUSTED,  UNCERTAIN",
        "MOUNTED,   TRANSIENT,  MOUNTED",
        "MOUNTED,   IN_USE,     MOUNTED",
        "MOUNTED,   absent,     NOT_MOUNTED",
        "UNCERTAIN, success,    NOT_MOUNTED",
        "UNCERTAIN, FINAL,      UNCERTAIN",
        "UNCERTAIN, TRANSIENT,  UNCERTAIN",
        "UNCERTAIN, absent,     NOT_MOUNTED",
    })
    void afterUnmounting(MountState before, String outcome, MountState after) {
        assertThat(Transitions.afterUnmount(before, outcome(outcome))).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({
        "DETACHED,  success,   ATTACHED",
        "DETACHED,  UNCERTAIN, UNCERTAIN",
        "DETACHED,  FINAL,     DETACHED",
        "DETACHED,  EXHAUSTED, DETACHED",
        "UNCERTAIN, FINAL,     UNCERTAIN",
        "UNCERTAIN, absent,    DETACHED",
        "UNCERTAIN, success,   ATTACHED",
        "ATTACHED,  UNCERTAIN, ATTACHED",
    })
    void afterAttaching(AttachState before, String outcome, AttachState after) {
        assertThat(Transitions.afterAttach(before, outcome(outcome))).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({
        "ATTACHED,  success,   DETACHED",
        "ATTACHED,  UNCERTAIN, UNCERTAIN",
        "ATTACHED,  FINAL,     UNCERTAIN",
        "ATTACHED,  IN_USE,    ATTACHED",
        "ATTACHED,  TRANSIENT, ATTACHED",
        "UNCERTAIN, success,   DETACHED",
        "UNCERTAIN, FINAL,     UNCERTAIN",
        "UNCERTAIN, absent,    DETACHED",
    })
    void afterDetaching(AttachState before, String outcome, AttachState after) {
        assertThat(Transitions.afterDetach(before, outcome(outcome))).isEqualTo(after);
    }

    private static Outcome outcome(String name) {
        return switch (name) {
            case "success" -> Outcome.success(null);
            case "absent" ->
                Outcome.failure(VolumeException.finalFailure("never was").provingAbsence());
            default -> Outcome.failure(VolumeException.of(FailureKind.valueOf(name), "no"));
        };
    }
}
