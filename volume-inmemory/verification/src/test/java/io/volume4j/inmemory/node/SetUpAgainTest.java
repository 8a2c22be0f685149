package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Content is set up again when what it was made of has changed. */
class SetUpAgainTest {
    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void setsContentUpAgainWhenItsPodChanges() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPluginBuilder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        relabel(content, "a", "1");
        content.settle();

        assertThat(content.count("mount ")).isEqualTo(2);
        assertThat(content.calls()).noneMatch(call -> call.startsWith("unmount"));
        content.world.advance(Duration.ofHours(1));
        assertThat(content.count("mount ")).as("once").isEqualTo(2);
    }

    @Test
    void setsContentUpAgainWhenThePluginAsks() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.pod("b", "data");
        node.start().settle();
        node.plugin.contentChanged(VolumeId.shared("mem", "h-data"));
        node.plugin.contentChanged(VolumeId.shared("mem", "unknown"));
        node.settle();

        assertThat(node.count("mount ")).isEqualTo(4);
    }

    @Test
    void neverTakesAwayWhatItCannotSetUpAgain() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPluginBuilder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        content.plugin.faults().add(Fault.on("mount").times(3).as(FaultKind.FINAL));
        content.plugin.faults().add(Fault.on("mount").nth(4).as(FaultKind.UNCERTAIN_AFTER));
        relabel(content, "a", "1");
        content.world.advance(Duration.ofSeconds(1));

        assertThat(content.mounted("a").volumes())
                .as("what was certain stays so")
                .hasSize(1);
        content.world.advance(Duration.ofHours(2));
        assertThat(content.explainPod("a").settled())
                .as("tried until it is done")
                .isTrue();
        assertThat(content.count("mount ")).isGreaterThan(4);
        assertThat(content.calls()).noneMatch(call -> call.startsWith("unmount"));
    }

    /** The pod keeps what it has, and may still get the other volume. */
    @Test
    void aCallerGetsThePodAlthoughOneOfItsVolumesCannotBeSetUpAgain() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPluginBuilder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data", "late");
        content.start().settle();
        assertThat(content.get(content.agent().mounted("a")).volumes()).containsOnlyKeys("data");
        var waiting = content.agent().whenMounted("a");
        content.plugin.faults().add(Fault.on("mount").times(1).as(FaultKind.FINAL));
        relabel(content, "a", "1");
        content.settle();
        content.boundClaim("late");
        content.settle();

        assertThat(content.get(waiting).volumes()).containsOnlyKeys("data", "late");
    }

    /** What changed while the process was away is made good for at once. */
    @Test
    void setsContentUpAgainAfterARestart() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPluginBuilder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        content.kill();
        content.start().settle();

        assertThat(content.count("mount ")).isEqualTo(2);
        assertThat(content.calls().stream().filter(call -> call.startsWith("mountDevice")))
                .hasSize(1);
    }

    private static void relabel(NodeHarness node, String pod, String value) {
        Pod stored = (Pod) node.cluster.get(ObjectKey.pod("default", pod)).orElseThrow();
        node.cluster.apply(new Pod(
                stored.metadata().withLabels(Map.of("version", value)),
                stored.spec(),
                stored.status(),
                stored.unmodeled()));
    }
}
