package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A plugin that fails behind the unmount and says that nothing happened: what it says is held against the mount table. */
class HalfUnmountedTest {
    private static final Path ROOT = Path.of("/volumes");

    private static final String VOLUME = """
            kind: PersistentVolume
            apiVersion: v1
            metadata: {name: pv}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data, uid: claim-uid}
              csi: {driver: example.com, volumeHandle: one}
            status: {phase: Bound}
            ---
            kind: PersistentVolumeClaim
            apiVersion: v1
            metadata: {namespace: default, name: data, uid: claim-uid}
            spec: {volumeName: pv, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}}
            """;

    private static final String POD = """
            kind: Pod
            apiVersion: v1
            metadata: {namespace: default, name: %1$s, uid: %1$s}
            spec:
              nodeName: n1
              containers:
              - name: app
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - name: data
                persistentVolumeClaim: {claimName: data}
            """;

    /** Never gets further than the unmount of a device. */
    private record HalfWay(MountBackend machine, AtomicInteger deviceMounts, CountDownLatch unmounted)
            implements VolumePlugin {
        @Override
        public String name() {
            return "example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                deviceMounts.incrementAndGet();
                if (!mounted(request.target())) {
                    machine.files().createDirectory(request.target(), 0750);
                    machine.mount(new FilesystemMount("tmpfs", "one", false, List.of()), request.target());
                }
                return DeviceMounter.DeviceMountResult.mounted();
            });
        }

        @Override
        public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
            return Optional.of((request, context) -> {
                if (mounted(request.target())) {
                    machine.unmount(request.target(), UnmountMode.NORMAL);
                }
                unmounted.countDown();
                throw VolumeException.transientFailure("the disk cannot be let go just now");
            });
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                Path source = Objects.requireNonNull(request.deviceMountPath()).absolute();
                machine.files().createDirectory(request.target(), 0750);
                machine.bind(source, request.target(), BindOptions.readWrite());
                return Mounter.MountResult.mounted();
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((request, context) -> {
                machine.unmount(request.target(), UnmountMode.NORMAL);
                machine.files().removeDirectory(request.target());
            });
        }

        private boolean mounted(RootedPath target) {
            return machine.table().at(target.absolute()).isPresent();
        }
    }

    @Test
    void theNextPodGetsTheVolumeAndNotABareDirectory() throws Exception {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        HalfWay plugin = new HalfWay(machine, new AtomicInteger(), new CountDownLatch(1));
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("volume", VOLUME).forEach(cluster::apply);
        Manifests.read("pod", POD.formatted("a")).forEach(cluster::apply);
        try (VolumeManager manager = VolumeManager.builder()
                .cluster(cluster)
                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                                .nodeName("n1")
                                .mounts(machine)
                                .build())
                        .plugin(plugin)
                        .build())
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .build()) {
            manager.start();
            manager.whenMounted("a").get(2, TimeUnit.MINUTES);
            cluster.delete(ObjectKey.pod("default", "a"), Preconditions.none());
            assertThat(plugin.unmounted().await(2, TimeUnit.MINUTES)).isTrue();

            Manifests.read("pod", POD.formatted("b")).forEach(cluster::apply);
            MountedPod mounted = manager.whenMounted("b").get(2, TimeUnit.MINUTES);
            Path place = Objects.requireNonNull(mounted.volumes().get("data")).path();

            assertThat(plugin.deviceMounts()).hasValue(2);
            assertThat(machine.table().at(place))
                    .hasValueSatisfying(mount -> assertThat(mount.source()).isEqualTo("one"));
        }
    }
}
