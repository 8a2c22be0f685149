package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.inmemory.chaos.Schedules.Result;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random lives notice what they are there to notice. */
class LifeMutantsTest {
    /** Most bugs show within the first fifty. */
    private static final long SEARCHED = 4_000;

    static List<Mutant> all() {
        return LifeMutants.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void isNoticed(Mutant mutant) {
        assertThat(LifeMutants.search(mutant, SEARCHED)).as(mutant.name()).isNotNegative();
    }

    /** What finds a bug must not be there without it. */
    @ParameterizedTest
    @ValueSource(strings = {DirectedLives.LET_GO, DirectedLives.NOT_RESUMED})
    void isNotNoticedWhereItIsNot(String bug) {
        for (long seed = 0; seed < DirectedLives.ORDERS; seed++) {
            long order = seed;
            List<Result> results = Processors.map(
                    DirectedLives.of(bug), acts -> LifeSchedules.standard().run(order, acts));
            assertThat(results)
                    .isNotEmpty()
                    .doesNotContainNull()
                    .allSatisfy(result ->
                            assertThat(result.passed()).as(result.report()).isTrue());
        }
    }
}
