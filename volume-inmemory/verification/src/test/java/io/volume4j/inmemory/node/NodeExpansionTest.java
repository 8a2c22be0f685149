package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume that has become larger becomes so on the node, and its claim is told. */
class NodeExpansionTest {
    private static final Quantity LARGER = Quantity.parse("2Gi");

    private final NodeHarness node = NodeHarness.withMachine(1);

    @ParameterizedTest
    @EnumSource(
            value = ResizeStatus.class,
            names = {"NONE", "NODE_PENDING", "NODE_IN_PROGRESS"})
    void growsUnderItsPodsAndTellsTheClaim(ResizeStatus status) {
        mounted(node);
        node.grow("data", LARGER, status);
        node.settle();

        assertThat(expansions(node)).hasSize(1);
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        told(node);
        assertThat(node.explainPod("a").settled()).isTrue();
    }

    @Test
    void growsARawDeviceUnderItsPod() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        node.pod("a", "data");
        node.start().settle();
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(expansions(node)).hasSize(1);
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmap"));
        told(node);
    }

    @Test
    void growsBeforeTheFirstPodGetsIt() {
        node.boundClaim("data");
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.calls())
                .containsSubsequence("mountDevice h-data n1", "nodeExpand h-data n1", "mount h-data n1 a");
        told(node);
    }

    @Test
    void isInProgressInTheClaimBeforeItBegins() {
        mounted(node);
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(FaultKind.TRANSIENT));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(ResizeStatus.of(node.storedClaim("data"))).isEqualTo(ResizeStatus.NODE_IN_PROGRESS);
        assertThat(expansions(node)).as("tried again").hasSizeGreaterThan(3);
        assertThat(node.explainPod("a").text()).contains("expand volume pv-data", "last error");
    }

    @ParameterizedTest
    @EnumSource(
            value = ResizeStatus.class,
            names = {"CONTROLLER_IN_PROGRESS", "CONTROLLER_INFEASIBLE", "NODE_INFEASIBLE"})
    void doesNothingWhenItIsNotItsTurn(ResizeStatus status) {
        mounted(node);
        node.grow("data", LARGER, status);
        node.settle();

        assertThat(expansions(node)).isEmpty();
        assertThat(node.storedClaim("data").status().capacity()).isEqualTo(Quantity.parse("1Gi"));
    }

    @Test
    void growsNothingThatItOnlyReads() {
        node.boundClaim("data");
        node.pod("a", true, Pod.SecurityContext.none(), "data");
        node.start().settle();
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(expansions(node)).isEmpty();
        assertThat(node.explainPod("a").settled()).isTrue();
    }

    @Test
    void growsWhatOnePodWritesAndAnotherReads() {
        node.boundClaim("data");
        node.pod("a", true, Pod.SecurityContext.none(), "data");
        node.pod("b", "data");
        node.start().settle();
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(expansions(node)).hasSize(1);
    }

    @Test
    void keepsAndShowsWhatThePluginCanNeverDo() {
        mounted(node);
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(FaultKind.INFEASIBLE));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(expansions(node)).as("not tried again").hasSize(1);
        assertThat(ResizeStatus.of(node.storedClaim("data"))).isEqualTo(ResizeStatus.NODE_INFEASIBLE);
        assertThat(node.explainPod("a").text()).contains("cannot grow to " + LARGER.bytes() + " bytes");

        node.kill();
        node.start().settle();
        assertThat(expansions(node)).as("not after a restart either").hasSize(1);

        node.plugin.faults().heal();
        node.resizeStatus("data", ResizeStatus.NODE_PENDING);
        node.settle();
        assertThat(expansions(node)).as("until it is asked for again").hasSize(2);
        told(node);
    }

    @Test
    void startsPodsOnAVolumeThatCannotGrow() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(FaultKind.INFEASIBLE));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    /** The pod gets the volume with its present size, so the refusal ends no wait. */
    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {"INFEASIBLE", "FINAL"})
    void aCallerGetsThePodAlthoughItsVolumeCannotGrow(FaultKind refusal) {
        node.start().settle();
        var waiting = node.agent().whenMounted("a");
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(refusal));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.pod("a", "data");
        node.settle();

        assertThat(expansions(node)).isNotEmpty();
        assertThat(node.get(waiting).volumes()).hasSize(1);
    }

    @Test
    void startsPodsOnAVolumeThatIsInUseAndTriesAgain() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("nodeExpand").times(5).as(FaultKind.IN_USE));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.calls().indexOf("mount h-data n1 a"))
                .as("mounted before it had grown")
                .isLessThan(node.calls().lastIndexOf("nodeExpand h-data n1"));
        told(node);
    }

    @Test
    void keepsAPodWaitingWhileItsVolumeMayGrow() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(FaultKind.TRANSIENT));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.calls()).noneMatch(call -> call.startsWith("mount "));

        node.plugin.faults().heal();
        node.settle();
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void waitsForTheLastPodWhereThePluginGrowsOfflineOnly() {
        NodeHarness offline = NodeHarness.withPlugin(InMemoryPluginBuilder::expandsOffline);
        mounted(offline);
        offline.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        offline.settle();

        assertThat(expansions(offline)).isEmpty();
        assertThat(offline.explainPod("a").text()).contains("when no pod has it mounted any more");

        offline.deletePod("a");
        offline.pod("b", "data");
        offline.settle();
        assertThat(expansions(offline)).hasSize(1);
        assertThat(offline.mounted("b").volumes()).hasSize(1);
        told(offline);
    }

    @Test
    void goesOnAfterARestart() {
        mounted(node);
        node.plugin.faults().add(Fault.on("nodeExpand").always().as(FaultKind.UNCERTAIN_AFTER));
        node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        node.settle();
        node.kill();
        node.plugin.faults().heal();
        node.start().settle();

        told(node);
        assertThat(node.explainPod("a").settled()).isTrue();
    }

    /** The write is tried until it is taken; the volume is not expanded again for it. */
    @Test
    void tellsTheClaimAlthoughTheClusterDoesNotAnswerAtFirst() {
        mounted(node);
        node.cluster.fail(ClusterFault.on(ClusterVerb.PATCH)
                .of(Kind.PERSISTENT_VOLUME_CLAIM)
                .times(4));
        node.grow("data", LARGER, ResizeStatus.NONE);
        node.settle();

        assertThat(expansions(node)).hasSize(1);
        told(node);
    }

    /** What was done is what was asked then, whatever is asked when the answer comes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void growsAgainWhatBecameLargerWhileItGrew(int later) {
        for (long seed = 1; seed <= 8; seed++) {
            growsTwice(seed, later);
        }
    }

    private static void growsTwice(long seed, int later) {
        NodeHarness other = NodeHarness.withMachine(seed);
        other.boundClaim("data");
        other.pod("a", "data");
        other.start().settle();
        other.grow("data", Quantity.parse("1536Mi"), ResizeStatus.NONE);
        while (other.transitions.stream().noneMatch(step -> step.action() == VolumeTransition.Action.EXPAND)) {
            assertThat(other.world.step()).isTrue();
        }
        for (int i = 0; i < later; i++) {
            other.world.step();
        }
        other.grow("data", LARGER, ResizeStatus.NONE);
        other.settle();

        told(other);
        assertThat(other.storage.calls().stream()
                        .filter(call -> call.name().equals("nodeExpand"))
                        .map(call -> ((NodeExpandRequest) call.request()).newBytes()))
                .as("seed %d, %d steps later", seed, later)
                .endsWith(LARGER.bytes());
    }

    /** A driver that stages nothing knows no path of the volume before a pod has it. */
    @Test
    void growsThroughAPodsMountOnlyAfterItsGroupIsApplied() {
        NodeHarness unstaged =
                NodeHarness.withPlugin(builder -> builder.expandsUnderPods().without(Capability.DEVICE_MOUNT));
        unstaged.boundClaim("data");
        unstaged.grow("data", LARGER, ResizeStatus.NODE_PENDING);
        unstaged.pod("a", false, new Pod.SecurityContext(4000L, "Always", List.of(), null), "data");
        unstaged.start().settle();

        List<NodeExpandRequest> calls = unstaged.storage.calls().stream()
                .filter(call -> call.name().equals("nodeExpand"))
                .map(call -> (NodeExpandRequest) call.request())
                .toList();
        assertThat(calls).hasSize(1).allMatch(request -> request.podPath() != null);
    }

    private static void mounted(NodeHarness node) {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
    }

    private static List<String> expansions(NodeHarness node) {
        return node.calls().stream()
                .filter(call -> call.startsWith("nodeExpand"))
                .toList();
    }

    private static void told(NodeHarness node) {
        assertThat(node.storedClaim("data").status().capacity()).isEqualTo(LARGER);
        assertThat(ResizeStatus.of(node.storedClaim("data"))).isEqualTo(ResizeStatus.NONE);
        assertThat(node.storage.volume("h-data").orElseThrow().stagings().get(NodeHarness.NODE))
                .extracting(staging -> staging.filesystemBytes())
                .isEqualTo(LARGER.bytes());
        assertThat(node.storage.violations()).isEmpty();
    }
}
