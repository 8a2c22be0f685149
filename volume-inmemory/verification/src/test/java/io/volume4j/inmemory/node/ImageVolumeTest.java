package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.ImagePlugin;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pod that shows an image beside a volume of a claim. */
class ImageVolumeTest {
    private static final Path IMAGES = Path.of("/var/lib/images");
    private static final String IMAGE = "registry.example/files@sha256:" + "0a".repeat(32);
    private static final Path MOUNT = NodeHarness.ROOT.resolve("pods/a/volumes/kubernetes.io~image/files");
    private static final Path PART = NodeHarness.ROOT.resolve("pods/a/volume-subpaths/files/app/1");
    private static final byte[] CONTENT = {42};

    private final InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
    private final NodeHarness node = NodeHarness.withMachine(1, runtime);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);
    private final UserFiles files = machine.user();

    @AfterEach
    void nothingWrong() {
        assertThat(machine.violations()).isEmpty();
    }

    @Test
    void aPartOfAnImageOfTheRuntimeIsTheRuntimesToShow() {
        node.plugin(new ImagePlugin());
        pod(2000L);
        node.start().settle();

        MountedPod pod = node.mounted("a");

        assertThat(pod.volumes()).containsOnlyKeys("data", "files");
        assertThat(pod.volumes().get("files").byRuntime()).isTrue();
        assertThat(pod.volumes().get("files").imageRef()).isEmpty();
        assertThat(pod.container("app").mounts())
                .extracting(mount -> mount.volume() + " " + mount.readOnly() + " " + mount.runtimeSubPath())
                .containsExactly("data false ", "files true inner");
        assertThat(actions()).doesNotContain(VolumeTransition.Action.BIND_SUBPATHS);
    }

    @Test
    void theRuntimeMapsTheIdsOfItsImagesItself() {
        node.plugin(new ImagePlugin());
        runtime.idsOfOthers(IdMapping.shifted(100_000, 65_536));
        pod(2000L);
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data", "files");
    }

    @Test
    void aContainerSeesItsPartOfAnImageAndTheStatusNamesTheDigestAlsoAfterARestart() {
        machine.files().createRoot(IMAGES);
        machine.files().createDirectory(RootedPath.of(IMAGES, IMAGE + "/inner"), 0755);
        files.write(IMAGES.resolve(IMAGE).resolve("inner/f"), CONTENT);
        node.plugin(ImagePlugin.ofDirectory(IMAGES));
        pod(2000L);
        node.start().settle();

        MountedPod pod = node.mounted("a");

        assertThat(pod.volumes().get("files").imageRef()).isEqualTo(IMAGE);
        assertThat(pod.container("app").mounts().get(1).hostPath()).isEqualTo(PART);
        assertThat(pod.container("app").mounts().get(1).runtimeSubPath()).isEmpty();
        assertThat(files.read(PART.resolve("f"))).isEqualTo(CONTENT);
        assertThat(machine.table().at(PART).orElseThrow().readOnly()).isTrue();
        assertThat(machine.table().at(MOUNT).orElseThrow().readOnly()).isTrue();
        assertThat(files.group(IMAGES.resolve(IMAGE).resolve("inner/f"))).isZero();

        node.kill();
        node.pluginsAnew(List.of(ImagePlugin.ofDirectory(IMAGES)));
        node.start().settle();
        assertThat(node.mounted("a").volumes().get("files").imageRef()).isEqualTo(IMAGE);

        node.deletePod("a");
        node.settle();
        node.nothingIsLeft();
        assertThat(files.read(IMAGES.resolve(IMAGE).resolve("inner/f"))).isEqualTo(CONTENT);
    }

    @Test
    void anImageThatIsNotThereIsNamedInTheEventAndTheExplanation() {
        node.plugin(ImagePlugin.ofDirectory(IMAGES));
        pod(null);
        node.start();
        node.world.advance(Duration.ofMinutes(1));

        assertThat(node.explainPod("a").text()).contains(IMAGE);
        assertThat(node.events.withReason("FailedMount"))
                .anySatisfy(event -> assertThat(event.message()).contains(IMAGE));
    }

    private List<VolumeTransition.Action> actions() {
        return node.transitions.stream().map(VolumeTransition::action).toList();
    }

    private void pod(@Nullable Long fsGroup) {
        node.boundClaim("data");
        List<PodVolume> volumes = List.of(
                new PodVolume("data", new ClaimSource("data", false)),
                new PodVolume("files", new OtherSource("image", Map.of("reference", IMAGE))));
        List<VolumeMount> mounts = List.of(
                VolumeMount.builder("data", "/data").build(),
                VolumeMount.builder("files", "/files").subPath("inner").build());
        node.cluster.apply(new Pod(
                ObjectMeta.named("default", "a").withUid("a"),
                new Pod.Spec(
                        NodeHarness.NODE,
                        volumes,
                        List.of(),
                        List.of(new Container("app", mounts, List.of(), Map.of(), Map.of())),
                        new Pod.SecurityContext(fsGroup, "", List.of(), null),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }
}
