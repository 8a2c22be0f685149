package io.volume4j.core.linux.device;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.INFEASIBLE;
import static io.volume4j.spi.FailureKind.IN_USE;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static io.volume4j.spi.FailureKind.UNCERTAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Capability;
import io.volume4j.core.linux.tool.Tools;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceContent.Kind;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Privileged
class LinuxBlockDevicesTest {
    private static final long MIB = 1 << 20;
    private static final long SIZE = 16 * MIB;

    private final Machine machine = new Machine();
    private final ManualContext context = new ManualContext("devices-test-" + machine.root.getFileName());

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void aLoopDeviceIsKnownByItsFileAndSize() {
        Path device = machine.loop("f", SIZE);
        DeviceIdentity first = machine.devices.identify(device);
        assertThat(first.serial()).startsWith("file:");
        assertThat(first.bytes()).isEqualTo(SIZE);
        machine.loops.detach(machine.at("f"));
        machine.loop("other", SIZE);
        Path again = machine.loops.attach(machine.at("f"), false);
        assertThat(machine.devices.identify(again)).isEqualTo(first);
    }

    @Test
    void aNewFileOfTheSameNameAndSizeIsAnotherDevice() throws IOException {
        DeviceIdentity first = machine.devices.identify(machine.loop("f", SIZE));
        machine.loops.detach(machine.at("f"));
        Files.delete(machine.path("f"));
        assertThat(machine.devices.identify(machine.loop("f", SIZE))).isNotEqualTo(first);
    }

    @Test
    void aDeviceWhoseFileIsGoneCannotBeIdentified() throws IOException {
        Path device = machine.loop("f", SIZE);
        Files.delete(machine.path("f"));
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.identify(device)))
                .hasMessageContaining("identify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext2", "ext3", "ext4"})
    void putsAFilesystemOnTheDevice(String type) {
        Path device = machine.loop("f", SIZE);
        format(device, type);
        assertThat(machine.devices.probe(device).type()).isEqualTo(type);
        assertThat(context.told()).containsExactly("making " + type + " on " + device);
        machine.directory("m");
        machine.filesystems.mount(
                new FilesystemMount(type, device.toString(), false, List.of("noatime")), machine.at("m"));
        machine.file("m/x", "stored");
        // The same device by another name is the same.
        Path alias = machine.link("alias", device.toString());
        machine.filesystems.mount(new FilesystemMount(type, alias.toString(), false, List.of()), machine.at("m"));
        assertThat(machine.table.read().below(machine.path("m"))).hasSize(1);
        Path foreign = machine.loop("g", SIZE);
        assertThat(Refusal.of(
                        FINAL,
                        () -> machine.filesystems.mount(
                                new FilesystemMount(type, foreign.toString(), false, List.of()), machine.at("m"))))
                .hasMessageContaining("something else is mounted there: " + type + " from " + device);
    }

    @Test
    void mayRunTheSameFormatAgainOverAHalfDoneOne() {
        Path device = machine.loop("f", SIZE);
        format(device, "ext4");
        machine.write("f", 1024, new byte[1024]);
        assertThat(machine.devices.probe(device).kind()).isEqualTo(Kind.FOREIGN);
        format(device, "ext4");
        assertThat(machine.devices.probe(device).kind()).isEqualTo(Kind.FILESYSTEM);
    }

    /** mkfs.xfs writes its superblock first, with the byte sb_inprogress, and clears that byte last. */
    @Test
    void anXfsWhoseFormatWasKilledIsNoFilesystemAndMayBeFormattedAgain() {
        Path device = machine.loop("f", 300 * MIB);
        assumeThat(new Tools(LinuxMountBackend.Options.defaults().toolDirectories()).find("mkfs.xfs"))
                .isPresent();
        format(device, "xfs");
        machine.write("f", 126, new byte[] {1});
        machine.directory("m");

        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEmpty();
        });
        FilesystemMount filesystem = new FilesystemMount("xfs", device.toString(), false, List.of());
        assertThatThrownBy(() -> machine.filesystems.mount(filesystem, machine.at("m")))
                .as("the kernel does not mount it")
                .isInstanceOf(VolumeException.class);
        format(device, "xfs");
        machine.filesystems.mount(filesystem, machine.at("m"));
    }

    @Test
    void anotherDeviceThanTheExpectedOneIsNotTouched() {
        Path device = machine.loop("f", SIZE);
        DeviceIdentity expected = machine.devices.identify(device);
        machine.files.growFile(machine.at("f"), 2 * SIZE);
        machine.loops.refreshSize(machine.at("f"));
        assertThat(Refusal.of(FINAL, () -> machine.devices.format(device, expected, "ext4", List.of(), context)))
                .hasMessageContaining("no longer " + expected.serial());
        Path other = machine.loop("g", SIZE);
        Refusal.of(FINAL, () -> machine.devices.format(other, expected, "ext4", List.of(), context));
        assertThat(machine.devices.probe(device).kind()).isEqualTo(Kind.BLANK);
        assertThat(machine.devices.probe(other).kind()).isEqualTo(Kind.BLANK);
    }

    @Test
    void aMountedDeviceIsNotTouched() {
        Path device = machine.loop("f", SIZE);
        format(device, "ext4");
        machine.directory("m");
        Machine.run("mount", device.toString(), machine.path("m").toString());
        machine.file("m/x", "precious");
        assertThat(Refusal.of(IN_USE, () -> format(device, "ext4"))).hasMessageContaining("EBUSY");
        assertThat(machine.read("m/x")).isEqualTo("precious");
    }

    @Test
    void aFilesystemThatNoToolHereCanMakeIsRefused() {
        Path device = machine.loop("f", SIZE);
        assertThat(Refusal.of(FINAL, () -> format(device, "zfs"))).hasMessageContaining("\"zfs\"");
        assertThat(Refusal.of(FINAL, () -> format(device, "../ext4"))).hasMessageContaining("\"../ext4\"");
        LinuxBlockDevices without = devicesWith(List.of(machine.root));
        assertThat(Refusal.of(
                                FINAL,
                                () -> without.format(
                                        device, machine.devices.identify(device), "xfs", List.of(), context))
                        .advice())
                .isEqualTo("install the package xfsprogs");
    }

    @Test
    void whatMkfsRefusesBeforeItWritesIsFinalWithItsWords() {
        Path device = machine.loop("f", SIZE);
        DeviceIdentity identity = machine.devices.identify(device);
        assertThat(Refusal.of(
                        FINAL, () -> machine.devices.format(device, identity, "ext4", List.of("-b", "7"), context)))
                .hasMessageContaining("mkfs.ext4 ended with exit code 1")
                .hasMessageContaining("invalid block size");
    }

    @ParameterizedTest
    @CsvSource({
        // what mkfs does, what is said of it
        "'printf x > \"$last\"; exit 1', ended with exit code 1",
        "'printf x > \"$last\"; exit 0', ended with exit code 0",
        "'exit 0',                       all zero",
    })
    void aFormatThatDidNotEndWellIsUncertain(String script, String said) {
        Path device = machine.loop("f", SIZE);
        DeviceIdentity identity = machine.devices.identify(device);
        LinuxBlockDevices broken = devicesWith(tool("mkfs.ext4", "for last; do :; done; " + script));
        assertThat(Refusal.of(UNCERTAIN, () -> broken.format(device, identity, "ext4", List.of(), context)))
                .hasMessageContaining(said);
    }

    @Test
    void aFormatKilledAtItsDeadlineIsUncertainAndLeavesNoProcess() {
        Path device = machine.loop("f", SIZE);
        DeviceIdentity identity = machine.devices.identify(device);
        LinuxBlockDevices slow = devicesWith(tool("mkfs.ext4", "sleep 300"));
        context.passing(Duration.ofSeconds(20));
        assertThat(Refusal.of(UNCERTAIN, () -> slow.format(device, identity, "ext4", List.of(), context)))
                .hasMessageContaining("killed at its deadline");
        assertThat(machine.processes.ofOperations(context.operationId()::equals))
                .isEmpty();
    }

    @Test
    void mkfsIsGivenTheDeviceThatWasLookedAtAndNotItsName() {
        Path device = machine.loop("f", SIZE);
        Path other = machine.loop("g", SIZE);
        Path name = machine.link("name", device.toString());
        DeviceIdentity identity = machine.devices.identify(name);
        // While mkfs starts, the name comes to mean another device.
        LinuxBlockDevices raced = devicesWith(tool(
                "mkfs.ext4",
                "ln -sfn " + other + " " + name + "; for last; do :; done; exec /usr/sbin/mkfs.ext4 -q -F $last"));
        raced.format(name, identity, "ext4", List.of(), context);
        assertThat(machine.devices.probe(device).type()).isEqualTo("ext4");
        assertThat(machine.devices.probe(other).kind()).isEqualTo(Kind.BLANK);
    }

    @Test
    void repairsWhatIsSafeToRepair() {
        Path device = machine.loop("f", SIZE);
        format(device, "ext4");
        // Mounted and never unmounted, as after a power cut.
        Machine.run("debugfs", "-w", "-R", "ssv state 0", device.toString());
        machine.devices.check(device, "ext4", context);
        assertThat(Machine.run("dumpe2fs", "-h", device.toString())).containsPattern("Filesystem state: +clean");
    }

    @ParameterizedTest
    @CsvSource({
        "0,",
        "1,",
        "2,",
        "3,",
        "4, FINAL",
        "5, FINAL",
        "8, TRANSIENT",
        "16, TRANSIENT",
        "32, TRANSIENT",
        "12, FINAL"
    })
    void theExitCodeOfFsckDecides(int code, @Nullable FailureKind refusal) {
        LinuxBlockDevices devices = devicesWith(tool("fsck.ext4", "echo checked; exit " + code));
        if (refusal == null) {
            devices.check(Path.of("/dev/any"), "ext4", context);
        } else {
            assertThat(Refusal.of(refusal, () -> devices.check(Path.of("/dev/any"), "ext4", context)))
                    .hasMessageContaining("fsck.ext4 ended with exit code " + code + ": checked");
        }
    }

    @Test
    void aCheckThatTakesTooLongIsKilledAndTriedAgain() {
        LinuxBlockDevices devices = devicesWith(tool("fsck.ext4", "sleep 300"));
        context.passing(Duration.ofSeconds(20));
        assertThat(Refusal.of(TRANSIENT, () -> devices.check(Path.of("/dev/any"), "ext4", context)))
                .hasMessageContaining("killed at its deadline");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs", "vfat"})
    void filesystemsThatLookAfterThemselvesAreNotChecked(String type) {
        machine.devices.check(Path.of("/dev/any"), type, context);
        assertThat(context.told()).isEmpty();
    }

    @Test
    void growsWhileMountedAndAgainIsSuccess() {
        Path device = machine.loop("f", SIZE);
        format(device, "ext4");
        machine.directory("m");
        Machine.run("mount", device.toString(), machine.path("m").toString());
        long before = machine.path("m").toFile().getTotalSpace();
        enlarge();
        if (!Capability.CAP_SYS_RESOURCE.isEffective()) {
            assertThat(Refusal.of(FINAL, () -> machine.devices.grow(device, machine.path("m"), "ext4", context)))
                    .hasMessageContaining("CAP_SYS_RESOURCE");
            return;
        }
        machine.devices.grow(device, machine.path("m"), "ext4", context);
        long grown = machine.path("m").toFile().getTotalSpace();
        assertThat(grown).isGreaterThan(before + 8 * MIB);
        machine.devices.grow(device, machine.path("m"), "ext4", context);
        assertThat(machine.path("m").toFile().getTotalSpace()).isEqualTo(grown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void makesAndGrowsTheOthersWhereTheirToolsAre(String type) {
        // They may lie elsewhere than the system's.
        List<Path> directories = new ArrayList<>(List.of(Path.of(System.getProperty("volume4j.tools", "/usr/sbin"))));
        directories.addAll(LinuxMountBackend.Options.defaults().toolDirectories());
        assumeThat(new Tools(directories).find("mkfs." + type)).isPresent();
        LinuxBlockDevices devices = devicesWith(directories);
        // The smallest that mkfs.xfs takes.
        Path device = machine.loop("f", 300 * MIB);
        devices.format(device, devices.identify(device), type, List.of(), context);
        assertThat(devices.probe(device).type()).isEqualTo(type);
        devices.format(device, devices.identify(device), type, List.of(), context);
        machine.directory("m");
        assertThat(Refusal.of(TRANSIENT, () -> devices.grow(device, machine.path("m"), type, context)))
                .hasMessageContaining("grows only while mounted");
        FilesystemMount filesystem = new FilesystemMount(type, device.toString(), false, List.of());
        machine.filesystems.mount(filesystem, machine.at("m"));
        machine.filesystems.mount(filesystem, machine.at("m"));
        assertThat(machine.table.read().below(machine.path("m"))).hasSize(1);
        long before = machine.path("m").toFile().getTotalSpace();
        machine.files.growFile(machine.at("f"), 400 * MIB);
        machine.loops.refreshSize(machine.at("f"));
        devices.grow(device, machine.path("m"), type, context);
        long grown = machine.path("m").toFile().getTotalSpace();
        assertThat(grown).isGreaterThan(before + 50 * MIB);
        devices.grow(device, machine.path("m"), type, context);
        assertThat(machine.path("m").toFile().getTotalSpace()).isEqualTo(grown);
    }

    @Test
    void growsExtAlsoWhileUnmounted() {
        Path device = machine.loop("f", SIZE);
        format(device, "ext4");
        enlarge();
        machine.directory("m");
        machine.devices.grow(device, machine.path("m"), "ext4", context);
        Machine.run("mount", device.toString(), machine.path("m").toString());
        assertThat(machine.path("m").toFile().getTotalSpace()).isGreaterThan(SIZE);
    }

    @Test
    void whatCannotGrowIsSaid() {
        Path device = machine.loop("f", SIZE);
        machine.directory("m");
        Refusal.of(TRANSIENT, () -> machine.devices.grow(device, machine.path("m"), "xfs", context));
        Refusal.of(INFEASIBLE, () -> machine.devices.grow(device, machine.path("m"), "vfat", context));
    }

    private void format(Path device, String type) {
        machine.devices.format(device, machine.devices.identify(device), type, List.of(), context);
    }

    private void enlarge() {
        machine.files.growFile(machine.at("f"), 2 * SIZE);
        machine.loops.refreshSize(machine.at("f"));
    }

    private LinuxBlockDevices devicesWith(List<Path> directories) {
        return machine.devicesWith(directories);
    }

    /** The tools with one of the tests' own before the system's. */
    private List<Path> tool(String name, String script) {
        Path file = machine.directory("tools").resolve(name);
        try {
            Files.writeString(file, "#!/bin/sh\n" + script + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        List<Path> directories = new ArrayList<>(List.of(machine.path("tools")));
        directories.addAll(LinuxMountBackend.Options.defaults().toolDirectories());
        return directories;
    }
}
