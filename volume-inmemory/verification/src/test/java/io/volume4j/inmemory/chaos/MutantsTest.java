package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.inmemory.oracle.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** A bug that is noticed, but by its consequences only, would say nothing of the rule. */
    @ParameterizedTest
    @CsvSource({
        "S6, formats what it could not read",
        "S7, formats again what it has just formatted",
        "S7, takes whatever is on a disk for nothing",
        "S6, takes samples of a disk for proof that it is blank",
        "S17, tells what drivers say with their secrets in it",
        "S17, records what drivers say with their secrets in it",
        "S20, makes more calls at once than it may",
        "S20, never makes its journal smaller",
        "S22, asks another driver than the volume's"
    })
    void isNoticedByTheRuleThatItBreaks(String rule, String name) {
        Mutant mutant = all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        long seed = Mutants.findingSeed(mutant, SEARCHED);

        Schedules.Result result = Schedules.changed(mutant.change()).run(seed);

        assertThat(result.violations()).first().extracting(Violation::rule).isEqualTo(rule);
    }

    @Test
    void areManyAndOfDifferentNames() {
        assertThat(all().stream().map(Mutant::name).distinct())
                .hasSameSizeAs(all())
                .hasSizeGreaterThanOrEqualTo(80);
    }

    @Test
    void areKnownBySeedsOfTheirNames() {
        assertThat(Mutants.knownSeeds().keySet())
                .containsExactlyElementsOf(all().stream().map(Mutant::name).toList());
    }

    /** A known seed finds the bug, and not something else that is wrong with its world. */
    @Test
    void areNotNoticedWhereTheyAreNot() {
        List<Long> seeds = Mutants.knownSeeds().values().stream().distinct().toList();
        List<Schedules.Result> results =
                Processors.map(seeds, seed -> Schedules.standard().run(seed));
        for (int i = 0; i < seeds.size(); i++) {
            assertThat(results.get(i).passed()).as("seed %d", seeds.get(i)).isTrue();
        }
    }
}
