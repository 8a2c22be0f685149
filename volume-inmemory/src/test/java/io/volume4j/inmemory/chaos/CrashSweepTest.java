package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A whole life in each setting, with a death at every place where one can come. */
class CrashSweepTest {
    private static final int ALL_CLAIMS = 7;

    private static final List<Act> LIFE = List.of(
            new Act(Kind.ADD_POD, 0, 0, ALL_CLAIMS),
            new Act(Kind.ADD_POD, 1, 1, 1),
            new Act(Kind.ADD_VOLUME, 0, 1, 0),
            new Act(Kind.REMOVE_POD, 0, 0, 0),
            new Act(Kind.REMOVE_CLAIM, 1, 0, 0),
            new Act(Kind.ADD_POD, 2, 0, 2),
            new Act(Kind.REMOVE_POD, 1, 0, 0),
            new Act(Kind.REMOVE_POD, 2, 0, 0),
            new Act(Kind.REMOVE_CLAIM, 0, 0, 0));

    @ParameterizedTest
    @EnumSource
    void aDeathInTheMiddleOfAnyCallChangesNothingInTheEnd(Setting setting) {
        long places = Schedules.standard().dyingOnce(3, setting, LIFE, 0, 0).boundaries();
        assertThat(places).isGreaterThan(30);
        for (long boundary = 1; boundary <= places; boundary++) {
            Schedules.Result result = Schedules.standard().dyingOnce(3, setting, LIFE, boundary, 0);
            assertThat(result.passed())
                    .as("place %d of %d: %s", boundary, places, result.report())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeathBetweenAnyTwoTasksChangesNothingInTheEnd(Setting setting) {
        long tasks = Schedules.standard().dyingOnce(3, setting, LIFE, 0, 0).steps();
        for (long task = 1; task <= Math.min(tasks, 600); task++) {
            Schedules.Result result = Schedules.standard().dyingOnce(3, setting, LIFE, 0, task);
            assertThat(result.passed())
                    .as("task %d of %d: %s", task, tasks, result.report())
                    .isTrue();
        }
    }
}
