package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that attaches by itself asks its plugin for the limit again as soon as the plugin refuses for want of room. */
class RefusedForRoomTest {
    private final NodeHarness node = NodeHarness.withPlugin(builder -> builder.saysLimit(5));

    @ParameterizedTest
    @CsvSource({"EXHAUSTED, 2", "TRANSIENT, 1"})
    void theLimitIsAskedForAgainOnlyWhereThereIsNoRoom(FaultKind refusal, long asked) {
        node.boundClaim("data");
        node.nodeStatus(List.of(), List.of());
        node.start().settle();
        assertThat(limitsAsked()).isEqualTo(1);

        node.plugin.faults().add(Fault.on("attach").times(1).as(refusal));
        node.pod("a", "data");
        node.world.advance(Duration.ofMillis(10));

        assertThat(limitsAsked()).isEqualTo(asked);
    }

    @Test
    void thePodGetsTheVolumeWhenThereIsRoomAgain() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("attach").times(3).as(FaultKind.EXHAUSTED));
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    private long limitsAsked() {
        return node.storage.calls().stream()
                .filter(call -> call.name().equals("limits"))
                .count();
    }
}
