package io.volume4j.core.control.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.junit.jupiter.api.Test;

/** A stale write is tried again at once, five times in a row. */
class WriteConflictsTest {
    private final WriteConflicts<String> conflicts = new WriteConflicts<>();

    @Test
    void failsAfterFiveStaleWritesInARow() {
        for (int i = 0; i < 5; i++) {
            assertThat(conflicts.patient("a")).isTrue();
            conflicts.ended("a", Outcome.success(Written.STALE));
        }
        assertThat(conflicts.patient("a")).isFalse();
        assertThat(conflicts.patient("b")).isTrue();
    }

    @Test
    void countsAnewAfterAWriteThatSucceedsOrFails() {
        for (int i = 0; i < 5; i++) {
            conflicts.ended("a", Outcome.success(Written.STALE));
            conflicts.ended("b", Outcome.success(Written.STALE));
        }
        conflicts.ended("a", Outcome.success(Written.DONE));
        conflicts.ended("b", Outcome.failure(VolumeException.transientFailure("down")));
        assertThat(conflicts.patient("a")).isTrue();
        assertThat(conflicts.patient("b")).isTrue();
    }

    @Test
    void aStaleWriteIsAFailureOnlyWhenTheStepIsNotPatient() {
        assertThat(WriteConflicts.judged(Written.STALE, true)).isEqualTo(Written.STALE);
        assertThat(WriteConflicts.judged(Written.DONE, false)).isEqualTo(Written.DONE);
        assertThatThrownBy(() -> WriteConflicts.judged(Written.STALE, false))
                .isInstanceOfSatisfying(VolumeException.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
                    assertThat(failure).hasMessageContaining("before each of 6 writes");
                    assertThat(failure.advice()).contains("metadata.managedFields");
                });
    }
}
