package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.core.explain.Explanation.StepState.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In a world at rest, a step that could begin at once shows that no change has marked its object. */
class OverlookedTest {
    @ParameterizedTest
    @CsvSource({
        "CREATE, READY, true",
        "MOUNT, READY, true",
        "MOUNT, RUNNING, false",
        "MOUNT, BACKING_OFF, false",
        "MOUNT, BLOCKED, false",
        "TELL, READY, false",
        "VERIFY, READY, false"
    })
    void aStepThatCouldBeginAtOnceWasOverlooked(String kind, Phase phase, boolean overlooked) {
        StepState step = new StepState("do it", kind, phase, "", 0, "", Duration.ZERO);
        Explanation explanation = new Explanation("volume v", true, List.of(step), List.of());

        List<String> found = Overlooked.in(List.of(explanation));

        assertThat(found)
                .hasSize(overlooked ? 1 : 0)
                .allSatisfy(text -> assertThat(text).isEqualTo("volume v is not looked at: do it: next"));
    }
}
