package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.ContainerVolumes;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Containers that come to a running pod get their parts of its volumes then, and harm no other container of it. */
class EphemeralContainerTest {
    private static final Path MOUNT = NodeHarness.ROOT.resolve("pods/a/volumes/mem/data");
    private static final Path PART = NodeHarness.ROOT.resolve("pods/a/volume-subpaths/data/debug/0");
    private static final byte[] SOMETHING = {1};

    private final NodeHarness node = NodeHarness.withMachine(1);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);
    private final UserFiles files = machine.user();

    @AfterEach
    void nothingWrong() {
        assertThat(machine.violations()).isEmpty();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void aContainerThatComesToARunningPodGetsItsPartAndTheVolumeIsNotMountedAgain() {
        running();
        node.transitions.clear();

        debug("logs");
        MountedPod pod = node.mounted("a");
        node.settle();

        assertThat(pod.container("debug").problem()).isEmpty();
        assertThat(pod.container("debug").mounts().get(0).hostPath()).isEqualTo(PART);
        assertThat(pod.container("app").mounts()).hasSize(1);
        files.write(PART.resolve("f"), SOMETHING);
        assertThat(files.read(MOUNT.resolve("logs/f"))).isEqualTo(SOMETHING);
        assertThat(actions()).containsOnly(VolumeTransition.Action.BIND_SUBPATHS);
    }

    @Test
    void aCallerWaitsForThePartAndNoLongerThanItsFirstTry() {
        running();
        machine.faults().add(Fault.on("bindInside").always().as(FaultKind.TRANSIENT));
        debug("logs");
        var waiting = node.agent().whenMounted("a");
        assertThat(waiting).as("before the try").isNotDone();

        MountedPod pod = node.get(waiting);

        assertThat(pod.volumes()).containsOnlyKeys("data");
        assertThat(pod.container("app").mounts()).hasSize(1);
        ContainerVolumes debug = pod.container("debug");
        assertThat(debug.problem()).contains("subPath logs of volume data");
        assertThat(debug.mounts()).isEmpty();
        assertThat(node.events.withReason("FailedMount")).isNotEmpty();

        machine.faults().heal();
        node.settle();
        assertThat(node.mounted("a").container("debug").problem()).isEmpty();
        assertThat(machine.table().at(PART)).isPresent();
    }

    @Test
    void aPartThatLeadsOutOfTheVolumeIsTheContainersOwnMisfortune() {
        running();
        files.link(MOUNT.resolve("way-out"), "/etc");

        debug("way-out/secrets");
        MountedPod pod = node.mounted("a");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(pod.volumes()).hasSize(1);
        assertThat(pod.container("debug").problem()).contains("leads out of the volume");
        assertThat(machine.table().at(PART)).isEmpty();
    }

    @Test
    void aPodThatComesWithSuchAContainerStartsWithoutIt() {
        node.boundClaim("data");
        machine.faults().add(Fault.on("bindInside").always().as(FaultKind.FINAL));
        node.pod("a", "data");
        debug("logs");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.mounted("a").container("debug").problem()).isNotEmpty();
    }

    @Test
    void aPartInUseIsLeftAloneByARestartAndByLaterContainers() {
        running();
        debug("logs");
        node.settle();
        long bound = machine.table().at(PART).orElseThrow().id();
        node.kill();
        node.start().settle();
        assertThat(machine.table().at(PART).orElseThrow().id()).isEqualTo(bound);

        ephemeral(container("debug", "logs"), container("debug2", "etc"));
        node.settle();

        assertThat(machine.table().at(PART).orElseThrow().id()).isEqualTo(bound);
        assertThat(node.mounted("a").container("debug2").mounts()).hasSize(1);
    }

    @Test
    void aContainerThatCameWhileNoAgentRanGetsItsPartAfterTheStart() {
        running();
        node.kill();
        debug("logs");
        node.start().settle();

        assertThat(node.mounted("a").container("debug").mounts()).hasSize(1);
        assertThat(machine.table().at(PART)).isPresent();
    }

    @Test
    void partsGoWithThePod() {
        running();
        debug("logs");
        node.settle();
        assertThat(machine.table().at(PART)).isPresent();

        node.deletePod("a");
        node.settle();

        node.nothingIsLeft();
    }

    @Test
    void theLastTryDoesNotOutliveItsPod() {
        running();
        machine.faults().add(Fault.on("bindInside").always().as(FaultKind.UNCERTAIN_AFTER));
        debug("logs");
        node.world.advance(Duration.ofMinutes(1));

        node.deletePod("a");
        node.settle();

        node.nothingIsLeft();
    }

    private void running() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    private void debug(String subPath) {
        ephemeral(container("debug", subPath));
    }

    private void ephemeral(Container... containers) {
        Pod pod = (Pod) node.cluster.get(ObjectKey.pod("default", "a")).orElseThrow();
        node.cluster.apply(new Pod(
                pod.metadata(),
                pod.spec().toBuilder().ephemeralContainers(List.of(containers)).build(),
                pod.status(),
                pod.unmodeled()));
    }

    private static Container container(String name, String subPath) {
        return new Container(
                name,
                List.of(new Container.VolumeMount("data", "/in", subPath, false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
    }

    private List<VolumeTransition.Action> actions() {
        return node.transitions.stream().map(VolumeTransition::action).toList();
    }
}
