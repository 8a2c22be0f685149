package io.volume4j.core.control.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.host.ClusterWork.Look;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a plan while a read of all users must not begin yet. */
class ReadPaceTest {
    private static final ObjectKey VOLUME = ObjectKey.volume("v");
    private static final ClusterStep VERIFY = new ClusterWork.Verify(VOLUME, "");
    private static final ClusterStep NODES = new Look(VOLUME, At.NODES);
    private static final ClusterStep PODS = new Look(VOLUME, At.PODS);
    private static final Wait OTHER = Wait.on("the claim", "waiting for the claim");

    private final Plan<ClusterStep> both = new Plan<>(List.of(VERIFY, NODES, PODS), List.of(OTHER));

    @Test
    void nothingChangesWhereReadsMayBegin() {
        assertThat(ReadPace.FREE.apply(both)).isSameAs(both);
    }

    @Test
    void nothingChangesWhereAnotherReadWaits() {
        assertThat(ReadPace.FREE.with(At.CLAIMS, 7).apply(both)).isSameAs(both);
    }

    @Test
    void aReadWaitsForItsTimeAndOtherStepsDoNot() {
        Plan<ClusterStep> one = new Plan<>(List.of(VERIFY, NODES), List.of(OTHER));

        Plan<ClusterStep> now = ReadPace.FREE.with(At.NODES, 7).apply(one);

        assertThat(now.steps()).containsExactly(VERIFY);
        assertThat(now.waits()).hasSize(2).startsWith(OTHER);
        assertThat(now.waits().get(1).notBeforeNanos()).isEqualTo(7);
        assertThat(now.waits().get(1).why()).contains("the next read of all attachments and nodes");
    }

    /** The first would be out of date when the second may begin, and would be made again and again. */
    @Test
    void theReadsOfOneObjectBeginTogether() {
        Plan<ClusterStep> early = ReadPace.FREE.with(At.NODES, 7).apply(both);
        Plan<ClusterStep> late =
                ReadPace.FREE.with(At.NODES, 7).with(At.PODS, 9).apply(both);

        assertThat(early.steps()).containsExactly(VERIFY);
        assertThat(early.waits()).extracting(Wait::notBeforeNanos).containsExactly(OTHER.notBeforeNanos(), 7L, 7L);
        assertThat(late.waits()).extracting(Wait::notBeforeNanos).containsExactly(OTHER.notBeforeNanos(), 9L, 9L);
    }
}
