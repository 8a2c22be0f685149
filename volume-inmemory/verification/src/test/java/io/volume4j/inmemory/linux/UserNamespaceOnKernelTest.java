package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
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

/** Volumes of a pod with a user namespace of its own, through the front door, on the real kernel. */
@ExtendWith(RealKernel.class)
class UserNamespaceOnKernelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();

    UserNamespaceOnKernelTest() {
        runtime.idsOfOthers(IdMapping.shifted(100_000, 65_536));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Memory"})
    void showsRootsFilesAsThePodsRootAndKeepsWhatThePodMakesAsRoots(String medium) throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path root = machine.root();
            MountBackend backend = machine.backend();
            pod(new EmptyDirSource(medium, null));
            try (VolumeManager manager = manager(root, backend)) {
                manager.start();
                MountedPod pod = manager.awaitMounted("p", PATIENCE);
                Path whole = pod.container("app").mounts().get(0).hostPath();
                Path part = pod.container("side").mounts().get(0).hostPath();
                Path bare = root.resolve("pods/p/volumes/kubernetes.io~empty-dir/v");
                Files.writeString(bare.resolve("ofRoot"), "x");

                assertThat(List.of(owner(whole), owner(whole.resolve("ofRoot")), owner(part)))
                        .containsOnly(100_000L);
                assertThat(owner(bare)).isZero();
                Files.setAttribute(whole.resolve("ofRoot"), "unix:uid", 100_007);
                assertThat(owner(bare.resolve("ofRoot"))).isEqualTo(7);

                cluster.remove(ObjectKey.pod("default", "p"));
                manager.awaitUnmounted("p", PATIENCE);
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(backend.table().below(root)).isEmpty();
            assertThat(root.resolve("pods/p")).doesNotExist();
            clear(root, backend);
        }
    }

    @Test
    void aFilesystemThatCannotMapIdsIsNamedToTheCallersThatWaitForThePod() throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path root = machine.root();
            MountBackend backend = machine.backend();
            pod(new HostPathSource("/proc/sys", "Directory"));
            try (VolumeManager manager = manager(root, backend)) {
                manager.start();
                assertThatThrownBy(() -> manager.awaitMounted("p", PATIENCE))
                        .hasMessageContaining("its filesystem, proc")
                        .hasMessageContaining("hostUsers: true");
                cluster.remove(ObjectKey.pod("default", "p"));
                manager.awaitUnmounted("p", PATIENCE);
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(backend.table().below(root)).isEmpty();
            clear(root, backend);
        }
    }

    private static long owner(Path path) throws IOException {
        return ((Number) Files.getAttribute(path, "unix:uid")).longValue();
    }

    private static void clear(Path root, MountBackend backend) {
        backend.files()
                .removeTree(
                        RootedPath.of(Objects.requireNonNull(root.getParent()), "root"), new ManualCallContext("test"));
    }

    private VolumeManager manager(Path root, MountBackend backend) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(backend)
                        .build())
                .plugin(new EmptyDirPlugin())
                .plugin(new HostPathPlugin(List.of(Path.of("/proc"))))
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .podRuntime(runtime)
                .attachMode(AttachMode.SELF)
                .build();
    }

    private void pod(VolumeSource source) {
        cluster.apply(new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
                Pod.Spec.builder()
                        .nodeName("n1")
                        .volumes(List.of(new PodVolume("v", source)))
                        .containers(List.of(container("app", ""), container("side", "logs/today")))
                        .hostUsers(false)
                        .build(),
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
