package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalPluginTest {
    private static final VolumeId ID = VolumeId.shared(LocalPlugin.NAME, "pv-1");

    private final FakeMachine machine = new FakeMachine();
    private final LocalPlugin plugin = Given.ready(new LocalPlugin(), machine);

    @Test
    void bindsADirectoryOnceForTheNodeAndFromThereIntoPods() {
        machine.put("/mnt/disk", FileStatus.Type.DIRECTORY);
        VolumeSpec spec = spec("/mnt/disk");

        mountDevice(spec);
        mountDevice(spec);
        plugin.mounter(spec)
                .orElseThrow()
                .mount(
                        Given.mount(plugin, spec, Given.pod(), Given.DEVICE_TARGET, true, 0, PluginState.none()),
                        TestContext.first());

        assertThat(machine.effects).containsExactly("bind /mnt/disk", "bind " + Given.DEVICE_TARGET + " ro");

        plugin.unmounter(ID).orElseThrow().unmount(Given.unmount(plugin), TestContext.first());
        unmountDevice();
        unmountDevice();
        assertThat(machine.mounts).isEmpty();
        assertThat(machine.nodes)
                .containsKey(Path.of("/mnt/disk"))
                .doesNotContainKeys(Given.POD_TARGET.absolute(), Given.DEVICE_TARGET.absolute());
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "ro,         bind /mnt/disk ro",
        "'rw, ro',   bind /mnt/disk ro",
        "defaults,   bind /mnt/disk",
        "noexec,     FINAL mount option \"noexec\" would not be applied",
        "'ro,nosuid', FINAL mount option \"nosuid\" would not be applied",
    })
    void appliesToADirectoryWhatABindCanHaveAndRefusesTheRest(String option, String expected) {
        machine.put("/mnt/disk", FileStatus.Type.DIRECTORY);
        VolumeSpec spec = Given.volume(new LocalSource("/mnt/disk", ""), VolumeMode.FILESYSTEM, option);

        if (expected.startsWith("FINAL ")) {
            VolumeException failure = catchThrowableOfType(VolumeException.class, () -> mountDevice(spec));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining(expected.substring("FINAL ".length()));
            assertThat(failure.advice()).contains("only ro and rw");
            assertThat(machine.effects).isEmpty();
        } else {
            mountDevice(spec);
            mountDevice(spec);
            mountForPod(spec);
            mountForPod(spec);
            assertThat(machine.effects).containsExactly(expected, "bind " + Given.DEVICE_TARGET);
        }
    }

    @Test
    void formatsADeviceIfItIsBlankAndMountsIt() {
        machine.put("/dev/sdb", FileStatus.Type.BLOCK_DEVICE);
        machine.links.put(Path.of("/dev/disk/by-id/x"), Path.of("/dev/sdb"));

        mountDevice(spec("/dev/disk/by-id/x"));

        assertThat(machine.effects).containsExactly("begin xfs", "mkfs xfs", "finish", "mount xfs");
        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo("/dev/sdb"));
    }

    /** As with {@code mountOptions: [ro]}, or after the kernel made a damaged filesystem read-only. */
    @ParameterizedTest(name = "mount {0}, filesystem {1}")
    @CsvSource({"ro, ro", "rw, ro"})
    void bindsADeviceMountThatIsOnlyReadAgainForTheSamePod(String ofMount, String ofFilesystem) {
        machine.mounts.add(MountEntry.builder(7, Given.DEVICE_TARGET.absolute())
                .options(List.of(ofMount))
                .superOptions(List.of(ofFilesystem))
                .fsType("xfs")
                .source("/dev/sdb")
                .build());

        mountForPod(spec("/dev/sdb"));
        mountForPod(spec("/dev/sdb"));

        assertThat(machine.effects).containsExactly("bind " + Given.DEVICE_TARGET);
    }

    private void mountForPod(VolumeSpec spec) {
        plugin.mounter(spec)
                .orElseThrow()
                .mount(
                        Given.mount(plugin, spec, Given.pod(), Given.DEVICE_TARGET, false, 0, PluginState.none()),
                        TestContext.first());
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource({
        "/mnt/file,  FILE,   FINAL,     must be a directory or a block device and is of type FILE",
        "/mnt/none,  ,       TRANSIENT, does not exist on node node-1",
        "/,          ,       FINAL,     root directory",
    })
    void saysWhatIsThereInPlaceOfADirectoryOrDevice(
            String path, FileStatus.Type type, FailureKind kind, String message) {
        if (type != null) {
            machine.put(path, type);
        }

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> mountDevice(spec(path)));

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining(message);
    }

    @Test
    void mapsADeviceAndNothingElseAsARawVolume() {
        machine.put("/dev/sdb", FileStatus.Type.BLOCK_DEVICE);
        machine.put("/mnt/disk", FileStatus.Type.DIRECTORY);

        assertThat(map("/dev/sdb")).isEqualTo("/dev/sdb");
        assertThat(catchThrowableOfType(VolumeException.class, () -> map("/mnt/disk")))
                .hasMessageContaining("must be a block device for volumeMode Block");
    }

    @Test
    void belongsToPersistentVolumesOnly() {
        assertThatThrownBy(() -> plugin.volumeName(Given.inline(new LocalSource("/mnt/disk", ""))))
                .hasMessageContaining("must be a PersistentVolume");
        assertThatThrownBy(() -> plugin.volumeName(spec("mnt/../disk"))).isInstanceOf(VolumeException.class);
        assertThat(plugin.volumeName(spec("/mnt/disk"))).isEqualTo("pv-1");
    }

    private void mountDevice(VolumeSpec spec) {
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec,
                                ID,
                                "",
                                Map.of(),
                                Given.DEVICE_TARGET,
                                null,
                                new FakeLedger(machine.effects),
                                PluginState.none()),
                        TestContext.first());
    }

    private void unmountDevice() {
        plugin.deviceUnmounter(ID)
                .orElseThrow()
                .unmountDevice(
                        new DeviceUnmountRequest(ID, "", Given.DEVICE_TARGET, PluginState.none()), TestContext.first());
    }

    private String map(String path) {
        VolumeSpec spec = Given.volume(new LocalSource(path, ""), VolumeMode.BLOCK);
        return plugin.blockMapper(spec)
                .orElseThrow()
                .mapDevice(
                        new MapDeviceRequest(spec, ID, "", Map.of(), Given.DEVICE_TARGET, PluginState.none()),
                        TestContext.first())
                .devicePath();
    }

    private static VolumeSpec spec(String path) {
        return Given.volume(new LocalSource(path, "xfs"), VolumeMode.FILESYSTEM);
    }
}
