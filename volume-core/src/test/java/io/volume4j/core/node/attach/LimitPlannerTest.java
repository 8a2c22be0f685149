package io.volume4j.core.node.attach;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitPlannerTest {
    @ParameterizedTest(name = "object {0}, says {1}, known {2}, published {3} by us {4}: {5}")
    @CsvSource(textBlock = """
                    false, true,  5, ,  false, nothing
                    true,  false, 5, ,  false, nothing
                    true,  true,   , ,  false, ASK
                    true,  true,   , 5, true,  ASK
                    true,  true,  5, ,  false, PUBLISH 5
                    true,  true,  5, 7, false, PUBLISH 5
                    true,  true,  5, 5, false, nothing
                    true,  true,  0, ,  false, nothing
                    true,  true,  0, 7, false, nothing
                    true,  true,  0, 7, true,  PUBLISH 0
                    """)
    void tellsWhatThePluginSaysAndRemovesOnlyItsOwn(
            boolean nodeThere,
            boolean reports,
            @Nullable Long known,
            @Nullable Long published,
            boolean publishedHere,
            String expected) {
        LimitView view =
                new LimitView("mem", nodeThere, reports, known, published, publishedHere, LimitView.Entry.STANDS);

        String planned = new LimitPlanner()
                .plan(view).steps().stream()
                        .map(step -> step.kind() + (step.volumes() < 0 ? "" : " " + step.volumes()))
                        .findFirst()
                        .orElse("nothing");

        assertThat(planned).isEqualTo(expected);
    }
}
