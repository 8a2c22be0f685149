package io.volume4j.inmemory.chaos;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState.Phase;
import java.util.List;
import java.util.Set;

/**
 * Steps that a planner wants and that its engine does not take: no change of the last minutes marked the object. An
 * explanation plans anew, so it shows them.
 */
final class Overlooked {
    /** Events and answers of the store grow old while nothing changes, and are due again at the next visit. */
    private static final Set<String> MAY_WAIT = Set.of("TELL", "LOOK", "VERIFY");

    private Overlooked() {}

    /** @param explanations after the world has been still for longer than any pause of an engine */
    static List<String> in(List<Explanation> explanations) {
        return explanations.stream()
                .flatMap(explanation -> explanation.steps().stream()
                        .filter(step -> step.phase() == Phase.READY && !MAY_WAIT.contains(step.kind()))
                        .map(step -> explanation.subject() + " is not looked at: " + step.text()))
                .toList();
    }
}
