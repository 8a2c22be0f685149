package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
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
        assertAllPass(
                setting + ", place",
                LongStream.rangeClosed(1, places).boxed().toList(),
                boundary -> Schedules.standard().dyingOnce(3, setting, LIFE, boundary, 0));
    }

    private static void assertAllPass(String what, List<Long> numbers, LongFunction<Schedules.Result> run) {
        List<Schedules.Result> results = Processors.map(numbers, run::apply);
        for (int i = 0; i < results.size(); i++) {
            Schedules.Result result = results.get(i);
            assertThat(result.passed())
                    .as("%s %d of %d: %s", what, numbers.get(i), numbers.size(), result.passed() ? "" : result.report())
                    .isTrue();
        }
    }

    /** Of tasks that leave nothing behind which outlives a process, only the first is tried: to die later is the same. */
    @ParameterizedTest
    @EnumSource
    void aDeathBetweenAnyTwoTasksChangesNothingInTheEnd(Setting setting) {
        List<Long> tasks = Schedules.standard().tasksThatLeaveSomething(3, setting, LIFE);
        assertThat(tasks).hasSizeGreaterThan(20);
        assertAllPass(setting + ", task", tasks, task -> Schedules.standard().dyingOnce(3, setting, LIFE, 0, task));
    }
}
