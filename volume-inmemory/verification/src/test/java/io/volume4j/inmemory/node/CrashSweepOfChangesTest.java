package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A crash after each step, in turn, of what is done to volumes that are there already: their content is set up again, their
 * SELinux context changes, they grow before a pod has them; and of a run that mounts a fixed set of pods and ends.
 */
class CrashSweepOfChangesTest {
    private static final Quantity LARGER = Quantity.parse("2Gi");

    @ParameterizedTest
    @EnumSource(Crash.class)
    void setsContentUpAgain(Crash crash) {
        boolean survived = false;
        int steps = 0;
        for (; !survived; steps++) {
            NodeHarness node = NodeHarness.withPlugin(InMemoryPluginBuilder::requiresRemount);
            node.boundClaim("data");
            node.pod("a", "data");
            node.start().settle();
            long before = mounts(node);
            relabel(node, "a");
            survived = crash.after(node, steps);
            node.settle();

            assertThat(mounts(node))
                    .as("content set up after the change, crash after %d", steps)
                    .isGreaterThan(before);
            assertThat(node.mounted("a").volumes()).as("crash after %d", steps).hasSize(1);
            assertThat(node.explainPod("a").settled())
                    .as("crash after %d", steps)
                    .isTrue();
            node.deletePod("a");
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
        assertThat(steps).as("crash points").isGreaterThan(3);
    }

    /** The first pod goes and one with another context comes: the device is mounted anew in between, or found so. */
    @ParameterizedTest
    @EnumSource(Crash.class)
    void changesTheSelinuxContext(Crash crash) {
        boolean survived = false;
        int steps = 0;
        for (; !survived; steps++) {
            NodeHarness node = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
            node.boundClaim("data");
            node.pod("a", false, context("s0:c1"), "data");
            node.start().settle();
            node.pod("b", false, context("s0:c2"), "data");
            node.deletePod("a");
            survived = crash.after(node, steps);
            node.settle();

            assertThat(node.mounted("b").volumes()).as("crash after %d", steps).hasSize(1);
            List<String> calls = node.calls();
            int firstGone = calls.lastIndexOf("unmount h-data n1 a");
            assertThat(calls.lastIndexOf(
                            "mountDevice h-data n1 with context(system_u:object_r:container_file_t:s0:c2)"))
                    .as("the device is mounted with the second context, crash after %d", steps)
                    .isGreaterThan(firstGone);
            node.pod("c", false, context("s0:c1"), "data");
            node.settle();
            assertThat(node.explainPod("c").text()).as("crash after %d", steps).contains("s0:c2");
            node.deletePod("b");
            node.deletePod("c");
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
        assertThat(steps).as("crash points").isGreaterThan(10);
    }

    @ParameterizedTest
    @EnumSource(Crash.class)
    void growsBeforeTheFirstPodGetsIt(Crash crash) {
        boolean survived = false;
        int steps = 0;
        for (; !survived; steps++) {
            NodeHarness node = NodeHarness.withMachine(steps);
            node.boundClaim("data");
            node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
            node.pod("a", "data");
            node.start();
            survived = crash.after(node, steps);
            node.settle();

            assertThat(node.mounted("a").volumes()).as("crash after %d", steps).hasSize(1);
            assertThat(node.storedClaim("data").status().capacity())
                    .as("crash after %d", steps)
                    .isEqualTo(LARGER);
            assertThat(ResizeStatus.of(node.storedClaim("data")))
                    .as("crash after %d", steps)
                    .isEqualTo(ResizeStatus.NONE);
            node.deletePod("a");
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
        assertThat(steps).as("crash points").isGreaterThan(10);
    }

    /** A run that was cut off is made good for by the next one; what it mounted stays when it ends. */
    @ParameterizedTest
    @EnumSource(Crash.class)
    void mountsAFixedSetOfPodsOnce(Crash crash) {
        boolean survived = false;
        int steps = 0;
        for (; !survived; steps++) {
            NodeHarness node = NodeHarness.withMachine(steps);
            node.boundClaim("data");
            node.boundClaim("more");
            node.pod("a", "data", "more");
            node.pod("b", "data");
            node.start();
            CompletableFuture<Map<String, MountedPod>> all = node.agent().whenAllMounted();
            survived = crash.after(node, steps);
            if (!survived) {
                all = node.agent().whenAllMounted();
            }
            node.settle();

            assertThat(node.get(all)).as("crash after %d", steps).containsOnlyKeys("a", "b");
            node.get(node.agent().close());
            assertThat(node.leftOnMachine())
                    .as("mounts stay, crash after %d", steps)
                    .isNotEmpty();
            List<String> before = node.calls();
            node.kill();
            node.start();
            assertThat(node.get(settled(node, node.agent().whenAllMounted()))).containsOnlyKeys("a", "b");
            assertThat(node.calls()).as("idempotent, crash after %d", steps).isEqualTo(before);
            node.deletePod("a");
            node.deletePod("b");
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
        assertThat(steps).as("crash points").isGreaterThan(20);
    }

    private static <T> CompletableFuture<T> settled(NodeHarness node, CompletableFuture<T> future) {
        node.settle();
        return future;
    }

    private static long mounts(NodeHarness node) {
        return node.calls().stream().filter(call -> call.startsWith("mount ")).count();
    }

    private static void relabel(NodeHarness node, String pod) {
        Pod stored = (Pod) node.cluster.get(ObjectKey.pod("default", pod)).orElseThrow();
        node.cluster.apply(new Pod(
                stored.metadata().withLabels(Map.of("version", "2")),
                stored.spec(),
                stored.status(),
                stored.unmodeled()));
    }

    private static Pod.SecurityContext context(String level) {
        return new Pod.SecurityContext(null, "", List.of(), new Pod.SeLinuxOptions("", "", "", level));
    }
}
