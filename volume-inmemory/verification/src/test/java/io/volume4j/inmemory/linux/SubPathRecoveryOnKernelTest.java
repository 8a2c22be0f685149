package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts that single containers see are found again when the journal is lost; on the real kernel. */
@ExtendWith(RealKernel.class)
class SubPathRecoveryOnKernelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();

    @ParameterizedTest
    @ValueSource(strings = {"", "Memory"})
    void takesBackAndTakesDownPartsOfWhichNoJournalTells(String medium) throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path root = machine.root();
            MountBackend backend = machine.backend();
            pod(medium);
            Path part = partOfSide(root, backend);
            Files.writeString(part.resolve("f"), "kept");
            long mount = mountId(backend, part);

            Files.delete(root.resolve("journal"));
            assertThat(partOfSide(root, backend)).isEqualTo(part);
            assertThat(mountId(backend, part)).as("the very same mount").isEqualTo(mount);
            assertThat(part.resolve("f")).hasContent("kept");

            Files.delete(root.resolve("journal"));
            cluster.remove(ObjectKey.pod("default", "p"));
            try (VolumeManager manager = manager(root, backend)) {
                manager.start();
                manager.awaitUnmounted("p", PATIENCE);
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(backend.table().below(root)).isEmpty();
            assertThat(root.resolve("pods/p")).doesNotExist();
            backend.files()
                    .removeTree(
                            RootedPath.of(Objects.requireNonNull(root.getParent()), "root"),
                            new ManualCallContext("test"));
        }
    }

    /** The mount table shows the path without links. */
    @Test
    void takesDownPartsBelowARootWithALinkInItsPath() throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path root = machine.root();
            MountBackend backend = machine.backend();
            Path parent = Objects.requireNonNull(root.getParent());
            Path link = Files.createSymbolicLink(parent.resolve("link"), parent);
            Path linked = link.resolve(root.getFileName());
            try {
                pod("Memory");
                Path part = partOfSide(linked, backend);
                Files.writeString(part.resolve("f"), "of the pod");

                cluster.remove(ObjectKey.pod("default", "p"));
                try (VolumeManager manager = manager(linked, backend)) {
                    manager.start();
                    manager.awaitUnmounted("p", PATIENCE);
                    manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
                assertThat(backend.table().below(root)).isEmpty();
                assertThat(root.resolve("pods/p")).doesNotExist();
            } finally {
                Files.delete(link);
            }
            backend.files().removeTree(RootedPath.of(parent, "root"), new ManualCallContext("test"));
        }
    }

    /** Starts, waits for the pod and stops; the mounts stay. */
    private Path partOfSide(Path root, MountBackend backend) {
        try (VolumeManager manager = manager(root, backend)) {
            manager.start();
            return manager.awaitMounted("p", PATIENCE)
                    .container("side")
                    .mounts()
                    .get(0)
                    .hostPath();
        }
    }

    private static long mountId(MountBackend backend, Path path) {
        return backend.table().at(path).map(MountEntry::id).orElseThrow();
    }

    private VolumeManager manager(Path root, MountBackend backend) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(backend)
                        .build())
                .plugin(new EmptyDirPlugin())
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .closeTimeout(Duration.ofMinutes(1))
                .build();
    }

    private void pod(String medium) {
        PodVolume volume = new PodVolume("v", new EmptyDirSource(medium, null));
        cluster.apply(new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
                new Pod.Spec(
                        "n1",
                        List.of(volume),
                        List.of(),
                        List.of(container("app", ""), container("side", "logs/today")),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }

    private static Container container(String name, String subPath) {
        return new Container(
                name,
                List.of(new Container.VolumeMount("v", "/v", subPath, false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
    }
}
