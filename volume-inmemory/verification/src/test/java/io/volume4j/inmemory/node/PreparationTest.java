package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.MountedPod.ContainerMount;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a mounted volume goes through before its pod sees it: its group, and the parts that single containers see. */
class PreparationTest {
    private static final VolumeId DATA = VolumeId.shared("mem", "h-data");
    private static final Path MOUNT = NodeHarness.ROOT.resolve("pods/a/volumes/mem/data");
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
    void givesTheVolumeToThePodsGroupBeforeThePodSeesIt() {
        node.boundClaim("data");
        machine.faults().add(Fault.on("changeOwnership").always().as(FaultKind.TRANSIENT));
        node.preparedPod("a", 2000L, "Always", "", "data");
        node.start();
        node.world.advance(Duration.ofMinutes(1));

        var waiting = node.agent().whenMounted("a");
        node.world.runReady();
        assertThat(waiting).isNotDone();
        assertThat(node.get(node.agent().mounted("a")).volumes()).isEmpty();
        assertThat(node.explainPod("a").text()).contains("apply fsGroup to volume pv-data for pod default/a");
        assertThat(node.events.withReason("FailedMount")).isNotEmpty();

        machine.faults().heal();
        node.settle();
        assertThat(waiting).isCompleted();
        assertThat(files.group(MOUNT)).isEqualTo(2000);
    }

    @Test
    void isPlannedAsItWouldBeDone() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        node.preparedPod("b", null, "", "", "data");
        node.dryRun(true).start().settle();

        assertThat(node.get(node.agent().plan()).get(0).steps())
                .extracting(step -> step.action() + " " + step.podUid())
                .containsSubsequence("ATTACH ", "MOUNT_DEVICE ", "MOUNT a", "APPLY_FS_GROUP a", "BIND_SUBPATHS a")
                .containsSubsequence("MOUNT_DEVICE ", "MOUNT b")
                .hasSize(6);
    }

    @Test
    void aPodWithoutAGroupChangesNothing() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(files.group(MOUNT)).isZero();
        assertThat(actions())
                .doesNotContain(VolumeTransition.Action.APPLY_FS_GROUP, VolumeTransition.Action.BIND_SUBPATHS);
    }

    @Test
    void aRestartDoesNotWalkAgain() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        node.start().settle();
        files.write(MOUNT.resolve("made-later"), SOMETHING);
        node.transitions.clear();
        node.kill();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(actions()).isEmpty();
        assertThat(files.group(MOUNT.resolve("made-later"))).isZero();
    }

    @Test
    void aFittingRootIsBelievedOnlyIfThePodSaysSo() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "", "data");
        node.start().settle();
        files.write(MOUNT.resolve("f"), SOMETHING);

        node.preparedPod("b", 2000L, "OnRootMismatch", "", "data");
        node.settle();
        assertThat(node.mounted("b").volumes()).hasSize(1);
        assertThat(files.group(MOUNT.resolve("f"))).as("the root fits").isZero();

        node.preparedPod("c", 2000L, "Always", "", "data");
        node.settle();
        assertThat(node.mounted("c").volumes()).hasSize(1);
        assertThat(files.group(MOUNT.resolve("f"))).isEqualTo(2000);
    }

    @Test
    void aWalkThatDidNotReachTheRootIsDoneAgain() {
        node.boundClaim("data");
        machine.faults().add(Fault.on("changeOwnership").times(1).as(FaultKind.PARTIAL));
        node.preparedPod("a", 2000L, "OnRootMismatch", "", "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(files.group(MOUNT)).isEqualTo(2000);
        assertThat(node.transitions.stream()
                        .filter(VolumeTransition::ended)
                        .map(VolumeTransition::action)
                        .filter(VolumeTransition.Action.APPLY_FS_GROUP::equals))
                .hasSize(2);
    }

    @Test
    void twoPodsWithDifferentGroupsAreToldOfEachOther() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "", "data");
        node.preparedPod("b", 3000L, "Always", "", "data");
        node.start().settle();

        assertThat(node.events.withReason("AlreadyMountedVolume"))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("fsGroup 2000", "fsGroup 3000"));
    }

    @Test
    void bindsPartsMadeWithTheModeAndGroupOfTheVolume() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs/today", "data");
        node.start().settle();

        ContainerMount part = node.mounted("a").container("side").mounts().get(0);
        assertThat(part.hostPath()).isEqualTo(NodeHarness.ROOT.resolve("pods/a/volume-subpaths/data/side/0"));
        files.write(part.hostPath().resolve("f"), SOMETHING);
        assertThat(files.read(MOUNT.resolve("logs/today/f"))).isEqualTo(SOMETHING);
        assertThat(files.group(MOUNT.resolve("logs"))).isEqualTo(2000);
        assertThat(machine.table().at(part.hostPath())).isPresent();
        assertThat(actions().stream().distinct())
                .containsSubsequence(
                        VolumeTransition.Action.MOUNT,
                        VolumeTransition.Action.APPLY_FS_GROUP,
                        VolumeTransition.Action.BIND_SUBPATHS);
    }

    /** The volume is mounted once, for writing, because another of the pod's names for it says so. */
    @Test
    void aPartUnderANameThatIsReadOnlyIsReadOnly() {
        node.boundClaim("data");
        Pod plain = node.pod(
                "a",
                List.of(
                        new PodVolume("write", new ClaimSource("data", false)),
                        new PodVolume("read", new ClaimSource("data", true))),
                Pod.SecurityContext.none());
        Container app = new Container(
                "app",
                List.of(
                        new Container.VolumeMount("write", "/w", "logs", false, "", ""),
                        new Container.VolumeMount("read", "/r", "logs", false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
        node.cluster.apply(new Pod(
                plain.metadata(),
                new Pod.Spec(
                        plain.spec().nodeName(),
                        plain.spec().volumes(),
                        List.of(),
                        List.of(app),
                        Pod.SecurityContext.none(),
                        ""),
                plain.status(),
                plain.unmodeled()));
        node.start().settle();

        List<ContainerMount> mounts = node.mounted("a").container("app").mounts();
        assertThat(mounts).extracting(ContainerMount::readOnly).containsExactly(false, true);
        assertThat(mounts)
                .extracting(mount ->
                        machine.table().at(mount.hostPath()).orElseThrow().readOnly())
                .containsExactly(false, true);
    }

    @Test
    void aPartThatLeadsOutOfTheVolumeFailsThePodAndBindsNothing() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        files.link(MOUNT.resolve("way-out"), "/etc");
        node.preparedPod("b", null, "", "way-out/secrets", "data");
        var waiting = node.agent().whenMounted("b");
        node.world.advance(Duration.ofSeconds(1));

        assertThatThrownBy(() -> node.get(waiting)).isInstanceOfSatisfying(VolumeException.class, failure -> {
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining("leads out of the volume");
        });
        assertThat(machine.table().below(NodeHarness.ROOT.resolve("pods/b/volume-subpaths")))
                .isEmpty();
    }

    @Test
    void aLinkWithinTheVolumeIsFollowed() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        files.makeDirectory(MOUNT.resolve("releases/2"));
        files.link(MOUNT.resolve("current"), "releases/../releases/2");
        node.preparedPod("b", null, "", "current", "data");
        node.settle();

        files.write(
                node.mounted("b").container("side").mounts().get(0).hostPath().resolve("f"), SOMETHING);
        assertThat(files.exists(MOUNT.resolve("releases/2/f"))).isTrue();
    }

    @Test
    void partsGoBeforeTheVolumeAndKeepItWhileTheyCannot() {
        node.boundClaim("data");
        node.preparedPod("a", null, "", "logs", "data");
        node.start().settle();
        Path part = node.mounted("a").container("side").mounts().get(0).hostPath();

        UserFiles.Hold user = files.hold(part);
        node.deletePod("a");
        node.world.advance(Duration.ofMinutes(1));
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount "));
        assertThat(machine.table().at(MOUNT)).isPresent();
        user.close();
        node.settle();

        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(node.get(node.agent().present())).isEmpty();
    }

    @Test
    void partsAreFoundAgainAndTakenDownAfterARestartWithoutAJournal() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        node.start().settle();
        node.kill();
        node.deleteJournal();
        node.deletePod("a");
        node.start().settle();

        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(node.get(node.agent().attached(DATA))).isFalse();
    }

    /** Neither a journal nor metadata files: only the mount table and the directories say that the parts are there. */
    @Test
    void partsAreFoundByTheirPlacesAlone() {
        node.boundClaim("data");
        node.preparedPod("a", null, "", "logs", "data");
        node.start().settle();
        Path part = node.mounted("a").container("side").mounts().get(0).hostPath();
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).as("named again by its pod").hasSize(1);
        assertThat(machine.table().at(part)).isPresent();
        files.write(part.resolve("f"), SOMETHING);
        assertThat(files.exists(MOUNT.resolve("logs/f"))).isTrue();

        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.deletePod("a");
        node.start().settle();
        assertThat(node.leftOnMachine()).isEmpty();
    }

    @Test
    void partsAreTakenBackWithoutACallAfterARestartWithoutAJournal() {
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs", "data");
        node.start().settle();
        List<String> before = node.calls();
        Path part = node.mounted("a").container("side").mounts().get(0).hostPath();
        node.kill();
        node.deleteJournal();
        node.start().settle();

        assertThat(node.mounted("a").container("side").mounts().get(0).hostPath())
                .isEqualTo(part);
        assertThat(machine.table().at(part)).isPresent();
        assertThat(node.calls()).isEqualTo(before);
    }

    @Test
    void aPodThatGoesMeanwhileIsTakenDownHoweverFarItsVolumeIs() {
        for (String call : List.of("changeOwnership", "bindInside")) {
            NodeHarness other = NodeHarness.withMachine(2);
            InMemoryMountBackend backend = Objects.requireNonNull(other.machine);
            other.boundClaim("data");
            backend.faults().add(Fault.on(call).always().as(FaultKind.UNCERTAIN_AFTER));
            other.preparedPod("a", 2000L, "Always", "logs", "data");
            other.start();
            other.world.advance(Duration.ofMinutes(1));
            other.deletePod("a");
            other.settle();

            assertThat(other.leftOnMachine()).as(call).isEmpty();
            assertThat(other.get(other.agent().present())).as(call).isEmpty();
        }
    }

    private List<VolumeTransition.Action> actions() {
        return node.transitions.stream().map(VolumeTransition::action).toList();
    }
}
