package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
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
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pod gets a real block device, which cannot be taken from under it unnoticed; on the real kernel. */
@ExtendWith(RealKernel.class)
class RawDeviceOnKernelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long MEBI = 1L << 20;

    private final InMemoryCluster cluster = InMemoryCluster.create();

    @Test
    void givesAPodADeviceThatIsHeldOpen() throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path disk = machine.disk("disk", 4 * MEBI);
            Path root = machine.root();
            MountBackend backend = machine.backend();
            objects();
            try (VolumeManager manager = manager(root, backend, disk)) {
                manager.start();
                Path device = manager.awaitMounted("p", PATIENCE)
                        .volumes()
                        .values()
                        .iterator()
                        .next()
                        .path();

                write(device, (byte) 42);
                assertThat(firstByte(disk)).isEqualTo((byte) 42);
                assertThat(backend.loops().below(root)).hasSize(1);
                Path raw = backend.loops().below(root).get(0).file();
                assertThatThrownBy(
                                () -> backend.unmount(new RootedPath(root, root.relativize(raw)), UnmountMode.NORMAL))
                        .as("the device is held open")
                        .isInstanceOf(VolumeException.class);

                cluster.remove(ObjectKey.pod("default", "p"));
                manager.awaitUnmounted("p", PATIENCE);
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(backend.loops().below(root)).isEmpty();
            assertThat(backend.table().below(root)).isEmpty();
            assertThat(Files.exists(root.resolve("pods/p"))).isFalse();
            backend.files()
                    .removeTree(
                            RootedPath.of(Objects.requireNonNull(root.getParent()), "root"),
                            new ManualCallContext("test"));
        }
    }

    /** A loop device that stays would hold the disk open until the next boot. */
    @Test
    void letsGoOfTheDeviceAlsoIfAnotherProgramUnmountedItsBind() throws Exception {
        try (LinuxFixture machine = new LinuxFixture()) {
            Path disk = machine.disk("disk", 4 * MEBI);
            Path root = machine.root();
            MountBackend backend = machine.backend();
            RootedPath node = RootedPath.of(Path.of("/dev"), disk.getFileName().toString());
            objects();
            try (VolumeManager manager = manager(root, backend, disk)) {
                manager.start();
                manager.awaitMounted("p", PATIENCE);
                Path raw = backend.loops().below(root).get(0).file();
                backend.unmount(new RootedPath(root, root.relativize(raw)), UnmountMode.LAZY);
                assertThat(backend.loops().find(node)).isPresent();

                cluster.remove(ObjectKey.pod("default", "p"));
                manager.awaitUnmounted("p", PATIENCE);
                manager.whenEmpty().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(backend.loops().find(node)).isEmpty();
            assertThat(backend.table().below(root)).isEmpty();
            backend.files()
                    .removeTree(
                            RootedPath.of(Objects.requireNonNull(root.getParent()), "root"),
                            new ManualCallContext("test"));
        }
    }

    private VolumeManager manager(Path root, MountBackend backend, Path disk) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(backend)
                        .build())
                .plugin(new DiskPlugin(disk))
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .build();
    }

    private static void write(Path device, byte value) throws IOException {
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {value}), 0);
            channel.force(true);
        }
    }

    private static byte firstByte(Path device) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
            channel.read(one, 0);
        }
        return one.get(0);
    }

    private void objects() {
        Quantity size = Quantity.ofBytes(4 * MEBI);
        List<AccessMode> modes = List.of(AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "c").withUid("uid-c"),
                new PersistentVolumeClaim.Spec(modes, size, "", VolumeMode.BLOCK, "v", null, null, null, ""),
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
                        VolumeMode.BLOCK,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of("disk.example.com", "one", "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
        Container container =
                new Container("app", List.of(), List.of(new Container.VolumeDevice("d", "/dev/d")), Map.of(), Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
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

    /** Has one device, which is always there. */
    private record DiskPlugin(Path disk) implements VolumePlugin {
        @Override
        public String name() {
            return "disk.example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<BlockMapper> blockMapper(VolumeSpec spec) {
            return Optional.of((BlockMapper.MapDeviceRequest request, CallContext context) ->
                    new BlockMapper.MapDeviceResult(disk.toString(), PluginState.none()));
        }

        @Override
        public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
            return Optional.of((BlockUnmapper.UnmapDeviceRequest request, CallContext context) -> {});
        }
    }
}
