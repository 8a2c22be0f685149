package io.volume4j.inmemory.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScriptTest {
    private static final CallSite ATTACH = new CallSite("attach", "v1", "n1");

    private final FaultScript script = new FaultScript();

    @Test
    void aCallWithoutAFaultIsLeftAlone() {
        script.add(Fault.on("detach"));
        script.add(Fault.on("attach").of("v2"));
        script.add(Fault.on("attach").at("n2"));

        assertThat(script.take(ATTACH)).isEmpty();
        assertThat(script.pending()).hasSize(3);
    }

    @Test
    void happensAtTheNthCallAndAsOftenAsItSays() {
        script.add(Fault.on("attach").nth(2).times(2));

        assertThat(taken(5)).containsExactly(false, true, true, false, false);
        assertThat(script.pending()).isEmpty();
    }

    @Test
    void alwaysLastsUntilItIsHealed() {
        script.add(Fault.on("attach").always());

        assertThat(taken(3)).containsExactly(true, true, true);
        script.heal();
        assertThat(taken(1)).containsExactly(false);
    }

    @Test
    void aFaultOfOneDriverConcernsNoOther() {
        script.add(Fault.on("attach").by("b").always());
        script.add(Fault.on("detach").by("a"));
        script.add(Fault.on("delete"));

        assertThat(script.take(ATTACH.to("a"))).isEmpty();
        assertThat(script.take(ATTACH.to("b"))).isPresent();
        script.heal("a");
        assertThat(script.pending()).containsExactly(Fault.on("attach").by("b").always());
    }

    @Test
    void faultsOfOneCallHappenOneAfterTheOther() {
        script.add(Fault.on("attach").as(FaultKind.FINAL));
        script.add(Fault.on("attach").as(FaultKind.IN_USE));

        List<FaultKind> kinds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            script.take(ATTACH).ifPresent(fault -> kinds.add(fault.kind()));
        }

        assertThat(kinds).containsExactly(FaultKind.FINAL, FaultKind.IN_USE);
    }

    @Test
    void callsOfOtherVolumesDoNotCount() {
        script.add(Fault.on("attach").of("v1").nth(2));

        script.take(new CallSite("attach", "v2", "n1"));
        script.take(new CallSite("attach", "v3", "n1"));

        assertThat(taken(2)).containsExactly(false, true);
    }

    @Test
    void everyWordOfAKindMeansThatKind() {
        for (FaultKind kind : FaultKind.values()) {
            assertThat(FaultKind.ofWord(kind.word())).isEqualTo(kind);
        }
    }

    @Test
    void anUnknownWordIsRefusedWithThoseThatExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FaultKind.ofWord("explode"))
                .withMessageContaining("\"explode\"")
                .withMessageContaining("transient")
                .withMessageContaining("lateSuccess");
    }

    @Test
    void aDanglingFaultNamesItsHolder() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.on("attach").as(FaultKind.DANGLING))
                .withMessageContaining("dangling(node)");
    }

    private List<Boolean> taken(int calls) {
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(script.take(ATTACH).isPresent());
        }
        return answers;
    }
}
