package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How full a pod's volumes are, when a caller asks. */
class VolumeUsageTest {
    private static final long SIZE = BoundVolumes.SIZE.bytes();

    private final NodeHarness node = NodeHarness.withMachine(1);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);

    @Test
    void asksThePluginOfEachMountedVolumeAndAnswersInTheOrderOfThePod() {
        node.boundClaim("data");
        node.boundClaim("more");
        node.pod("a", "more", "data");
        node.start().settle();

        assertThat(usage("a"))
                .containsExactly(
                        figures("more", "h-more", new Stats(SIZE, SIZE, 0, -1, -1, -1)),
                        figures("data", "h-data", new Stats(SIZE, SIZE, 0, -1, -1, -1)));
        assertThat(statsCalls()).containsExactlyInAnyOrder("stats h-more n1", "stats h-data n1");
    }

    @Test
    void noRequestIsMadeWithoutACaller() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.settle();

        assertThat(statsCalls()).isEmpty();
    }

    @Test
    void twoWhoAskAtOnceMakeOneCallAndSoDoTwoNamesForOneVolume() {
        node.boundClaim("data");
        node.cluster.apply(node.pod(
                "a",
                List.of(
                        new PodVolume("one", new ClaimSource("data", false)),
                        new PodVolume("two", new ClaimSource("data", false))),
                Pod.SecurityContext.none()));
        node.start().settle();

        CompletableFuture<List<VolumeUsage>> first = node.agent().stats("a");
        CompletableFuture<List<VolumeUsage>> second = node.agent().stats("a");

        assertThat(node.get(first)).hasSize(2).isEqualTo(node.get(second));
        assertThat(statsCalls()).hasSize(1);
        assertThat(usage("a")).hasSize(2);
        assertThat(statsCalls()).hasSize(2);
    }

    @Test
    void isNotAskedOfAVolumeThatIsNotCertainlyMounted() {
        node.boundClaim("data");
        node.boundClaim("more");
        node.plugin.faults().add(Fault.on("mount").of("h-data").always().as(FaultKind.UNCERTAIN_AFTER));
        node.pod("a", "data", "more");
        node.start().settle();

        List<VolumeUsage> usage = usage("a");

        assertThat(failure(usage.get(0)))
                .isEqualTo(new VolumeUsage.Failure(FailureKind.TRANSIENT, "volume data is not mounted for the pod"));
        assertThat(usage.get(1).figures()).isNotNull();
        assertThat(statsCalls()).containsExactly("stats h-more n1");
    }

    @Test
    void isEmptyForAPodThatIsNotHere() {
        node.start().settle();

        assertThat(usage("unknown")).isEmpty();
    }

    @Test
    void saysWhyThereAreNoFigures() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.plugin.faults().add(Fault.on("stats").as(FaultKind.TRANSIENT));

        VolumeUsage.Failure failure = failure(usage("a").get(0));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure.text()).contains("stats h-data");
        assertThat(usage("a").get(0).figures()).isNotNull();
    }

    @Test
    void aPluginThatDoesNotTellSaysSoForEver() {
        node.plugin(new HostPathPlugin());
        node.start();
        machine.files().createDirectory(RootedPath.of(NodeHarness.ROOT, "data"), 0755);
        node.cluster.apply(node.pod(
                "a",
                List.of(new PodVolume("v", new HostPathSource(NodeHarness.ROOT + "/data", ""))),
                Pod.SecurityContext.none()));
        node.settle();

        assertThat(failure(usage("a").get(0)))
                .isEqualTo(new VolumeUsage.Failure(
                        FailureKind.FINAL, "plugin kubernetes.io/host-path does not say how full its volumes are"));
    }

    @Test
    void aRawDeviceHasItsSize() {
        node.boundClaim("disk", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        node.pod("a", "disk");
        node.start().settle();

        VolumeUsage usage = usage("a").get(0);

        assertThat(usage.block()).isTrue();
        assertThat(Objects.requireNonNull(usage.figures()).totalBytes()).isEqualTo(SIZE);
    }

    @Test
    void anEmptyDirOnDiskIsMeasuredFileByFileAndComparedWithItsLimit() {
        MountedVolume volume = emptyDir("", "3");
        write(volume, "d/small", 2);
        assertThat(usage("a").get(0).overLimit()).isFalse();

        write(volume, "e", 2);

        VolumeUsage usage = usage("a").get(0);
        Stats figures = Objects.requireNonNull(usage.figures());
        assertThat(figures.usedBytes()).isEqualTo(4);
        assertThat(figures.usedInodes()).as("two directories, two files").isEqualTo(4);
        assertThat(figures.totalBytes())
                .as("what the disk has")
                .isEqualTo(machine.usage(NodeHarness.ROOT).totalBytes());
        assertThat(usage.sizeLimitBytes()).isEqualTo(3);
        assertThat(usage.overLimit()).isTrue();
    }

    @Test
    void anEmptyDirInMemoryIsAFilesystemOfItsOwn() {
        MountedVolume volume = emptyDir("Memory", "1Mi");
        write(volume, "f", 1000);

        VolumeUsage usage = usage("a").get(0);

        Stats figures = Objects.requireNonNull(usage.figures());
        assertThat(figures.totalBytes()).isEqualTo(1 << 20);
        assertThat(figures.usedBytes()).isEqualTo(1000);
        assertThat(figures.availableBytes()).isEqualTo((1 << 20) - 1000);
        assertThat(usage.overLimit()).isFalse();
    }

    private MountedVolume emptyDir(String medium, String limit) {
        node.plugin(new EmptyDirPlugin());
        node.cluster.apply(node.pod(
                "a",
                List.of(new PodVolume("v", new EmptyDirSource(medium, Quantity.parse(limit)))),
                Pod.SecurityContext.none()));
        node.start().settle();
        return Objects.requireNonNull(node.mounted("a").volumes().get("v"));
    }

    private void write(MountedVolume volume, String file, int bytes) {
        RootedPath path = new RootedPath(
                NodeHarness.ROOT, NodeHarness.ROOT.relativize(volume.path().resolve(file)));
        if (file.contains("/")) {
            machine.files()
                    .createDirectory(
                            new RootedPath(
                                    NodeHarness.ROOT,
                                    Objects.requireNonNull(path.relative().getParent())),
                            0755);
        }
        machine.files().writeAtomically(path, new byte[bytes], 0644);
    }

    private List<VolumeUsage> usage(String pod) {
        return node.get(node.agent().stats(pod));
    }

    private List<String> statsCalls() {
        return node.calls().stream().filter(call -> call.startsWith("stats")).toList();
    }

    private static VolumeUsage.Failure failure(VolumeUsage usage) {
        return Objects.requireNonNull(usage.failure());
    }

    private static VolumeUsage figures(String name, String handle, Stats stats) {
        return new VolumeUsage(name, VolumeId.shared("mem", handle), false, 0, stats, null);
    }
}
