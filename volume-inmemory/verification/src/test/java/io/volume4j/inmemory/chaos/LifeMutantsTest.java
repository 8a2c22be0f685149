package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Mutants.Mutant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
}
