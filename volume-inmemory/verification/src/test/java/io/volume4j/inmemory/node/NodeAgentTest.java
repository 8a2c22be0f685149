package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node as a whole, in virtual time, over a backend in memory that judges the order of calls. */
class NodeAgentTest {
    private final NodeHarness node = new NodeHarness(1);

    @Test
    void bringsAVolumeToItsPodsAndTakesItAwayAgain() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.pod("b", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(node.mounted("b").volumes()).containsOnlyKeys("data");
        assertThat(node.explainPod("a").settled()).isTrue();

        node.deletePod("a");
        node.deletePod("b");
        node.settle();

        assertThat(node.calls())
                .containsSubsequence(
                        "attach h-data n1", "mountDevice h-data n1", "unmountDevice h-data n1", "detach h-data n1");
        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.get(node.agent().quiet())).isTrue();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void doesNothingTwiceAndNothingWhileIdle() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();

        node.world.advance(Duration.ofHours(1));

        assertThat(node.calls()).isEqualTo(before).hasSize(3);
    }

    /** A machine sleeps deeper the longer nothing wakes it: what keeps the node up to date is one timer of a second. */
    @Test
    void wakesUpOnceASecondAtMostWhileIdle() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.watchVolumes(Duration.ofMinutes(1)).start().settle();
        Duration end = node.world.elapsed().plusMinutes(10);

        int wakes = 0;
        while (node.world.passToNext(end)) {
            wakes++;
        }

        assertThat(wakes).isLessThanOrEqualTo(600);
    }

    @Test
    void keepsTheDeviceWhileOnePodIsLeft() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.pod("b", "data");
        node.start().settle();

        node.deletePod("a");
        node.settle();

        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmountDevice"));
        assertThat(node.mounted("b").volumes()).hasSize(1);
    }

    @Test
    void saysWhatAPodWaitsFor() {
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains("claim default/data does not exist");

        node.boundClaim("data");
        node.settle();
        assertThat(node.explainPod("a").settled()).isTrue();
    }

    /** The list of nodes may come after the pods; labels that are not known yet say nothing about a volume's place. */
    @Test
    void waitsForItsNodeObjectBeforeItJudgesWhetherAVolumeCanBeReached() {
        node.boundClaim("data");
        PersistentVolume volume = node.storedVolume("data");
        PersistentVolume.Spec spec = volume.spec();
        NodeSelector zone = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of("a"))), List.of())));
        node.cluster.apply(new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        zone,
                        "",
                        spec.source()),
                volume.status(),
                volume.unmodeled()));
        node.pod("a", "data");
        node.start().settle();
        assertThat(node.explainPod("a").text()).contains("node n1, whose labels volume pv-data asks for");
        CompletableFuture<MountedPod> mounted = node.agent().whenMounted("a");
        node.settle();
        assertThat(mounted).isNotDone();

        node.cluster.apply(new Node(
                ObjectMeta.named("", NodeHarness.NODE).withLabels(Map.of("zone", "a")),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
        node.settle();
        assertThat(mounted).isCompleted();
    }

    @Test
    void triesAgainAfterATransientFailure() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mount").times(3).as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void failsAWaiterAtOnceWhenNothingWillMendItself() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mountDevice").always().as(FaultKind.FINAL));
        node.pod("a", "data");
        node.start();
        var waiting = node.agent().whenMounted("a");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(waiting).isCompletedExceptionally();
        assertThatThrownBy(() -> node.get(waiting)).isInstanceOf(VolumeException.class);
        assertThat(node.explainPod("a").text()).contains("mount device of volume pv-data", "last error");

        node.plugin.faults().heal();
        node.settle();
        assertThat(node.mounted("a").volumes()).as("it is tried all the same").hasSize(1);
    }

    @Test
    void tearsDownWhatMayHaveBeenMountedBeforeItDetaches() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mount").always().as(FaultKind.UNCERTAIN_AFTER));
        node.pod("a", "data");
        node.start();
        node.world.advance(Duration.ofSeconds(5));
        node.deletePod("a");
        node.plugin.faults().heal();
        node.settle();

        assertThat(node.calls()).containsSubsequence("unmountDevice h-data n1", "detach h-data n1");
        assertThat(node.calls()).anyMatch(call -> call.startsWith("unmount "));
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void keepsWhatRunningContainersMayStillUse() {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
        NodeHarness guarded = new NodeHarness(1, runtime);
        guarded.boundClaim("data");
        guarded.pod("a", "data");
        runtime.started("a");
        guarded.start().settle();
        guarded.deletePod("a");
        guarded.settle();

        assertThat(guarded.calls()).noneMatch(call -> call.startsWith("unmount"));
        assertThat(guarded.explainPod("a").text()).contains("until the containers of pod default/a have stopped");

        runtime.stopped("a");
        guarded.settle();
        assertThat(guarded.get(guarded.agent().present())).isEmpty();
    }

    @Test
    void givesAVolumeForOnePodToOnePod() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE_POD);
        node.pod("a", "data");
        node.pod("b", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.explainPod("b").text()).contains("only one pod may use it, and default/a does");

        node.deletePod("a");
        node.settle();
        assertThat(node.mounted("b").volumes()).hasSize(1);
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void tearsNothingDownAfterARestartBeforeThePodsAreKnown() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.kill();
        node.cluster.holdNewWatches(true);
        node.cluster.fail(io.volume4j.inmemory.cluster.ClusterFault.on(io.volume4j.inmemory.cluster.ClusterVerb.LIST)
                .always());
        List<String> before = node.calls();
        node.start().settle();

        assertThat(node.calls()).isEqualTo(before);
    }

    @Test
    void keepsAMountWhoseClaimCannotBeReadAnyMore() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.cluster.remove(ObjectKey.claim("default", "data"));
        node.settle();

        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        assertThat(node.explainPod("a").text()).contains("claim default/data does not exist");
    }

    @Test
    void aRestartWithNothingChangedMakesNoCall() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();
        node.kill();
        node.start().settle();

        assertThat(node.calls()).isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void mountsAgainAfterAReboot() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.reboot();
        node.start().settle();

        assertThat(node.calls().stream().filter(call -> call.startsWith("mountDevice")))
                .hasSize(2);
        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void takesDownAfterARestartWhatNoPodWantsAnyMore() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.kill();
        node.deletePod("a");
        node.start().settle();

        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.calls()).endsWith("detach h-data n1");
        assertThat(node.storage.violations()).isEmpty();
    }

    /** Every crash point of a whole life, for several schedules: the end is always the same, and nothing is left. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void convergesFromACrashAtAnyStep(long seed) {
        int steps = 0;
        boolean finished = false;
        while (!finished) {
            finished = liveAndDie(seed, steps++);
        }
        assertThat(steps).as("crash points").isGreaterThan(40);
    }

    /** Mounts and unmounts with a crash after that many steps; true if the life was over before. */
    private static boolean liveAndDie(long seed, int crashAfter) {
        NodeHarness node = new NodeHarness(seed);
        node.boundClaim("data");
        node.boundClaim("more");
        node.pod("a", "data", "more");
        node.pod("b", "data");
        node.start();
        boolean survived = run(node, crashAfter);
        node.settle();
        assertThat(node.mounted("a").volumes()).as("crash after %d", crashAfter).hasSize(2);
        assertThat(node.mounted("b").volumes()).hasSize(1);
        node.deletePod("a");
        node.deletePod("b");
        if (survived) {
            survived = run(node, crashAfter / 2);
        }
        node.settle();
        assertThat(node.get(node.agent().present()))
                .as("crash after %d", crashAfter)
                .isEmpty();
        assertThat(node.storage.violations()).as("crash after %d", crashAfter).isEmpty();
        return survived;
    }

    /** Runs the steps, then kills and restarts; true if everything was done before. */
    private static boolean run(NodeHarness node, int steps) {
        for (int i = 0; i < steps; i++) {
            if (!node.world.step()) {
                return true;
            }
        }
        node.kill();
        node.start();
        return false;
    }
}
