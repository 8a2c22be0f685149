package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.BackingVolume;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node that cannot reach the cluster gives up its volumes by itself, and only then another node gets them. */
class SelfFencingTest {
    private final AttachHarness cluster = new AttachHarness(1);
    private boolean evidence;

    @Test
    void aNodeThatIsCutOffGivesUpItsVolumesAndAnotherNodeGetsThemByItsEvidence() {
        mountedOnTheFirst();
        cluster.on("n1").link.cut();
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.pod("b", "n2", "v").settle();
        assertThat(cluster.controlCalls()).as("without evidence").containsExactly("attach h-v n1");

        CompletableFuture<Boolean> fenced = cluster.on("n1").agent().fence();
        cluster.run();
        assertThat(fenced).isCompletedWithValue(true);
        assertThat(cluster.calls()).endsWith("unmount h-v n1 a", "unmountDevice h-v n1");
        evidence = true;
        cluster.settle();

        assertThat(cluster.on("n2").mounted("b").volumes()).containsOnlyKeys("v");
        assertThat(cluster.told("ForcedDetach")).hasSize(1).allMatch(text -> text.contains("self_fenced_lease"));

        cluster.on("n1").kill();
        cluster.on("n1").link.mend();
        cluster.on("n1").start();
        cluster.ready("n1", true);
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The cluster still gives it the volume: it asks anew before it mounts. */
    @Test
    void aNodeThatComesBackBeforeItsVolumesWereGivenAwayGoesOnWithThem() {
        mountedOnTheFirst();
        cluster.on("n1").link.cut();
        CompletableFuture<Boolean> fenced = cluster.on("n1").agent().fence();
        cluster.settle();
        assertThat(fenced).isCompletedWithValue(true);

        cluster.on("n1").kill();
        cluster.on("n1").link.mend();
        cluster.on("n1").start();
        cluster.settle();
        assertThat(cluster.on("n1").mounted("a").volumes()).containsOnlyKeys("v");
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void whatCannotBeUnmountedKeepsTheNodeFromBeingFenced() {
        mountedOnTheFirst();
        cluster.storage.faults().add(Fault.on("unmountDevice").always().as(FaultKind.TRANSIENT));
        CompletableFuture<Boolean> fenced = cluster.on("n1").agent().fence();
        cluster.settle();
        assertThat(fenced).isNotDone();
        assertThat(cluster.on("n1").explainPod("a").text()).contains("unmountDevice");

        cluster.storage.faults().heal();
        cluster.settle();
        assertThat(fenced).isCompletedWithValue(true);
    }

    /** An administrator replaced the driver's object. What a controller attached under the old one is still attached. */
    @Test
    void aVolumeIsGivenUpAlsoIfItsDriverNeedsNoAttachmentAnyMore() {
        mountedOnTheFirst();
        CsiDriver.Spec settings =
                CsiDriver.Spec.defaults().toBuilder().attachRequired(false).build();
        cluster.cluster.apply(new CsiDriver(ObjectMeta.named("", "mem"), settings, Unmodeled.none()));
        cluster.settle();

        CompletableFuture<Boolean> fenced = cluster.on("n1").agent().fence();
        cluster.settle();

        assertThat(fenced).isCompletedWithValue(true);
        assertThat(cluster.calls()).endsWith("unmount h-v n1 a", "unmountDevice h-v n1");
    }

    /** Whatever is under way when it begins: a call that was sent may still mount. */
    @Test
    void nothingIsMountedOnceTheNodeIsFencedAtAnyStep() {
        for (int seed = 1; seed <= 4; seed++) {
            boolean more = true;
            for (int steps = 0; more; steps++) {
                AttachHarness world = new AttachHarness(seed);
                world.node("n1")
                        .volume("v", AccessMode.READ_WRITE_ONCE)
                        .controller()
                        .run();
                world.pod("a", "n1", "v");
                for (int i = 0; i < steps && more; i++) {
                    more = world.world.step() && !mounted(world);
                }
                String when = "after " + steps + " steps with seed " + seed;
                List<Boolean> heldThen = new ArrayList<>();
                var unused = world.on("n1").agent().fence().thenAccept(fenced -> heldThen.add(heldOnNode(world)));
                world.settle();
                assertThat(heldThen).as("held once fenced " + when).containsExactly(false);
                assertThat(heldOnNode(world)).as("and stays so, " + when).isFalse();
                assertThat(world.storage.violations()).as(when).isEmpty();
            }
        }
    }

    private static boolean mounted(AttachHarness world) {
        return world.calls().stream().anyMatch(call -> call.startsWith("mount "));
    }

    private static boolean heldOnNode(AttachHarness world) {
        BackingVolume volume = world.storage.volume("h-v").orElseThrow();
        return !volume.stagings().isEmpty() || !volume.publications().isEmpty();
    }

    @Test
    void aFencedNodeSetsNothingUpThatAControllerAttaches() {
        mountedOnTheFirst();
        CompletableFuture<Boolean> fenced = cluster.on("n1").agent().fence();
        cluster.volume("w", AccessMode.READ_WRITE_ONCE).pod("c", "n1", "w").settle();

        assertThat(fenced).isCompletedWithValue(true);
        assertThat(cluster.controlCalls()).as("it is attached").contains("attach h-w n1");
        assertThat(cluster.calls()).noneMatch(call -> call.startsWith("mount") && call.contains("h-w"));
        assertThat(cluster.on("n1").explainPod("a").text()).contains("the node fenced itself");
        assertThat(cluster.nodeNow("n1").status().volumesInUse())
                .as("in use until the control plane ends the attachment")
                .contains("kubernetes.io/csi/mem^h-v");
    }

    @Test
    void aNodeThatAttachesByItselfHasNothingThatAnotherNodeCouldGet() {
        cluster.node("n1", AttachMode.SELF);
        assertThatThrownBy(() -> cluster.on("n1").agent().fence())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("attaches its volumes itself");
    }

    /** The controller need not have seen the node ready in between. */
    @Test
    void evidenceEndsWhenTheNodesAgentIsStartedAnew() {
        mountedOnTheFirst();
        cluster.ready("n1", false);
        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.SELF_FENCED_LEASE, "n1", "it unmounted everything")));
        cluster.on("n1").kill();
        cluster.on("n1").start();
        cluster.run();
        cluster.on("n1").kill();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    private void mountedOnTheFirst() {
        cluster.options = cluster.options.withAskFenceEvery(Duration.ofSeconds(5));
        cluster.fencing = (node, context) -> evidence && node.equals("n1")
                ? Optional.of(new Fence(Fence.Kind.SELF_FENCED_LEASE, node, "it unmounted everything"))
                : Optional.empty();
        cluster.node("n1").node("n2").controller();
        cluster.volume("v", AccessMode.READ_WRITE_ONCE).pod("a", "n1", "v").settle();
        assertThat(cluster.on("n1").mounted("a").volumes()).containsOnlyKeys("v");
    }
}
