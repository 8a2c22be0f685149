package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.KernelNode.doing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Privileged
@ParameterizedClass
@ValueSource(booleans = {false, true})
class LoopPluginOnKernelTest {
    private static final long MEBI = 1 << 20;
    private static final VolumeId ID = VolumeId.shared(LoopPlugin.NAME, "pvc-1");

    private final KernelNode node;
    private final LoopPlugin plugin;
    private final FakeLedger ledger = new FakeLedger(new ArrayList<>());
    private final TestContext context = TestContext.first();
    private VolumeSpec spec = Given.volume(Given.loop("pvc-1"), VolumeMode.FILESYSTEM);

    LoopPluginOnKernelTest(boolean oldKernel) {
        node = new KernelNode(oldKernel);
        plugin = node.ready(new LoopPlugin());
    }

    @AfterEach
    void clean() {
        node.close();
    }

    @Test
    void carriesFilesFromOnePodToAnotherAndLeavesNothing() throws IOException {
        provision("ext4", 64 * MEBI);
        attach();
        mountDevice();
        Path writer = mountPod("a", false);
        Path reader = mountPod("b", true);

        Files.writeString(writer.resolve("note"), "hello");

        assertThat(reader.resolve("note")).hasContent("hello");
        assertThatThrownBy(() -> Files.writeString(reader.resolve("other"), "no"))
                .isInstanceOf(IOException.class);
        assertThat(plugin.stats(spec)
                        .orElseThrow()
                        .stats(new StatsRequest(ID, writer), context)
                        .totalBytes())
                .isBetween(40 * MEBI, 64 * MEBI);

        unmountPod("b");
        unmountPod("a");
        unmountDevice();
        detach();
        delete();
        node.assertNothingLeft();
    }

    @Test
    void doesEveryStepTwiceWithTheSameResult() {
        provision("ext4", 64 * MEBI);
        provision("ext4", 64 * MEBI);
        assertThat(attach()).isEqualTo(attach());
        mountDevice();
        mountDevice();
        mountPod("a", true);
        mountPod("a", true);
        assertThat(node.mounts()).hasSize(2);
        assertThat(node.loops()).hasSize(1);

        for (int i = 0; i < 2; i++) {
            unmountPod("a");
        }
        for (int i = 0; i < 2; i++) {
            unmountDevice();
        }
        for (int i = 0; i < 2; i++) {
            detach();
        }
        for (int i = 0; i < 2; i++) {
            delete();
        }
        node.assertNothingLeft();
    }

    @Test
    void findsTheFilesAgainAfterDetachingAndAttaching() throws IOException {
        provision("ext4", 64 * MEBI);
        attach();
        mountDevice();
        Files.writeString(deviceMount().absolute().resolve("kept"), "data");
        unmountDevice();
        detach();

        attach();
        mountDevice();

        assertThat(deviceMount().absolute().resolve("kept")).hasContent("data");
        assertThat(ledger.effects()).containsExactly("begin ext4", "finish");
    }

    @ParameterizedTest
    @CsvSource({"xfs, 320", "btrfs, 128"})
    void makesOtherFilesystemsWhereTheMachineCan(String fsType, long mebi) {
        assumeTrue(node.kernel.abilities().formats().contains(fsType));
        assumeTrue(node.kernel.abilities().filesystems().contains(fsType));
        provision(fsType, mebi * MEBI);
        attach();
        mountDevice();

        assertThat(node.kernel.table().at(deviceMount().absolute()))
                .hasValueSatisfying(mount -> assertThat(mount.fsType()).isEqualTo(fsType));
        expandMounted(2 * mebi * MEBI, size(deviceMount().absolute()), true);
    }

    @Test
    void leavesForeignContentAsItIs() {
        provision("ext4", 64 * MEBI);
        byte[] precious = "another client's data".getBytes(StandardCharsets.UTF_8);
        write(image(), 1 << 16, precious);
        attach();

        VolumeException failure = catchThrowableOfType(VolumeException.class, this::mountDevice);

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(read(image(), 1 << 16, precious.length)).isEqualTo(precious);
        assertThat(node.mounts()).isEmpty();
        assertThat(ledger.open()).isNull();
    }

    @Test
    void formatsAgainWhatAFormatOfItsOwnLeftHalfMade() {
        provision("ext4", 64 * MEBI);
        Path device = Path.of(attach());
        ledger.open = new OpenFormat(node.kernel.devices().identify(device), "ext4", "all zero");
        write(image(), 1 << 16, new byte[] {1, 2, 3});

        mountDevice();

        assertThat(node.kernel.table().at(deviceMount().absolute())).isPresent();
        assertThat(ledger.open()).isNull();
    }

    @Test
    void touchesNothingWhenTheOpenFormatIsOfAnotherDevice() {
        provision("ext4", 64 * MEBI);
        Path device = Path.of(attach());
        ledger.open = new OpenFormat(node.kernel.devices().identify(device), "ext4", "all zero");
        detach();
        delete();
        provision("ext4", 64 * MEBI);
        attach();

        VolumeException failure = catchThrowableOfType(VolumeException.class, this::mountDevice);

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("is not the device");
        assertThat(node.mounts()).isEmpty();
    }

    @Test
    void countsAnImageThatWasCutShortAsUnreadableAndNeverAsBlank() throws IOException {
        provision("ext4", 64 * MEBI);
        attach();
        try (RandomAccessFile file = new RandomAccessFile(image().toFile(), "rw")) {
            file.setLength(0);
        }

        VolumeException failure = catchThrowableOfType(VolumeException.class, this::mountDevice);

        assertThat(failure.kind()).isNotEqualTo(FailureKind.UNCERTAIN);
        assertThat(ledger.effects()).isEmpty();
        assertThat(node.mounts()).isEmpty();
    }

    @Test
    void expandsWhilePodsUseTheVolume() throws IOException {
        provision("ext4", 64 * MEBI);
        attach();
        mountDevice();
        Path pod = mountPod("a", false);
        Files.writeString(pod.resolve("note"), "hello");
        long before = size(pod);

        expandMounted(128 * MEBI, before);

        assertThat(pod.resolve("note")).hasContent("hello");
    }

    @Test
    void expandsDetachedVolumesWhenTheyAreMountedAgain() {
        provision("ext4", 64 * MEBI);
        attach();
        mountDevice();
        long before = size(deviceMount().absolute());
        unmountDevice();
        detach();
        plugin.expander(spec).orElseThrow().expand(new ExpandRequest(spec, 128 * MEBI, 64 * MEBI), context);

        attach();
        mountDevice();
        expandMounted(128 * MEBI, before);
    }

    /** The kernel lets only who has CAP_SYS_RESOURCE grow a mounted ext4; others are told, and nothing is harmed. */
    private void expandMounted(long bytes, long before) {
        expandMounted(bytes, before, KernelNode.mayGrowMountedFilesystems());
    }

    private void expandMounted(long bytes, long before, boolean allowed) {
        if (allowed) {
            assertThat(expandTo(bytes)).isEqualTo(bytes);
            assertThat(expandTo(bytes)).isEqualTo(bytes);
            assertThat(size(deviceMount().absolute())).isGreaterThan(before + 50 * MEBI);
        } else {
            assertThatThrownBy(() -> expandTo(bytes))
                    .isInstanceOf(VolumeException.class)
                    .hasMessageContaining("CAP_SYS_RESOURCE");
            assertThat(size(deviceMount().absolute())).isEqualTo(before);
        }
        Path device = node.loops().get(0).device();
        assertThat(read(device, bytes - 1, 1)).containsExactly(0);
    }

    @Test
    void expandsARawDeviceWhileItIsAttached() {
        spec = Given.volume(CsiSource.of(LoopPlugin.NAME, "pvc-1", "", Map.of()), VolumeMode.BLOCK);
        provision("ext4", 64 * MEBI);
        Path device = Path.of(attach());
        assertThatThrownBy(() -> read(device, 64 * MEBI, 1)).hasRootCauseInstanceOf(IOException.class);

        assertThat(expandTo(128 * MEBI)).isEqualTo(128 * MEBI);

        assertThat(read(device, 128 * MEBI - 1, 1)).containsExactly(0);
    }

    @Test
    void givesARawDeviceWithoutEverFormattingIt() {
        spec = Given.volume(CsiSource.of(LoopPlugin.NAME, "pvc-1", "", Map.of()), VolumeMode.BLOCK);
        provision("ext4", 64 * MEBI);
        attach();
        String device = plugin.blockMapper(spec)
                .orElseThrow()
                .mapDevice(new MapDeviceRequest(spec, ID, "", Map.of(), deviceMount(), PluginState.none()), context)
                .devicePath();

        byte[] block = "raw".getBytes(StandardCharsets.UTF_8);
        write(Path.of(device), 0, block);

        assertThat(read(Path.of(device), 0, 3)).isEqualTo(block);
        assertThat(node.loops())
                .singleElement()
                .satisfies(loop -> assertThat(loop.device()).hasToString(device));
        detach();
        assertThat(read(image(), 0, 3)).isEqualTo(block);
    }

    /** As if other programs had detached the volume's device and made one for a look at the image. */
    @ParameterizedTest
    @ValueSource(strings = {"--offset", "--sizelimit"})
    void aDeviceOfAPartOfTheImageIsNotTheVolumes(String part) {
        spec = Given.volume(CsiSource.of(LoopPlugin.NAME, "pvc-1", "", Map.of()), VolumeMode.BLOCK);
        provision("ext4", 64 * MEBI);
        Machine.run("losetup", part, "1MiB", "-f", image().toString());

        assertThatThrownBy(() -> plugin.blockMapper(spec)
                        .orElseThrow()
                        .mapDevice(
                                new MapDeviceRequest(spec, ID, "", Map.of(), deviceMount(), PluginState.none()),
                                context))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("shows only a part");
        assertThatThrownBy(this::mountDevice).hasMessageContaining("shows only a part");
        assertThat(kindOf(this::delete)).isEqualTo(FailureKind.IN_USE);
        assertThat(plugin.observer().orElseThrow().attachments(List.of(new Query(ID, "node-1")), context))
                .containsExactly(Observation.PRESENT);
        detach();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void refusesToTakeAwayWhatIsInUse() {
        provision("ext4", 64 * MEBI);
        attach();
        assertThat(kindOf(this::delete)).isEqualTo(FailureKind.IN_USE);
        mountDevice();
        mountPod("a", false);
        assertThat(kindOf(this::detach)).isEqualTo(FailureKind.IN_USE);

        unmountPod("a");
        unmountDevice();
        detach();
        delete();
        node.assertNothingLeft();
    }

    @Test
    void doesNotSayThatAnOpenDeviceStaysAttached() throws IOException {
        provision("ext4", 64 * MEBI);
        String device = attach();
        try (RandomAccessFile user = new RandomAccessFile(device, "r")) {
            assertThat(user.read()).isZero();
            assertThat(kindOf(this::detach)).isEqualTo(FailureKind.UNCERTAIN);
            assertThat(kindOf(this::delete)).isEqualTo(FailureKind.IN_USE);
        }

        detach();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void worksBelowARootThatIsReachedThroughALink() throws IOException {
        Path link = Files.createSymbolicLink(node.directory.resolve("link"), node.root);
        LoopPlugin linked = new LoopPlugin();
        linked.init(node.host(link));
        provision("ext4", 64 * MEBI);
        attach();
        node.target("devices/mount");
        RootedPath device = RootedPath.of(link, "devices/mount");
        RootedPath pod = RootedPath.of(link, "devices/pod");
        for (int i = 0; i < 2; i++) {
            linked.deviceMounter(spec)
                    .orElseThrow()
                    .mountDevice(
                            new DeviceMountRequest(spec, ID, "", Map.of(), device, null, ledger, PluginState.none()),
                            context);
            linked.mounter(spec).orElseThrow().mount(mountRequest(device, pod, false), context);
        }
        assertThat(node.mounts()).hasSize(2);

        linked.unmounter(ID)
                .orElseThrow()
                .unmount(new UnmountRequest(ID, "uid-1", "data", pod, PluginState.none()), context);
        linked.deviceUnmounter(ID)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(ID, "", device, PluginState.none()), context);
        assertThat(node.mounts()).isEmpty();
        detach();
    }

    private void provision(String fsType, long bytes) {
        if (spec.volumeMode() == VolumeMode.FILESYSTEM) {
            spec = Given.volume(CsiSource.of(LoopPlugin.NAME, "pvc-1", fsType, Map.of()), VolumeMode.FILESYSTEM);
        }
        var request = Given.provision(Map.of("fsType", fsType), bytes, 0);
        plugin.provisioner(request.storageClass()).orElseThrow().provision(request, context);
    }

    private void delete() {
        plugin.deleter(spec).orElseThrow().delete(new DeleteRequest("pv-1", spec.source()), context);
    }

    private String attach() {
        return plugin.attacher(spec)
                .orElseThrow()
                .attach(new AttachRequest(spec, ID, "node-1", false, PluginState.none()), context)
                .devicePath();
    }

    private void detach() {
        plugin.detacher(ID).orElseThrow().detach(new DetachRequest(ID, "node-1", "", PluginState.none()), context);
    }

    private void mountDevice() {
        node.target("devices/mount");
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(spec, ID, "", Map.of(), deviceMount(), null, ledger, PluginState.none()),
                        context);
    }

    private void unmountDevice() {
        plugin.deviceUnmounter(ID)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(ID, "", deviceMount(), PluginState.none()), context);
    }

    private Path mountPod(String name, boolean readOnly) {
        RootedPath target = node.target("pods/" + name);
        plugin.mounter(spec).orElseThrow().mount(mountRequest(deviceMount(), target, readOnly), context);
        return target.absolute();
    }

    private void unmountPod(String name) {
        plugin.unmounter(ID)
                .orElseThrow()
                .unmount(new UnmountRequest(ID, "uid-1", "data", node.at("pods/" + name), PluginState.none()), context);
    }

    private MountRequest mountRequest(RootedPath device, RootedPath target, boolean readOnly) {
        return new MountRequest(
                spec, ID, Given.pod(), "data", device, "", Map.of(), target, readOnly, 0, PluginState.none());
    }

    private long expandTo(long bytes) {
        plugin.expander(spec).orElseThrow().expand(new ExpandRequest(spec, bytes, 0), context);
        return plugin.nodeExpander(spec)
                .orElseThrow()
                .expand(new NodeExpandRequest(spec, ID, "", deviceMount(), bytes, 0, PluginState.none()), context)
                .capacityBytes();
    }

    private RootedPath deviceMount() {
        return node.at("devices/mount");
    }

    private Path image() {
        return node.root.resolve("plugins/loop.volume4j.io/data/images/pvc-1.img");
    }

    private long size(Path path) {
        return node.kernel.usage(path).totalBytes();
    }

    private static FailureKind kindOf(Runnable call) {
        return catchThrowableOfType(VolumeException.class, call::run).kind();
    }

    private static void write(Path path, long position, byte[] content) {
        doing(() -> {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.seek(position);
                file.write(content);
                file.getFD().sync();
            }
            return path;
        });
    }

    private static byte[] read(Path path, long position, int length) {
        return doing(() -> {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                byte[] content = new byte[length];
                file.seek(position);
                file.readFully(content);
                return content;
            }
        });
    }
}
