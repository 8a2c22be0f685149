package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets which volume, under which names, and who has to wait for whom. */
class SharingTest {
    private static final Pod.SecurityContext NO_CONTEXT = Pod.SecurityContext.none();

    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void mountsOnceWhatAPodNamesTwice() {
        node.boundClaim("data");
        node.cluster.apply(node.pod(
                "a",
                List.of(
                        new PodVolume("one", new ClaimSource("data", false)),
                        new PodVolume("two", new ClaimSource("data", false))),
                NO_CONTEXT));
        node.start().settle();

        MountedPod mounted = node.mounted("a");
        assertThat(mounted.volumes()).containsOnlyKeys("one", "two");
        assertThat(path(mounted, "one")).isEqualTo(path(mounted, "two")).endsWith("/one");
        assertThat(node.count("mount ")).isEqualTo(1);

        node.deletePod("a");
        node.settle();
        node.nothingIsLeft();
    }

    @Test
    void mountsForWritingWhatAPodNamesForReadingTooAndKeepsThatNameReadOnly() {
        node.boundClaim("data");
        node.cluster.apply(node.pod(
                "a",
                List.of(
                        new PodVolume("one", new ClaimSource("data", true)),
                        new PodVolume("two", new ClaimSource("data", false))),
                NO_CONTEXT));
        node.start().settle();

        MountedPod mounted = node.mounted("a");
        assertThat(volume(mounted, "one").readOnly()).isTrue();
        assertThat(volume(mounted, "two").readOnly()).isFalse();
        assertThat(mounted.container("app").mounts())
                .extracting(mount -> mount.volume() + " " + mount.readOnly())
                .containsExactly("one true", "two false");
        assertThat(Objects.requireNonNull(node.machine)
                        .table()
                        .at(volume(mounted, "two").path()))
                .hasValueSatisfying(entry -> assertThat(entry.readOnly()).isFalse());
    }

    @Test
    void mountsForEachPodAsThePodSays() {
        node.boundClaim("data");
        node.pod("a", true, NO_CONTEXT, "data");
        node.pod("b", false, NO_CONTEXT, "data");
        node.start().settle();

        assertThat(volume(node.mounted("a"), "data").readOnly()).isTrue();
        assertThat(volume(node.mounted("b"), "data").readOnly()).isFalse();
        assertThat(Objects.requireNonNull(node.machine)
                        .table()
                        .at(volume(node.mounted("a"), "data").path()))
                .hasValueSatisfying(entry -> assertThat(entry.readOnly()).isTrue());
    }

    @Test
    void keepsPodsOwnVolumesApart() {
        PodVolume inline = new PodVolume("scratch", CsiSource.of("mem", "", "", Map.of()));
        node.cluster.apply(node.pod("a", List.of(inline), NO_CONTEXT));
        node.cluster.apply(node.pod("b", List.of(inline), NO_CONTEXT));
        node.start().settle();

        assertThat(volume(node.mounted("a"), "scratch").id()).isEqualTo(VolumeId.ofPod("mem", "scratch", "a"));
        assertThat(volume(node.mounted("b"), "scratch").id()).isEqualTo(VolumeId.ofPod("mem", "scratch", "b"));
    }

    @Test
    void leavesAloneWhatNoContainerUses() {
        node.boundClaim("data");
        node.boundClaim("spare");
        Pod pod = node.pod("a", List.of(new PodVolume("data", new ClaimSource("data", false))), NO_CONTEXT);
        node.cluster.apply(new Pod(
                pod.metadata(),
                new Pod.Spec(
                        NodeHarness.NODE,
                        List.of(
                                new PodVolume("data", new ClaimSource("data", false)),
                                new PodVolume("spare", new ClaimSource("spare", false))),
                        List.of(),
                        pod.spec().containers(),
                        NO_CONTEXT,
                        ""),
                pod.status(),
                pod.unmodeled()));
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(node.calls()).noneMatch(call -> call.contains("h-spare"));
    }

    @Test
    void doesNothingWhenAContainerIsStartedAgain() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();
        containers("a", PodPhase.RUNNING, false);
        node.settle();
        containers("a", PodPhase.RUNNING, true);
        node.settle();

        assertThat(node.calls()).isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void unmountsWhenThePodHasEnded() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        containers("a", PodPhase.SUCCEEDED, false);
        node.settle();

        node.nothingIsLeft();
    }

    @Test
    void takesAVolumeFromOnePodBeforeAnotherGetsIt() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE_POD);
        node.pod("a", "data");
        node.start().settle();
        node.deletePod("a");
        node.pod("b", "data");
        node.settle();

        assertThat(node.calls()).containsSubsequence("mount h-data n1 a", "unmount h-data n1 a", "mount h-data n1 b");
        assertThat(node.count("unmountDevice")).as("the device stays").isZero();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void doesNotTakeAVolumeForOnePodFromARunningPod() {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
        NodeHarness guarded = new NodeHarness(1, runtime);
        guarded.boundClaim("data", AccessMode.READ_WRITE_ONCE_POD);
        guarded.pod("a", "data");
        runtime.started("a");
        guarded.start().settle();
        guarded.deletePod("a");
        guarded.pod("b", "data");
        guarded.settle();

        assertThat(guarded.calls()).noneMatch(call -> call.equals("mount h-data n1 b"));
        runtime.stopped("a");
        guarded.settle();
        assertThat(guarded.mounted("b").volumes()).hasSize(1);
        assertThat(guarded.storage.violations()).isEmpty();
    }

    private void containers(String pod, PodPhase phase, boolean running) {
        Pod stored = (Pod) node.cluster.get(ObjectKey.pod("default", pod)).orElseThrow();
        node.cluster.apply(new Pod(
                stored.metadata(),
                stored.spec(),
                new Pod.Status(phase, List.of(new Pod.ContainerStatus("app", running))),
                stored.unmodeled()));
    }

    private static MountedPod.MountedVolume volume(MountedPod pod, String name) {
        return Objects.requireNonNull(pod.volumes().get(name));
    }

    private static String path(MountedPod pod, String name) {
        return volume(pod, name).path().toString();
    }

    /** No API server gives a UID twice; another store may, and a pod that runs must not lose its volumes for that. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "twin"})
    void aPodKeepsWhatItHasWhenAnotherOneOfItsUidGoes(String first) {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        Pod pod = (Pod) node.cluster.get(ObjectKey.pod("default", "a")).orElseThrow();
        node.cluster.apply(
                new Pod(ObjectMeta.named("default", "twin").withUid("a"), pod.spec(), pod.status(), pod.unmodeled()));
        node.settle();
        node.cluster.remove(ObjectKey.pod("default", first));
        node.settle();

        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.cluster.remove(ObjectKey.pod("default", first.equals("a") ? "twin" : "a"));
        node.settle();
        assertThat(node.calls()).contains("unmount h-data n1 a");
    }
}
