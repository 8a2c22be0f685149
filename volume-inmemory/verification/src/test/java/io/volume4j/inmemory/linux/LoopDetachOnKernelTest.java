package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeTransition.Action;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods of one loop volume follow each other while another program looks at its device; on the real kernel. */
@ExtendWith(RealKernel.class)
class LoopDetachOnKernelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long MEBI = 1L << 20;

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final LinuxFixture machine = new LinuxFixture();
    private final MountBackend backend = machine.backend();
    private final Path root = machine.root();
    private final RootedPath image = RootedPath.of(root, "plugins/loop.volume4j.io/data/images/pvc-1.img");

    @AfterEach
    void removeAll() {
        List<MountEntry> mounts = backend.table().below(root);
        for (int i = mounts.size() - 1; i >= 0; i--) {
            Path place = mounts.get(i).mountPoint();
            backend.unmount(new RootedPath(root, root.relativize(place)), UnmountMode.NORMAL);
        }
        backend.loops().detach(image);
        backend.files()
                .removeTree(
                        RootedPath.of(Objects.requireNonNull(root.getParent()), "root"), new ManualCallContext("test"));
        machine.close();
    }

    /** As udev does after an unmount: it has the device open when the node detaches it, and closes it afterwards. */
    @Test
    void theNextPodGetsAVolumeWhoseDeviceWentWhenAnotherProgramClosedIt() throws Exception {
        backend.files().createRoot(root);
        backend.files().createDirectory(new RootedPath(root, image.relative().getParent()), 0700);
        backend.files().createSparseFile(image, 16 * MEBI, 0600);
        volume();
        pod("job-1");
        CompletableFuture<VolumeTransition> detachFailed = new CompletableFuture<>();
        try (VolumeManager manager = manager()) {
            manager.listen(step -> {
                if (step.action() == Action.DETACH && step.failure() != null) {
                    detachFailed.complete(step);
                }
            });
            manager.start();
            manager.awaitMounted("job-1", PATIENCE);
            Path device = backend.loops().find(image).orElseThrow();

            try (FileChannel other = FileChannel.open(device, StandardOpenOption.READ)) {
                cluster.remove(ObjectKey.pod("default", "job-1"));
                assertThat(detachFailed
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                .failure())
                        .hasMessageContaining("another process has it open");
                assertThat(other.isOpen()).isTrue();
            }
            pod("job-2");

            assertThat(manager.awaitMounted("job-2", PATIENCE).volumes()).hasSize(1);
            cluster.remove(ObjectKey.pod("default", "job-2"));
            manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(backend.loops().below(root)).isEmpty();
        assertThat(backend.table().below(root)).isEmpty();
    }

    private VolumeManager manager() {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(backend)
                        .build())
                .plugin(new LoopPlugin())
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .build();
    }

    private void volume() {
        Quantity size = Quantity.ofBytes(16 * MEBI);
        List<AccessMode> modes = List.of(AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "c").withUid("uid-c"),
                new PersistentVolumeClaim.Spec(modes, size, "", VolumeMode.FILESYSTEM, "v", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, modes, size, Map.of(), Map.of(), ""),
                Unmodeled.none());
        cluster.apply(claim);
        cluster.apply(new PersistentVolume(
                ObjectMeta.named("", "v"),
                new PersistentVolume.Spec(
                        size,
                        modes,
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of(LoopPlugin.NAME, "pvc-1", "ext4", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
    }

    private void pod(String name) {
        Container container = new Container(
                "app", List.of(new Container.VolumeMount("d", "/d", "", false, "", "")), List.of(), Map.of(), Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(
                        "n1",
                        List.of(new PodVolume("d", new ClaimSource("c", false))),
                        List.of(),
                        List.of(container),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }
}
