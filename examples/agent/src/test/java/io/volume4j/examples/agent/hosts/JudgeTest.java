package io.volume4j.examples.agent.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
    @Test
    void podsWriteOneAfterTheOther() {
        assertThat(Judge.turns(List.of("p1 1", "p1 2", "p2 1", "p2 1", "p3 1"))).isEmpty();
    }

    @Test
    void aPodThatWritesAfterAnotherOneHasBegunIsSeen() {
        assertThat(Judge.turns(List.of("p1 1", "p2 1", "p1 2", "p2 2")))
                .containsExactly("p1 wrote again after p2 had begun", "p2 wrote again after p1 had begun");
    }

    @Test
    void aSnapshotHoldsTheBeginningOfItsVolume() {
        assertThat(Snapshots.begins(new byte[] {1, 2, 3}, new byte[] {1, 2})).isTrue();
        assertThat(Snapshots.begins(new byte[] {1, 2, 3}, new byte[] {1, 3})).isFalse();
        assertThat(Snapshots.begins(new byte[] {1, 2}, new byte[] {1, 2, 3})).isFalse();
    }
}
