package io.volume4j.inmemory.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the in-memory machine can do that the contract does not ask of every backend. */
class InMemoryMountBackendTest {
    private static final Path ROOT = Path.of("/root");
    private static final Path DISK = Path.of("/dev/vdb");
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    private final ManualCallContext context = new ManualCallContext();
    private InMemoryMountBackend machine = InMemoryMountBackend.create();

    @BeforeEach
    void makeRoot() {
        machine.files().createRoot(ROOT);
        machine.addDisk(DISK, "serial-1", 1 << 30);
    }

    @Test
    void aRebootTakesMountsAndLoopDevicesAndTmpfsAndLeavesFilesOnDisks() {
        RootedPath image = path("image");
        machine.files().createSparseFile(image, 1 << 24, 0600);
        Path loop = machine.loops().attach(image, false);
        format(loop);
        RootedPath onDisk = mounted("ext4", loop.toString(), "disk");
        RootedPath inMemory = mounted("tmpfs", "t", "memory");
        machine.user().write(onDisk.absolute().resolve("f"), HELLO);
        machine.user().write(inMemory.absolute().resolve("f"), HELLO);
        String before = machine.bootId();

        machine.reboot();

        assertThat(machine.bootId()).isNotEqualTo(before);
        assertThat(machine.table().below(ROOT)).isEmpty();
        assertThat(machine.loops().below(ROOT)).isEmpty();
        assertThat(machine.user().exists(loop)).isFalse();
        assertThat(machine.user().list(inMemory.absolute())).isEmpty();
        assertThat(machine.devices().identify(DISK).serial()).isEqualTo("serial-1");
        RootedPath again = mounted("ext4", machine.loops().attach(image, false).toString(), "disk");
        assertThat(machine.user().read(again.absolute().resolve("f"))).isEqualTo(HELLO);
    }

    @Test
    void aQuotaHoldsAllThatIsMadeInADirectoryToItsLimit() {
        machine = InMemoryMountBackend.builder().projectQuotas().build();
        machine.files().createRoot(ROOT);
        RootedPath directory = path("held");
        machine.files().createDirectory(directory, 0777);
        assertThat(machine.files().setQuota(directory, 2L * HELLO.length)).isTrue();
        Path inner = directory.absolute().resolve("inner");
        machine.user().makeDirectory(inner);
        machine.user().write(inner.resolve("one"), HELLO);
        machine.user().write(directory.absolute().resolve("two"), HELLO);

        assertThatThrownBy(() -> machine.user().write(inner.resolve("three"), HELLO))
                .hasMessageContaining("EDQUOT");
        machine.user().write(inner.resolve("one"), HELLO);
        assertThat(machine.files().setQuota(path("held/inner"), 1)).isFalse();

        assertThat(machine.files().setQuota(directory, 3L * HELLO.length)).isTrue();
        machine.user().write(inner.resolve("three"), HELLO);
        machine.files().removeQuota(directory);
        machine.user().write(inner.resolve("four"), HELLO);
    }

    @Test
    void aQuotaWhoseDirectoryWasRemovedIsALeak() {
        machine = InMemoryMountBackend.builder().projectQuotas().build();
        machine.files().createRoot(ROOT);
        machine.files().createDirectory(path("held"), 0777);
        machine.files().setQuota(path("held"), 1);

        machine.files().removeDirectory(path("held"));

        assertThat(machine.leaks(ROOT)).containsExactly("quota of /root/held");
    }

    @Test
    void aPowerCutTakesWhatWasNotSyncedAsWell() {
        format(DISK);
        RootedPath target = mounted("ext4", DISK.toString(), "disk");
        Path file = target.absolute().resolve("f");
        machine.user().write(file, HELLO);
        machine.user().sync();
        machine.user().write(file, "lost".getBytes(StandardCharsets.UTF_8));
        machine.files().writeAtomically(path("durable"), HELLO, 0600);
        machine.user().write(ROOT.resolve("durable"), "lost".getBytes(StandardCharsets.UTF_8));

        machine.losePower();

        mounted("ext4", DISK.toString(), "disk");
        assertThat(machine.user().read(file)).isEqualTo(HELLO);
        assertThat(machine.files().read(path("durable"), 100)).contains(HELLO);
    }

    @Test
    void unmountingMakesWhatWasWrittenDurable() {
        format(DISK);
        RootedPath target = mounted("ext4", DISK.toString(), "disk");
        machine.user().write(target.absolute().resolve("f"), HELLO);
        machine.unmount(target, UnmountMode.NORMAL);

        machine.losePower();

        mounted("ext4", DISK.toString(), "disk");
        assertThat(machine.user().read(target.absolute().resolve("f"))).isEqualTo(HELLO);
    }

    @Test
    void anInterruptedFormatLeavesADeviceThatIsNeitherBlankNorAFilesystemAndMayBeFormattedAgain() {
        machine.faults().add(Fault.on("format").as(FaultKind.PARTIAL));

        assertThat(failure(() -> format(DISK)).kind()).isEqualTo(FailureKind.UNCERTAIN);

        assertThat(machine.devices().probe(DISK).kind()).isEqualTo(DeviceContent.Kind.FOREIGN);
        machine.reboot();
        assertThat(machine.devices().probe(DISK).kind()).isEqualTo(DeviceContent.Kind.FOREIGN);
        format(DISK);
        assertThat(machine.devices().probe(DISK).type()).isEqualTo("ext4");
        assertThat(machine.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"filesystem", "partitions", "hidden", "unreadable"})
    void formattingWhatMayHoldDataIsAViolation(String content) {
        switch (content) {
            case "filesystem" -> machine.putFilesystem(DISK, "xfs");
            case "partitions" -> machine.putForeign(DISK, "gpt");
            case "hidden" -> machine.putHidden(DISK);
            default -> machine.setUnreadable(DISK, true);
        }

        format(DISK);

        assertThat(machine.violations()).extracting(Violation::rule).containsExactly("S6");
    }

    @Test
    void aDeviceThatCannotBeReadAnyMoreOnceItWasFoundBlankIsNotFormatted() {
        machine.devices().probe(DISK, Long.MAX_VALUE, context);
        machine.setUnreadable(DISK, true);

        assertThat(failure(() -> format(DISK)).kind()).isEqualTo(FailureKind.TRANSIENT);

        assertThat(machine.violations()).isEmpty();
        machine.setUnreadable(DISK, false);
        assertThat(machine.devices().probe(DISK, Long.MAX_VALUE, context).kind())
                .isEqualTo(DeviceContent.Kind.BLANK);
    }

    @Test
    void onlyReadingAllOfADiskTellsWhetherDataLiesBetweenTheMarks() {
        Path large = Path.of("/dev/large");
        machine.addDisk(large, "serial-large", 1L << 30);
        for (boolean hidden : new boolean[] {false, true}) {
            if (hidden) {
                machine.putHidden(large);
            }
            assertThat(machine.devices().probe(large).kind()).isEqualTo(DeviceContent.Kind.UNPROVED);
            assertThat(machine.devices().probe(large, (1L << 30) - 1, context).kind())
                    .isEqualTo(DeviceContent.Kind.UNPROVED);
            assertThat(machine.devices().probe(large, 1L << 30, context).kind())
                    .isEqualTo(hidden ? DeviceContent.Kind.FOREIGN : DeviceContent.Kind.BLANK);
        }
    }

    @Test
    void anUnreadableDeviceIsNotBlankAndCannotBeMounted() {
        format(DISK);
        machine.setUnreadable(DISK, true);

        assertThat(failure(() -> machine.devices().probe(DISK)).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure(() -> mounted("ext4", DISK.toString(), "disk"))).hasMessageContaining("EIO");
        machine.setUnreadable(DISK, false);
        assertThat(machine.devices().probe(DISK).kind()).isEqualTo(DeviceContent.Kind.FILESYSTEM);
    }

    @Test
    void aDamagedFilesystemFailsItsCheck() {
        format(DISK);
        machine.setDamaged(DISK, true);
        assertThat(failure(() -> machine.devices().check(DISK, "ext4", context)).kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @Test
    void aDiskThatIsUnpluggedIsNoLongerFound() {
        machine.removeDisk(DISK);
        assertThat(failure(() -> machine.devices().identify(DISK)).kind()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void withoutTheRightToMountNothingIsMountedAndTheReasonIsTold() {
        machine = InMemoryMountBackend.builder().mayNotMount("run as root").build();
        machine.files().createRoot(ROOT);
        machine.files().createSparseFile(path("image"), 1 << 24, 0600);

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> mounted("tmpfs", "t", "a"),
                () -> machine.bind(ROOT, directory("b"), BindOptions.readWrite()),
                () -> machine.loops().attach(path("image"), false))) {
            VolumeException refused = failure(call);
            assertThat(refused.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(refused).hasMessageContaining("EPERM");
            assertThat(refused.advice()).isEqualTo("run as root");
        }
        assertThat(machine.abilities().mayMount()).isFalse();
        assertThat(machine.table().below(ROOT)).isEmpty();
    }

    @Test
    void missingFilesystemsAndToolsAreMissing() {
        machine = InMemoryMountBackend.builder()
                .filesystems("tmpfs")
                .formats("xfs")
                .build();
        machine.files().createRoot(ROOT);
        machine.addDisk(DISK, "serial-1", 1 << 30);

        assertThat(failure(() -> format(DISK))).hasMessageContaining("mkfs.ext4");
        assertThat(failure(() -> mounted("ext4", DISK.toString(), "a"))).hasMessageContaining("ENODEV");
        assertThat(machine.abilities().filesystems()).containsExactly("tmpfs");
    }

    @Test
    void whatIsHeldOpenIsBusyAndALazyUnmountOnlyHidesIt() {
        format(DISK);
        RootedPath target = mounted("ext4", DISK.toString(), "disk");
        UserFiles.Hold hold = machine.user().hold(target.absolute());

        assertThat(failure(() -> machine.unmount(target, UnmountMode.NORMAL)).kind())
                .isEqualTo(FailureKind.IN_USE);
        machine.unmount(target, UnmountMode.LAZY);
        assertThat(machine.table().below(ROOT)).isEmpty();
        assertThat(failure(() -> format(DISK)))
                .as("the filesystem is in use until the last file is closed")
                .hasMessageContaining("EBUSY");

        hold.close();
        hold.close();
        machine.devices().check(DISK, "ext4", context);
    }

    @Test
    void stackedMountsGoOneByOneFromTheTop() {
        RootedPath target = mounted("tmpfs", "ours", "a");
        machine.mountForeign(new FilesystemMount("tmpfs", "theirs", false, List.of()), target.absolute());
        assertThat(machine.table().at(target.absolute()))
                .get()
                .extracting(MountEntry::source)
                .isEqualTo("theirs");
        assertThat(machine.table().below(target.absolute()))
                .extracting(MountEntry::source)
                .containsExactly("ours", "theirs");

        machine.unmountForeign(target.absolute());

        assertThat(machine.table().at(target.absolute()))
                .get()
                .extracting(MountEntry::source)
                .isEqualTo("ours");
    }

    @Test
    void unmountingAForeignMountIsAViolation() {
        RootedPath target = mounted("tmpfs", "ours", "a");
        machine.mountForeign(new FilesystemMount("tmpfs", "theirs", false, List.of()), target.absolute());

        machine.unmount(target, UnmountMode.NORMAL);

        assertThat(machine.violations()).extracting(Violation::rule).containsExactly("S8");
    }

    @Test
    void aMountHidesWhatWasThereUntilItGoes() {
        RootedPath target = directory("a");
        machine.user().write(target.absolute().resolve("below"), HELLO);
        mounted("tmpfs", "t", "a");
        assertThat(machine.user().list(target.absolute())).isEmpty();

        machine.unmount(target, UnmountMode.NORMAL);

        assertThat(machine.user().list(target.absolute())).containsExactly("below");
    }

    @Test
    void oneReadingOfTheTableCanMissAMountAsOldKernelsDo() {
        RootedPath target = mounted("tmpfs", "t", "a");
        machine.omitFromNextTable(target.absolute());

        assertThat(machine.table().at(target.absolute())).isEmpty();
        assertThat(machine.table().at(target.absolute())).isPresent();
    }

    @Test
    void everyCallCanBeMadeToFail() {
        machine.faults().add(Fault.on("table").times(2));
        machine.faults().add(Fault.on("unmount").of("/root/a").as(FaultKind.UNCERTAIN_AFTER));
        machine.faults().add(Fault.on("createDirectory").nth(2).as(FaultKind.EXHAUSTED));
        RootedPath target = mounted("tmpfs", "t", "a");

        assertThat(failure(machine::table).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure(machine::table).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure(() -> machine.unmount(target, UnmountMode.NORMAL)).kind())
                .isEqualTo(FailureKind.UNCERTAIN);
        assertThat(machine.table().below(ROOT)).isEmpty();
        assertThat(failure(() -> directory("b")).kind()).isEqualTo(FailureKind.EXHAUSTED);
    }

    @Test
    void aFullDiskTakesNoMoreAndSparseFilesTakeNoRoom() {
        machine = InMemoryMountBackend.builder().diskBytes(10).build();
        machine.files().createRoot(ROOT);
        machine.files().createSparseFile(path("sparse"), 1 << 30, 0600);
        machine.files().writeAtomically(path("a"), new byte[8], 0600);

        assertThat(failure(() -> machine.files().writeAtomically(path("b"), new byte[8], 0600))
                        .kind())
                .isEqualTo(FailureKind.EXHAUSTED);
        assertThat(machine.files().status(path("b"))).isEmpty();
    }

    @Test
    void aNetworkFilesystemIsWhereItsServerExportsIt() {
        machine = InMemoryMountBackend.builder().filesystems("nfs4", "tmpfs").build();
        machine.files().createRoot(ROOT);
        assertThat(failure(() -> mounted("nfs4", "server:/a", "x")).kind()).isEqualTo(FailureKind.TRANSIENT);

        machine.export("nfs4", "server:/a");
        RootedPath first = mounted("nfs4", "server:/a", "x");
        machine.user().write(first.absolute().resolve("f"), HELLO);
        RootedPath second = mounted("nfs4", "server:/a", "y");

        assertThat(machine.user().read(second.absolute().resolve("f"))).isEqualTo(HELLO);
    }

    @Test
    void leaksAreMountsLoopDevicesAndNamesBelowThePath() {
        assertThat(machine.leaks(ROOT)).isEmpty();
        machine.files().createSparseFile(path("image"), 1 << 24, 0600);
        machine.loops().attach(path("image"), false);
        mounted("tmpfs", "t", "a");

        assertThat(machine.leaks(ROOT))
                .containsExactly(
                        "directory /root/a",
                        "file /root/image",
                        "loop device /dev/loop0 of /root/image",
                        "mount /root/a of tmpfs t");
        assertThat(machine.leaks(Path.of("/elsewhere"))).isEmpty();
    }

    @Test
    void propagationIsKeptAsData() {
        RootedPath target = directory("a");
        machine.bind(ROOT, target, new BindOptions(false, false, BindOptions.Propagation.SLAVE));
        assertThat(machine.propagation(target.absolute())).isEqualTo(BindOptions.Propagation.SLAVE);
    }

    @Test
    void aRootThatIsReachedThroughALinkIsKnownByItsRealName() {
        machine.user().link(Path.of("/link"), "/root");
        RootedPath target = RootedPath.of(Path.of("/link"), "a");
        machine.files().createDirectory(target, 0700);
        machine.mount(new FilesystemMount("tmpfs", "t", false, List.of()), target);
        machine.mount(new FilesystemMount("tmpfs", "t", false, List.of()), target);

        assertThat(machine.table().at(ROOT.resolve("a"))).isPresent();
        assertThat(machine.table().below(ROOT)).hasSize(1);
    }

    @Test
    void anInterruptedRemovalOfATreeLeavesTheRest() {
        machine.files().createDirectory(path("tree/a/b"), 0700);
        machine.files().createDirectory(path("tree/c"), 0700);
        machine.faults().add(Fault.on("removeTree").as(FaultKind.PARTIAL));

        assertThat(failure(() -> machine.files().removeTree(path("tree"), context))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);
        assertThat(machine.leaks(ROOT))
                .containsExactly("directory /root/tree", "directory /root/tree/a", "directory /root/tree/c");

        machine.files().removeTree(path("tree"), context);
        assertThat(machine.leaks(ROOT)).isEmpty();
    }

    @Test
    void callsFromSeveralThreadsLeaveNoHalfDoneState() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String name = "t" + t;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 200; i++) {
                        RootedPath target = mounted("tmpfs", name, name);
                        assertThat(machine.table().at(target.absolute())).isPresent();
                        machine.unmount(target, UnmountMode.NORMAL);
                        machine.files().removeDirectory(target);
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(machine.leaks(ROOT)).isEmpty();
    }

    @Test
    void linksThatGoInCirclesEnd() {
        machine.user().link(ROOT.resolve("a"), "/root/b");
        machine.user().link(ROOT.resolve("b"), "/root/a");

        assertThatThrownBy(() -> machine.user().read(ROOT.resolve("a"))).hasMessageContaining("ELOOP");
    }

    @Test
    void aRemovedFileStaysBehindItsLoopDevice() {
        RootedPath image = path("image");
        machine.files().createSparseFile(image, 1 << 24, 0600);
        Path loop = machine.loops().attach(image, false);
        machine.files().removeFile(image);

        assertThat(machine.loops().find(image)).isEmpty();
        assertThat(machine.loops().below(ROOT)).hasSize(1);
        assertThat(machine.devices().identify(loop).bytes()).isEqualTo(1 << 24);
    }

    @Test
    void aDeviceThatBecameAnotherIsNotFormatted() {
        DeviceIdentity before = machine.devices().identify(DISK);
        machine.removeDisk(DISK);
        machine.addDisk(DISK, "serial-2", 1 << 30);
        machine.putForeign(DISK, "gpt");

        assertThat(failure(() -> machine.devices().format(DISK, before, "ext4", List.of(), context))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(machine.violations()).isEmpty();
        assertThat(machine.devices().probe(DISK).type()).isEqualTo("gpt");
    }

    private void format(Path device) {
        machine.devices().format(device, machine.devices().identify(device), "ext4", List.of(), context);
    }

    private RootedPath path(String relative) {
        return RootedPath.of(ROOT, relative);
    }

    private RootedPath directory(String relative) {
        machine.files().createDirectory(path(relative), 0755);
        return path(relative);
    }

    private RootedPath mounted(String fsType, String source, String relative) {
        RootedPath target = directory(relative);
        machine.mount(new FilesystemMount(fsType, source, false, List.of()), target);
        return target;
    }

    private static VolumeException failure(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }
}
