package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.oracle.Violation;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A disk that left its node half formatted may hold data when it comes back: only a person may have it formatted again. */
class HalfFormattedTest {
    /** More than a node's way to a mounted disk has places to die at. */
    private static final long PLACES = 80;

    @Test
    void isLeftAloneWhenItComesBack() {
        assertThat(results(Schedules.standard()))
                .allSatisfy(result ->
                        assertThat(result.passed()).as(result.report()).isTrue());
    }

    @Test
    void isNoticedByItsRuleWhenAFormatIsGoneOnWith() {
        assertThat(results(Schedules.changed(FormatMutants.keptOpen().change())))
                .filteredOn(result -> !result.passed())
                .isNotEmpty()
                .allSatisfy(result -> assertThat(result.violations())
                        .first()
                        .extracting(Violation::rule)
                        .isEqualTo("S7"));
    }

    private static List<Result> results(Schedules schedules) {
        return LongStream.rangeClosed(1, PLACES)
                .mapToObj(schedules::leavingHalfFormatted)
                .toList();
    }
}
