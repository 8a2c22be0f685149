package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Exploration.Reconciler;
import io.volume4j.inmemory.chaos.Mutants.Mutant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In every state of a small world all rules hold, and from each the wish is reached. */
class ExplorationTest {
    private static final int DEPTH = Integer.getInteger("volume4j.exploration.depth", 3);
    /** More than there are within the depth. */
    private static final long STATES = Long.getLong("volume4j.exploration.states", 5_000);

    @ParameterizedTest
    @EnumSource
    void noStateBreaksARuleOrIsADeadEnd(Reconciler reconciler) {
        Exploration.Report report = Exploration.of(reconciler).explore(DEPTH, STATES);

        System.out.println(report.text());
        assertThat(report.failures()).as(report.text()).isEmpty();
        assertThat(report.states()).isGreaterThan(200);
        assertThat(report.complete())
                .as("every way within %d choices was gone", DEPTH)
                .isTrue();
    }

    @Test
    void theSameStatesAreFoundEachTime() {
        Exploration exploration = Exploration.of(Reconciler.BINDING);
        assertThat(exploration.explore(2, Long.MAX_VALUE)).isEqualTo(exploration.explore(2, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @EnumSource
    void aWishThatIsNotFulfilledIsADeadEnd(Reconciler reconciler) {
        String bug = switch (reconciler) {
            case NODE -> "never does MOUNT";
            case ATTACH -> "the control plane never does WRITE_GRANTS";
            case BINDING -> "never does PROVISION for claims and volumes";
        };
        Mutant mutant = Mutants.all().stream()
                .filter(each -> each.name().equals(bug))
                .findFirst()
                .orElseThrow();

        Exploration.Report report =
                Exploration.changed(reconciler, mutant.change()).explore(1, 50);

        assertThat(report.failures()).isNotEmpty();
        assertThat(report.failures().get(0)).contains("dead end");
    }
}
