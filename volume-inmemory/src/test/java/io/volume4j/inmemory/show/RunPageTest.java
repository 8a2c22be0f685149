package io.volume4j.inmemory.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a line of a timeline becomes on the page. */
class RunPageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            n1 starts                                     | LIFE   | n1           | -
            n1 is killed                                  | FAULT  | n1           | -
            n1 dies: mount v1 EFFECTED                    | FAULT  | n1           | -
            controller-1 is cut off                       | FAULT  | controller-1 | -
            step delete: Pod/default/a                    | STEP   | scenario     | -
            patch Node//n1 n1: {status.volumesInUse: []}  | WRITE  | n1           | Node//n1
            delete VolumeAttachment//x controller-1       | WRITE  | controller-1 | VolumeAttachment//x
            mount v1 n1 a by n1#1                         | CALL   | n1           | v1
            BROKEN S1 v1: granted twice                   | BROKEN | -            | -
            what no rule knows                            | OTHER  | -            | -
            """)
    void aLineHasItsKindAndItsLanes(String text, RunMoment.Kind kind, String from, String to) {
        RunMoment moment = RunMoment.read(List.of("    10.000 s  " + text)).get(0);

        assertThat(moment)
                .isEqualTo(new RunMoment("10.000", kind, from == null ? "" : from, to == null ? "" : to, text));
    }

    @Test
    void anAnswerGoesBackToTheProcessThatCalled() {
        List<RunMoment> moments = RunMoment.read(List.of(
                "     0.000 s  mount v1 n1 a by n1#1",
                "     0.000 s  mount v1 ended: ok",
                "     1.000 s  attach v1 n1 by controller-1#2",
                "     1.000 s  attach v1 ended: TRANSIENT"));

        assertThat(moments.get(1))
                .isEqualTo(new RunMoment("0.000", RunMoment.Kind.ANSWER, "v1", "n1", "mount v1 ended: ok"));
        assertThat(moments.get(3).kind()).isEqualTo(RunMoment.Kind.FAULT);
        assertThat(moments.get(3).to()).isEqualTo("controller-1");
    }

    @Test
    void aPageHoldsNothingThatItsTextsSay() {
        String page = RunPage.of("<script>", "a & b", List.of("<b>"), List.of("     0.000 s  step <img src=x>: \"y\""));

        assertThat(page).doesNotContain("<script>", "<b>", "<img").contains("&lt;script&gt;", "a &amp; b");
    }

    @Test
    void aLongTextIsCutBetweenCharacters() {
        String html = RunPage.of("run", "seed 1", List.of(), List.of("    10.000 s  " + "\uD83D\uDCBE".repeat(151)));

        assertThat(html).contains(">" + "\uD83D\uDCBE".repeat(149) + "…</text>");
    }
}
