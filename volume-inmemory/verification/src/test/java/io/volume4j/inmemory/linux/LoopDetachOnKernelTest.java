package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeTransition.Action;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
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
        apply("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: default, uid: uid-c},
                 spec: {volumeName: v, accessModes: [ReadWriteOnce], resources: {requests: {storage: 16Mi}}},
                 status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 16Mi}}}
                ---
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v},
                 spec: {capacity: {storage: 16Mi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain,
                        claimRef: {namespace: default, name: c, uid: uid-c},
                        csi: {driver: loop.volume4j.io, volumeHandle: pvc-1, fsType: ext4}},
                 status: {phase: Bound}}
                """);
    }

    private void pod(String name) {
        apply("""
                {apiVersion: v1, kind: Pod, metadata: {name: NAME, namespace: default, uid: NAME},
                 spec: {nodeName: n1, containers: [{name: app, volumeMounts: [{name: d, mountPath: /d}]}],
                        volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]},
                 status: {phase: Running, containerStatuses: [{name: app, state: {running: {}}}]}}
                """.replace("NAME", name));
    }

    private void apply(String manifests) {
        Manifests.read("given", manifests).forEach(cluster::apply);
    }
}
