package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Mutants.Mutant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each deliberate bug is noticed by a schedule; one that is not shows that the rules, or the worlds, have a hole. */
class MutantsTest {
    /** Searched where the known seed does not find the bug any more, as the worlds have changed. */
    private static final long SEARCHED = Long.getLong("volume4j.mutant.schedules", 10_000);

    static List<Mutant> all() {
        return Mutants.all();
    }

    /** Whether every bug is searched for from the first seed on, whatever seed is known to find it. */
    private static final boolean SEARCH = Boolean.getBoolean("volume4j.mutant.search");

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void isNoticed(Mutant mutant) {
        long seed = SEARCH ? Mutants.search(mutant, SEARCHED) : Mutants.findingSeed(mutant, SEARCHED);
        assertThat(seed).as(mutant.name()).isNotNegative();
    }

    @Test
    void areManyAndOfDifferentNames() {
        assertThat(all().stream().map(Mutant::name).distinct())
                .hasSameSizeAs(all())
                .hasSizeGreaterThanOrEqualTo(70);
    }

    @Test
    void areKnownBySeedsOfTheirNames() {
        assertThat(Mutants.knownSeeds().keySet())
                .containsExactlyElementsOf(all().stream().map(Mutant::name).toList());
    }

    /** A known seed finds the bug, and not something else that is wrong with its world. */
    @Test
    void areNotNoticedWhereTheyAreNot() {
        for (long seed : Mutants.knownSeeds().values()) {
            assertThat(Schedules.standard().run(seed).passed())
                    .as("seed %d", seed)
                    .isTrue();
        }
    }
}
