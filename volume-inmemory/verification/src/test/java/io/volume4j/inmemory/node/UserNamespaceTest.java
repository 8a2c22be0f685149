package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition.Action;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.IdMapping;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pod with a user namespace of its own sees its volumes with the IDs that the host gives. */
class UserNamespaceTest {
    private static final Path MOUNT = NodeHarness.ROOT.resolve("pods/a/volumes/mem/data");
    private static final Path VIEW = NodeHarness.ROOT.resolve("pods/a/volume-subpaths/data/.ids/data");

    private final InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
    private final NodeHarness node = NodeHarness.withMachine(1, runtime);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);
    private final UserFiles files = machine.user();

    UserNamespaceTest() {
        runtime.idsOfOthers(IdMapping.shifted(100_000, 65_536));
        node.boundClaim("data");
    }

    @AfterEach
    void nothingWrong() {
        assertThat(machine.violations()).isEmpty();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void seesItsVolumesAndTheirPartsWithItsIdsAndTheFilesystemKeepsItsOwn() {
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start().settle();

        MountedPod pod = node.mounted("a");
        assertThat(Objects.requireNonNull(pod.volumes().get("data")).path()).isEqualTo(VIEW);
        assertThat(pod.container("app").mounts().get(0).hostPath()).isEqualTo(VIEW);
        Path part = pod.container("side").mounts().get(0).hostPath();
        assertThat(List.of(files.owner(VIEW), files.owner(part))).containsOnly(100_000L);
        assertThat(List.of(files.group(VIEW), files.group(part))).containsOnly(102_000L);
        assertThat(files.owner(MOUNT)).isZero();
        assertThat(files.group(MOUNT.resolve("logs"))).isEqualTo(2_000);
        assertThat(actions().stream().distinct())
                .containsSubsequence(Action.MOUNT, Action.APPLY_FS_GROUP, Action.MAP_IDS, Action.BIND_SUBPATHS);
    }

    @Test
    void aPodOfTheMachinesUsersSeesTheVolumeAsItIs() {
        node.pod("a", "data");
        node.start().settle();

        assertThat(Objects.requireNonNull(node.mounted("a").volumes().get("data"))
                        .path())
                .isEqualTo(MOUNT);
        assertThat(actions()).doesNotContain(Action.MAP_IDS);
    }

    @Test
    void whereTheContainerRuntimeMapsIdsTheNodeDoesNot() {
        NodeHarness other = NodeHarness.withMachine(1, InMemoryPodRuntime.omniscient());
        other.boundClaim("data");
        other.pod("a", "data");
        PodObjects.withOwnUsers(other.cluster, "a");
        other.start().settle();

        assertThat(Objects.requireNonNull(other.mounted("a").volumes().get("data"))
                        .path())
                .isEqualTo(MOUNT);
    }

    @Test
    void isPlannedAsItWouldBeDone() {
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.dryRun(true).start().settle();

        assertThat(node.get(node.agent().plan()).get(0).steps())
                .extracting(step -> step.action() + " " + step.podUid())
                .containsSubsequence("MOUNT a", "APPLY_FS_GROUP a", "MAP_IDS a", "BIND_SUBPATHS a");
    }

    @Test
    void theVolumeIsNotOfferedBeforeItsIdsAreMappedAndARefusalFailsThePod() {
        node.pod("a", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        machine.faults().add(Fault.on("bind").of(VIEW.toString()).always().as(FaultKind.FINAL));
        node.start();
        var waiting = node.agent().whenMounted("a");
        node.world.advance(Duration.ofSeconds(1));

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.FINAL));
        assertThat(node.get(node.agent().mounted("a")).volumes()).isEmpty();
        assertThat(node.explainPod("a").text()).contains("map the IDs of volume pv-data for pod default/a");
        assertThat(node.events.withReason("FailedMount")).isNotEmpty();

        machine.faults().heal();
        node.settle();
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void aRestartMapsNothingAgainAndTellsThePlaceBeforeThePodIsKnown() {
        node.pod("a", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start().settle();
        long view = machine.table().at(VIEW).orElseThrow().id();
        node.transitions.clear();
        node.kill();
        node.cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        node.start();
        node.world.runReady();

        assertThat(Objects.requireNonNull(
                                node.get(node.agent().mounted("a")).volumes().get("data"))
                        .path())
                .isEqualTo(VIEW);
        assertThat(machine.table().at(VIEW).orElseThrow().id()).isEqualTo(view);
        assertThat(actions()).isEmpty();
    }

    /** The mount table and the directories alone say what is there. */
    @Test
    void aViewIsFoundByItsPlaceAndTakenDownWithoutAJournal() {
        node.pod("a", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start().settle();
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.deletePod("a");
        node.start().settle();

        assertThat(node.leftOnMachine()).isEmpty();
    }

    @Test
    void theViewGoesBeforeTheVolumeAndKeepsItWhileItIsInUse() {
        node.pod("a", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start().settle();
        UserFiles.Hold user = files.hold(VIEW);
        node.deletePod("a");
        node.world.advance(Duration.ofMinutes(1));
        assertThat(machine.table().at(MOUNT)).isPresent();

        user.close();
        node.settle();

        node.nothingIsLeft();
    }

    private List<Action> actions() {
        return node.transitions.stream().map(each -> each.action()).toList();
    }
}
