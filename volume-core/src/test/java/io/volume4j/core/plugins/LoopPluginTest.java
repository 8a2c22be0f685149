package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopPluginTest {
    private static final String IMAGE = "/var/lib/volume4j/plugins/loop.volume4j.io/data/images/pvc-1.img";
    private static final long MEBI = 1 << 20;
    private static final VolumeSpec SPEC = Given.volume(Given.loop("pvc-1"), VolumeMode.FILESYSTEM);
    private static final VolumeId ID = VolumeId.shared(LoopPlugin.NAME, "pvc-1");

    private final FakeMachine machine = new FakeMachine();
    private final LoopPlugin plugin = Given.ready(new LoopPlugin(), machine);
    private final TestContext context = TestContext.first();

    @Test
    void provisionsASparseFileThatOnlyItsNodeReaches() {
        ProvisionResult made = provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(machine.status(place(IMAGE))).contains(new FileStatus(FileStatus.Type.FILE, 64 * MEBI, 0600));
        assertThat(made.capacityBytes()).isEqualTo(64 * MEBI);
        assertThat(made.source()).isEqualTo(Given.loop("pvc-1"));
        assertThat(Objects.requireNonNull(made.nodeAffinity()).matches("node-1", Map.of()))
                .isTrue();
        assertThat(Objects.requireNonNull(made.nodeAffinity()).matches("node-2", Map.of()))
                .isFalse();
    }

    @Test
    void provisionsOnceHoweverOftenItIsAsked() {
        ProvisionResult first = provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.available = 0;

        assertThat(provision(Given.provision(Map.of(), 64 * MEBI, 0))).isEqualTo(first);
    }

    @Test
    void finishesAnImageThatACrashLeftWithoutItsSize() {
        machine.put(IMAGE, FileStatus.Type.FILE);

        provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(machine.at(Path.of(IMAGE)).bytes()).isEqualTo(64 * MEBI);
    }

    @ParameterizedTest(name = "{0} asked {1} limit {2} -> {3}")
    @CsvSource({
        "ext4,  1,         0,         4194304",
        "ext4,  4194305,   0,         4198400",
        "ext4,  67108864,  67108864,  67108864",
        "ext4,  1,         1000000,   INFEASIBLE",
        "ext4,  67108865,  67108866,  INFEASIBLE",
        "ext4,  9223372036854775807, 0, INFEASIBLE",
        "xfs,   67108864,  0,         314572800",
        "xfs,   67108864,  134217728, INFEASIBLE",
    })
    void roundsUpToWhatTheFilesystemNeedsWithinTheLimit(String fsType, long asked, long limit, String expected) {
        ProvisionRequest request = Given.provision(Map.of("fsType", fsType), asked, limit);

        if (expected.equals("INFEASIBLE")) {
            assertThat(failureOf(() -> provision(request)).kind()).isEqualTo(FailureKind.INFEASIBLE);
            assertThat(machine.fileNames()).isEmpty();
        } else {
            assertThat(provision(request).capacityBytes()).isEqualTo(Long.parseLong(expected));
        }
    }

    @Test
    void makesARawDeviceOfAnySizeWithoutAFilesystem() {
        PersistentVolumeClaim claim = Given.claim(VolumeMode.BLOCK, AccessMode.READ_WRITE_ONCE);
        machine.mkfs.clear();

        ProvisionResult made = provision(Given.provision(claim, Map.of("fsType", "xfs"), 1, 0, null));

        assertThat(made.capacityBytes()).isEqualTo(4096);
        assertThat(made.source()).isEqualTo(CsiSource.of(LoopPlugin.NAME, "pvc-1", "", Map.of()));
    }

    @ParameterizedTest(name = "{0}={1}: {2}")
    @CsvSource({
        "fsType,                    ext4,  ''",
        "csi.storage.k8s.io/fstype, xfs,   ''",
        "fsType,                    ntfs,  one of [btrfs; ext4; xfs]",
        "fsType,                    btrfs, mkfs.btrfs was not found",
        "size,                      1,     known are fsType and csi.storage.k8s.io/fstype",
    })
    void readsTheParametersOfTheClassAndRefusesOthers(String key, String value, String refusal) {
        ProvisionRequest request = Given.provision(Map.of(key, value), 512 * MEBI, 0);

        if (refusal.isEmpty()) {
            assertThat(((CsiSource) provision(request).source()).fsType()).isEqualTo(value);
        } else {
            VolumeException failure = failureOf(() -> provision(request));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining(refusal.replace(';', ','));
            assertThat(machine.fileNames()).isEmpty();
        }
    }

    @Test
    void refusesAClassThatContradictsItself() {
        assertThat(failureOf(() -> provision(
                        Given.provision(Map.of("fsType", "ext4", "csi.storage.k8s.io/fstype", "xfs"), 512 * MEBI, 0))))
                .hasMessageContaining("differ");
    }

    @Test
    void refusesANameThatIsTakenByAnotherSize() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));

        VolumeException failure = failureOf(() -> provision(Given.provision(Map.of(), 128 * MEBI, 0)));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("64Mi where 128Mi");
    }

    @Test
    void saysHowMuchRoomIsMissing() {
        machine.available = 10 * MEBI;

        VolumeException failure = failureOf(() -> provision(Given.provision(Map.of(), 64 * MEBI, 0)));

        assertThat(failure.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(failure).hasMessageContaining("64Mi").hasMessageContaining("10Mi");
        assertThat(machine.fileNames()).isEmpty();
        assertThat(plugin.capacity()
                        .orElseThrow()
                        .capacity(new CapacityRequest(Given.storageClass(Map.of()), Map.of()), context)
                        .availableBytes())
                .isEqualTo(10 * MEBI);
    }

    @Test
    void leavesAVolumeForAnotherNodeToThatNode() {
        PersistentVolumeClaim claim = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_ONCE);

        VolumeException failure =
                failureOf(() -> provision(Given.provision(claim, Map.of(), 64 * MEBI, 0, Given.node("node-2"))));

        assertThat(failure.kind()).isEqualTo(FailureKind.EXHAUSTED);
        provision(Given.provision(claim, Map.of(), 64 * MEBI, 0, Given.node("node-1")));
    }

    @Test
    void promisesNoAccessFromSeveralNodes() {
        PersistentVolumeClaim shared = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY);

        VolumeException failure = failureOf(() -> provision(Given.provision(shared, Map.of(), 64 * MEBI, 0, null)));

        assertThat(failure.kind()).isEqualTo(FailureKind.INFEASIBLE);
        assertThat(failure).hasMessageContaining("ReadWriteMany");
    }

    @Test
    void makesNoEmptyVolumeWhereACopyWasAskedFor() {
        PersistentVolumeClaim plain = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim copy = new PersistentVolumeClaim(
                plain.metadata(),
                new PersistentVolumeClaim.Spec(
                        plain.spec().accessModes(),
                        plain.spec().request(),
                        "loop",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        new TypedReference("", "PersistentVolumeClaim", "", "source"),
                        null,
                        ""),
                plain.status(),
                plain.unmodeled());

        assertThat(failureOf(() -> provision(Given.provision(copy, Map.of(), 64 * MEBI, 0, null)))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "/etc/passwd", "../x", "a..b", ".hidden", "a\nb", "a b", "-rf", "ü"})
    void takesNoPathForAName(String handle) {
        VolumeSpec spec = Given.volume(Given.loop(handle), VolumeMode.FILESYSTEM);

        assertThatThrownBy(() -> plugin.volumeName(spec))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL));
        assertThat(failureOf(() -> plugin.deleter(spec)
                                .orElseThrow()
                                .delete(new DeleteRequest("pv", Given.loop(handle)), context))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @Test
    void takesNoNameLongerThanAFileCanHave() {
        assertThatThrownBy(() -> plugin.volumeName(Given.volume(Given.loop("a".repeat(201)), VolumeMode.FILESYSTEM)))
                .isInstanceOf(VolumeException.class);
    }

    @Test
    void goesTheWholeWayThereAndBackAndLeavesNothing() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        String device = attach();
        mountDevice();
        mountPod(false);

        assertThat(device).isEqualTo("/dev/loop7");
        assertThat(machine.effects)
                .containsExactly(
                        "attach", "begin ext4", "mkfs ext4", "finish", "mount ext4", "bind " + Given.DEVICE_TARGET);

        unmountPod();
        unmountDevice();
        detach();
        delete();
        assertThat(machine.mounts).isEmpty();
        assertThat(machine.loops).isEmpty();
        assertThat(machine.fileNames()).isEmpty();
        assertThat(machine.nodes).doesNotContainKeys(Given.POD_TARGET.absolute(), Given.DEVICE_TARGET.absolute());
    }

    @Test
    void doesEachStepTwiceWithTheSameResult() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        assertThat(attach()).isEqualTo(attach());
        mountDevice();
        mountDevice();
        mountPod(true);
        mountPod(true);
        assertThat(machine.mounts).hasSize(2);

        unmountPod();
        unmountPod();
        unmountDevice();
        unmountDevice();
        detach();
        detach();
        delete();
        delete();
        assertThat(machine.mounts).isEmpty();
        assertThat(machine.loops).isEmpty();
    }

    @Test
    void deletesNothingThatIsAttached() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();

        VolumeException failure = failureOf(this::delete);

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining("/dev/loop7");
        assertThat(machine.fileNames()).containsExactly(IMAGE);
    }

    @Test
    void detachesNothingThatIsMounted() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        mountDevice();

        VolumeException failure = failureOf(this::detach);

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining(Given.DEVICE_TARGET.toString());
        assertThat(machine.loops).isNotEmpty();
    }

    @Test
    void attachesAndDetachesOnItsOwnNodeOnly() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(failureOf(() -> plugin.attacher(SPEC)
                        .orElseThrow()
                        .attach(new AttachRequest(SPEC, ID, "node-2", false, PluginState.none()), context)))
                .hasMessageContaining("node-2");
        assertThat(failureOf(() -> plugin.detacher(ID)
                        .orElseThrow()
                        .detach(new DetachRequest(ID, "node-2", "", PluginState.none()), context)))
                .hasMessageContaining("node-2");
    }

    @Test
    void attachesNothingThatIsNotThere() {
        VolumeException failure = failureOf(this::attach);

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(IMAGE);
        assertThat(plugin.health().orElseThrow().health(ID, context).abnormal()).isTrue();
    }

    @Test
    void mountsTheDeviceThatTheImageHasNowWhateverItHadBefore() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();

        mountDevice("/dev/loop99");

        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo("/dev/loop7"));
    }

    @Test
    void waitsForTheAttachmentBeforeItMounts() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(failureOf(this::mountDevice).kind()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void givesNoPodTheBareDirectoryOfADeviceMountThatIsGone() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.createDirectory(Given.DEVICE_TARGET, 0750);

        VolumeException failure = failureOf(() -> mountPod(false));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("machine's own disk");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void changesNoPodsMountFromWritableToReadOnly() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        mountDevice();
        mountPod(false);

        assertThat(failureOf(() -> mountPod(true)).kind()).isEqualTo(FailureKind.FINAL);
    }

    @Test
    void observesWhatIsAttachedHereAndNothingElse() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        VolumeId other = VolumeId.shared(LoopPlugin.NAME, "pvc-2");

        assertThat(plugin.observer()
                        .orElseThrow()
                        .attachments(
                                List.of(
                                        new Query(ID, "node-1"),
                                        new Query(other, "node-1"),
                                        new Query(ID, "node-2"),
                                        new Query(VolumeId.shared(LoopPlugin.NAME, "../x"), "node-1")),
                                context))
                .containsExactly(Observation.PRESENT, Observation.ABSENT, Observation.UNKNOWN, Observation.UNKNOWN);
    }

    @Test
    void expandsTheImageThenTheDeviceThenTheFilesystem() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        mountDevice();
        machine.effects.clear();

        assertThat(expand(128 * MEBI)).isEqualTo(128 * MEBI);
        assertThat(expand(100 * MEBI)).isEqualTo(128 * MEBI);
        assertThat(expandOnNode(128 * MEBI, Given.DEVICE_TARGET)).isEqualTo(128 * MEBI);

        assertThat(machine.effects).containsExactly("refresh", "grow ext4");
    }

    @Test
    void aMountThatIsThereButCouldNotGrowIsADoubt() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        machine.put(IMAGE + ".grow", FileStatus.Type.FILE);
        machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");

        assertThat(failureOf(this::mountDevice).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(machine.mounts).hasSize(1);

        machine.removalFails = null;
        mountDevice();
        assertThat(machine.mounts).hasSize(1);
    }

    @Test
    void expandsNoFilesystemBeforeItsDevice() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();
        mountDevice();
        machine.effects.clear();

        assertThat(failureOf(() -> expandOnNode(128 * MEBI, Given.DEVICE_TARGET))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void growsNoFileBeyondTheRoomThereIs() {
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.available = 32 * MEBI;

        assertThat(failureOf(() -> expand(128 * MEBI)).kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(expand(96 * MEBI)).isEqualTo(96 * MEBI);
    }

    @Test
    void mapsTheDeviceItselfForARawVolume() {
        VolumeSpec block = Given.volume(Given.loop("pvc-1"), VolumeMode.BLOCK);
        provision(Given.provision(Map.of(), 64 * MEBI, 0));
        attach();

        assertThat(plugin.blockMapper(block)
                        .orElseThrow()
                        .mapDevice(
                                new MapDeviceRequest(block, ID, "", Map.of(), Given.DEVICE_TARGET, PluginState.none()),
                                context)
                        .devicePath())
                .isEqualTo("/dev/loop7");
        assertThat(plugin.stats(block)
                        .orElseThrow()
                        .stats(new StatsRequest(ID, Path.of("/dev/loop7")), context)
                        .totalBytes())
                .isEqualTo(64 * MEBI);
    }

    @Test
    void saysSoInAProcessThatCannotMount() {
        LoopPlugin controlPlane = new LoopPlugin();
        controlPlane.init(DefaultPluginHost.builder(Given.ROOT).build());

        assertThat(failureOf(() -> controlPlane
                        .provisioner(Given.storageClass(Map.of()))
                        .orElseThrow()
                        .provision(Given.provision(Map.of(), 64 * MEBI, 0), context)))
                .hasMessageContaining("no mount backend");
    }

    private ProvisionResult provision(ProvisionRequest request) {
        return plugin.provisioner(request.storageClass()).orElseThrow().provision(request, context);
    }

    private void delete() {
        plugin.deleter(SPEC).orElseThrow().delete(new DeleteRequest("pv-1", Given.loop("pvc-1")), context);
    }

    private String attach() {
        return plugin.attacher(SPEC)
                .orElseThrow()
                .attach(new AttachRequest(SPEC, ID, "node-1", false, PluginState.none()), context)
                .devicePath();
    }

    private void detach() {
        plugin.detacher(ID).orElseThrow().detach(new DetachRequest(ID, "node-1", "", PluginState.none()), context);
    }

    private void mountDevice() {
        mountDevice("");
    }

    private void mountDevice(String devicePath) {
        plugin.deviceMounter(SPEC)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                SPEC,
                                ID,
                                devicePath,
                                Map.of(),
                                Given.DEVICE_TARGET,
                                null,
                                new FakeLedger(machine.effects),
                                PluginState.none()),
                        context);
    }

    private void unmountDevice() {
        plugin.deviceUnmounter(ID)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(ID, "", Given.DEVICE_TARGET, PluginState.none()), context);
    }

    private void mountPod(boolean readOnly) {
        plugin.mounter(SPEC)
                .orElseThrow()
                .mount(
                        Given.mount(plugin, SPEC, Given.pod(), Given.DEVICE_TARGET, readOnly, 0, PluginState.none()),
                        context);
    }

    private void unmountPod() {
        plugin.unmounter(ID).orElseThrow().unmount(Given.unmount(plugin), context);
    }

    private long expand(long bytes) {
        return plugin.expander(SPEC)
                .orElseThrow()
                .expand(new ExpandRequest(SPEC, bytes, 64 * MEBI), context)
                .capacityBytes();
    }

    private long expandOnNode(long bytes, RootedPath mount) {
        return plugin.nodeExpander(SPEC)
                .orElseThrow()
                .expand(new NodeExpandRequest(SPEC, ID, "", mount, bytes, 64 * MEBI, PluginState.none()), context)
                .capacityBytes();
    }

    private static RootedPath place(String path) {
        return RootedPath.of(Path.of("/"), path.substring(1));
    }

    private static VolumeException failureOf(Runnable call) {
        return catchThrowableOfType(VolumeException.class, call::run);
    }
}
