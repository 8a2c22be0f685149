package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of one volume that run with different SELinux contexts wait for each other. */
class SelinuxTest {
    private final NodeHarness node = NodeHarness.withMachine(1);

    /** A context becomes a mount option, in which a quote would begin others; and the first pod's is every pod's. */
    @ParameterizedTest
    @ValueSource(strings = {"s0\",suid,context=\"x", "s0 c1", "s0\n", "s=0"})
    void refusesAPodWhoseSelinuxContextIsNoneAndServesTheOthers(String level) {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data", AccessMode.READ_WRITE_MANY);
        labels.pod("a", false, context(level), "data");
        labels.pod("b", false, context("s0:c1"), "data");
        labels.start();
        var refused = labels.agent().whenMounted("a");
        labels.settle();

        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThatThrownBy(() -> labels.get(refused)).hasMessageContaining("SELinux context");
        assertThat(labels.calls()).noneMatch(call -> call.startsWith("mount h-data n1 a"));
    }

    @Test
    void keepsPodsWithOtherSelinuxContextsWaiting() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c1"), "data");
        labels.start().settle();
        labels.pod("c", false, context("s0:c2"), "data");
        labels.settle();

        assertThat(labels.mounted("a").volumes()).hasSize(1);
        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThat(labels.explainPod("c").text())
                .contains(
                        "pod default/c waits: its SELinux context",
                        "system_u:object_r:container_file_t:s0:c2",
                        "system_u:object_r:container_file_t:s0:c1");

        labels.deletePod("a");
        labels.settle();
        assertThat(labels.calls()).noneMatch(call -> call.startsWith("mount h-data n1 c"));

        labels.deletePod("b");
        labels.settle();
        assertThat(labels.mounted("c").volumes()).hasSize(1);
        assertThat(labels.calls())
                .as("the device is mounted anew with the other context")
                .containsSubsequence(
                        "unmount h-data n1 b",
                        "unmountDevice h-data n1",
                        "mountDevice h-data n1 with context(system_u:object_r:container_file_t:s0:c2)",
                        "mount h-data n1 c with context(system_u:object_r:container_file_t:s0:c2)");
        assertThat(labels.storage.violations()).isEmpty();
    }

    /** A mount keeps the context that it has, whatever a later call asks for. */
    @Test
    void aDeviceThatMayBeMountedWithAnotherContextIsUnmountedFirst() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.plugin.faults().add(Fault.on("mountDevice").times(3).as(FaultKind.UNCERTAIN_AFTER));
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.start();
        labels.world.advance(Duration.ofMillis(600));
        assertThat(labels.count("mountDevice h-data n1")).isEqualTo(2);
        labels.pod("b", false, context("s0:c2"), "data");
        labels.deletePod("a");
        labels.settle();

        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThat(labels.calls())
                .containsSubsequence(
                        "mountDevice h-data n1 with context(system_u:object_r:container_file_t:s0:c1)",
                        "unmountDevice h-data n1",
                        "mountDevice h-data n1 with context(system_u:object_r:container_file_t:s0:c2)");
    }

    @Test
    void aPodWhoseContainersDifferIsToldWhatToDoAndAnotherIsServed() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data");
        labels.cluster.apply(ofTwoContainers("a", "s0:c1", "s0:c2", "MountOption"));
        labels.cluster.apply(ofTwoContainers("b", "s0:c3", "s0:c3", "MountOption"));
        labels.start().settle();

        assertThat(labels.explainPod("a").text())
                .contains(
                        "containers one and two mount it with the SELinux contexts", "seLinuxChangePolicy: Recursive");
        assertThat(labels.calls()).noneMatch(call -> call.startsWith("mount h-data n1 a"));
        assertThat(labels.mounted("b").volumes()).hasSize(1);
    }

    @Test
    void podsThatWantTheirFilesLabelledOneByOneShareAVolumeWhateverTheirContexts() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data");
        labels.cluster.apply(ofTwoContainers("a", "s0:c1", "s0:c2", "Recursive"));
        labels.cluster.apply(ofTwoContainers("b", "s0:c3", "s0:c3", "Recursive"));
        labels.start().settle();
        labels.cluster.apply(ofTwoContainers("c", "s0:c3", "s0:c3", "MountOption"));
        labels.settle();

        assertThat(labels.mounted("a").volumes()).hasSize(1);
        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThat(labels.explainPod("c").text()).contains("waits: its SELinux context");
    }

    /** Nothing is mounted with a context where pods get the device itself. */
    @Test
    void comparesNoContextsOfARawDevice() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c2"), "data");
        labels.start().settle();

        assertThat(labels.mounted("a").volumes()).hasSize(1);
        assertThat(labels.mounted("b").volumes()).hasSize(1);
    }

    @Test
    void remembersTheSelinuxContextOverARestart() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.start().settle();
        labels.kill();
        labels.pod("c", false, context("s0:c2"), "data");
        labels.start().settle();

        assertThat(labels.calls()).noneMatch(call -> call.startsWith("mount h-data n1 c"));
        assertThat(labels.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void comparesNoContextsWhereThePluginMountsWithNone() {
        node.boundClaim("data");
        node.pod("a", false, context("s0:c1"), "data");
        node.pod("b", false, context("s0:c2"), "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.mounted("b").volumes()).hasSize(1);
    }

    @Test
    void contextsMeanNothingOnAMachineWithoutSelinux() {
        NodeHarness labels = NodeHarness.withoutSeLinux();
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c2"), "data");
        labels.cluster.apply(ofTwoContainers("c", "s0:c1", "s0:c2", "MountOption"));
        labels.start().settle();

        for (String pod : new String[] {"a", "b", "c"}) {
            assertThat(labels.mounted(pod).volumes()).as(pod).hasSize(1);
        }
    }

    private static Pod.SecurityContext context(String level) {
        return new Pod.SecurityContext(null, "", List.of(), new Pod.SeLinuxOptions("", "", "", level));
    }

    private static Pod ofTwoContainers(String name, String one, String two, String policy) {
        VolumeMount mount = VolumeMount.builder("data", "/data").build();
        Container.Builder container = Container.builder("one").volumeMounts(List.of(mount));
        return new Pod(
                ObjectMeta.named("default", name).withUid(name),
                Pod.Spec.builder()
                        .nodeName(NodeHarness.NODE)
                        .volumes(List.of(new PodVolume("data", new ClaimSource("data", false))))
                        .containers(List.of(
                                container.seLinuxOptions(level(one)).build(),
                                container.name("two").seLinuxOptions(level(two)).build()))
                        .securityContext(new Pod.SecurityContext(null, "", List.of(), null, policy))
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("one", true))),
                Unmodeled.none());
    }

    private static Pod.SeLinuxOptions level(String level) {
        return new Pod.SeLinuxOptions("", "", "", level);
    }
}
