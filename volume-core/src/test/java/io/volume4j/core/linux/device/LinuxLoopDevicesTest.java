package io.volume4j.core.linux.device;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.IN_USE;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static io.volume4j.spi.FailureKind.UNCERTAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class LinuxLoopDevicesTest {
    private static final long MIB = 1 << 20;

    private final Machine machine;
    private final LinuxLoopDevices loops;

    LinuxLoopDevicesTest(Kernel kernel) {
        machine = new Machine(kernel);
        loops = machine.loops;
    }

    @BeforeEach
    void makeFile() {
        machine.files.createSparseFile(machine.at("f"), 4 * MIB, 0600);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void aFileBecomesABlockDeviceOfItsSize() throws IOException {
        Path device = loops.attach(machine.at("f"), false);
        assertThat(device.toString()).startsWith("/dev/loop");
        assertThat(machine.devices.identify(device).bytes()).isEqualTo(4 * MIB);
        assertThat(loops.find(machine.at("f"))).contains(device);
        machine.write("f", 0, new byte[] {42});
        try (InputStream in = Files.newInputStream(device)) {
            assertThat(in.read()).isEqualTo(42);
        }
    }

    @Test
    void aFileNeverGetsASecondDevice() {
        Path device = loops.attach(machine.at("f"), false);
        assertThat(loops.attach(machine.at("f"), false)).isEqualTo(device);
        machine.directory("d");
        Machine.run(
                "ln", machine.path("f").toString(), machine.path("d/hardlink").toString());
        assertThat(loops.attach(machine.at("d/hardlink"), false)).isEqualTo(device);
        assertThat(loops.below(machine.root)).hasSize(1);
    }

    @Test
    void aDeviceOfTheOtherModeIsNotTakenForTheRightOne() {
        loops.attach(machine.at("f"), true);
        assertThat(Refusal.of(FINAL, () -> loops.attach(machine.at("f"), false)))
                .hasMessageContaining("already, but read-only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--offset", "--sizelimit"})
    void aDeviceOfAPartOfTheFileIsNotTakenForItsDevice(String part) {
        Machine.run("losetup", part, "1MiB", "-f", machine.path("f").toString());
        assertThat(Refusal.of(FINAL, () -> loops.attach(machine.at("f"), false)))
                .hasMessageContaining("already, but shows only a part of it");
        assertThat(loops.below(machine.root)).hasSize(1);
    }

    /** As if another program had taken devices with lower numbers for a look at the file. */
    @Test
    void ofSeveralDevicesTheOneOfTheWholeFileThatCanBeWrittenIsTaken() {
        Machine.run("losetup", "-o", "1MiB", "-f", machine.path("f").toString());
        Machine.run("losetup", "-r", "-f", machine.path("f").toString());
        Path own =
                Path.of(Machine.run("losetup", "--show", "-f", machine.path("f").toString())
                        .strip());
        assertThat(loops.find(machine.at("f"))).contains(own);
        assertThat(loops.attach(machine.at("f"), false)).isEqualTo(own);
        machine.files.growFile(machine.at("f"), 8 * MIB);
        loops.refreshSize(machine.at("f"));
        assertThat(machine.devices.identify(own).bytes()).isEqualTo(8 * MIB);
        loops.detach(machine.at("f"));
        assertThat(loops.below(machine.root)).isEmpty();
    }

    @Test
    void aReadOnlyDeviceRefusesWrites() {
        Path device = loops.attach(machine.at("f"), true);
        assertThat(machine.read("f").length()).isEqualTo(4 * MIB);
        assertThatThrownBy(() -> Files.write(device, new byte[512])).isInstanceOf(IOException.class);
    }

    @Test
    void detachedItIsGoneAndDetachedAgainIsSuccess() {
        loops.attach(machine.at("f"), false);
        loops.detach(machine.at("f"));
        assertThat(loops.find(machine.at("f"))).isEmpty();
        assertThat(loops.below(machine.root)).isEmpty();
        loops.detach(machine.at("f"));
        loops.detach(machine.at("missing"));
    }

    /** As in a container, which has the device nodes of the time of its start. */
    @Test
    void aForeignDeviceWithoutANodeHidesNoOther() throws IOException {
        machine.files.createSparseFile(machine.at("foreign"), 4 * MIB, 0600);
        Path foreign = loops.attach(machine.at("foreign"), false);
        Path device = loops.attach(machine.at("f"), false);
        machine.files.createSparseFile(machine.at("later"), 4 * MIB, 0600);
        Path aside = Files.move(foreign, foreign.resolveSibling(foreign.getFileName() + "-of-a-test"));
        try {
            assertThat(loops.find(machine.at("f"))).contains(device);
            assertThat(loops.attach(machine.at("f"), false)).isEqualTo(device);
            loops.attach(machine.at("later"), false);
            loops.detach(machine.at("later"));
            // Its own device is not taken for absent.
            assertThat(Refusal.of(TRANSIENT, () -> loops.find(machine.at("foreign"))))
                    .hasMessageContaining("there is no such device node");
            assertThat(Refusal.of(TRANSIENT, () -> loops.detach(machine.at("foreign"))))
                    .hasMessageContaining("there is no such device node");
        } finally {
            Files.move(aside, foreign);
        }
        assertThat(loops.find(machine.at("foreign"))).contains(foreign);
    }

    @Test
    void aForeignDeviceOfTheSameFileWithoutANodeHidesNotItsOwn() throws IOException {
        Path own = loops.attach(machine.at("f"), false);
        Path foreign =
                Path.of(Machine.run("losetup", "--show", "-f", machine.path("f").toString())
                        .strip());
        Path aside = Files.move(foreign, foreign.resolveSibling(foreign.getFileName() + "-of-a-test"));
        try {
            assertThat(loops.find(machine.at("f"))).contains(own);
            assertThat(loops.attach(machine.at("f"), false)).isEqualTo(own);
            machine.files.growFile(machine.at("f"), 8 * MIB);
            loops.refreshSize(machine.at("f"));
            assertThat(machine.devices.identify(own).bytes()).isEqualTo(8 * MIB);
            assertThat(Refusal.of(TRANSIENT, () -> loops.detach(machine.at("f"))))
                    .as("the file has a device still")
                    .hasMessageContaining("there is no such device node");
        } finally {
            Files.move(aside, foreign);
        }
        loops.detach(machine.at("f"));
        assertThat(loops.below(machine.root)).isEmpty();
    }

    @Test
    void aMountedDeviceIsBusyAndStaysAsItIs() {
        Path device = loops.attach(machine.at("f"), false);
        Machine.run("mkfs.ext4", "-q", device.toString());
        machine.directory("m");
        Machine.run("mount", device.toString(), machine.path("m").toString());
        assertThat(Refusal.of(IN_USE, () -> loops.detach(machine.at("f")))).hasMessageContaining("EBUSY");
        Machine.run("umount", machine.path("m").toString());
        // Had the request been accepted lazily, the device would have gone with the mount.
        assertThat(loops.find(machine.at("f"))).contains(device);
        loops.detach(machine.at("f"));
        assertThat(loops.find(machine.at("f"))).isEmpty();
    }

    @Test
    void anOpenDeviceIsNeitherReportedGoneNorKept() throws IOException {
        Path device = loops.attach(machine.at("f"), false);
        try (InputStream user = Files.newInputStream(device)) {
            assertThat(user.read()).isZero();
            // The kernel has accepted it, so the device may go at any moment.
            assertThat(Refusal.of(UNCERTAIN, () -> loops.detach(machine.at("f"))))
                    .hasMessageContaining("another process has it open");
        }
        loops.detach(machine.at("f"));
        assertThat(loops.below(machine.root)).isEmpty();
    }

    @Test
    void aDeviceThatGoesWhenItIsClosedIsAttachedToNothingAnyMore() throws IOException {
        Path device = loops.attach(machine.at("f"), false);
        try (InputStream user = Files.newInputStream(device)) {
            assertThat(user.read()).isZero();
            Refusal.of(UNCERTAIN, () -> loops.detach(machine.at("f")));
            assertThat(Refusal.of(TRANSIENT, () -> loops.attach(machine.at("f"), false)))
                    .hasMessageContaining(device + " is set up for it already, but the kernel detaches it");
            assertThat(loops.find(machine.at("f"))).contains(device);
        }
        loops.attach(machine.at("f"), false);
        assertThat(loops.below(machine.root)).hasSize(1);
    }

    @Test
    void theDeviceOfADeletedFileIsFoundAndTakenDown() throws IOException {
        Path device = loops.attach(machine.at("f"), false);
        Files.delete(machine.path("f"));
        assertThat(loops.find(machine.at("f"))).contains(device);
        assertThat(loops.below(machine.root)).containsExactly(new LoopDevice(device, machine.path("f")));
        loops.detach(machine.at("f"));
        assertThat(loops.below(machine.root)).isEmpty();
    }

    @Test
    void aNewFileOfTheSameNameDoesNotInheritTheDevice() throws IOException {
        Path device = loops.attach(machine.at("f"), false);
        Files.delete(machine.path("f"));
        machine.files.createSparseFile(machine.at("f"), 4 * MIB, 0600);
        assertThat(loops.find(machine.at("f"))).isEmpty();
        loops.detach(machine.at("f"));
        assertThat(loops.below(machine.root)).containsExactly(new LoopDevice(device, machine.path("f")));
        assertThat(loops.attach(machine.at("f"), false)).isNotEqualTo(device);
    }

    @Test
    void aFileWhoseNameEndsLikeADeletedOnesIsNotTakenForOne() {
        machine.files.createSparseFile(machine.at("g (deleted)"), MIB, 0600);
        Path device = loops.attach(machine.at("g (deleted)"), false);
        assertThat(loops.find(machine.at("g"))).isEmpty();
        loops.detach(machine.at("g"));
        assertThat(loops.below(machine.root)).containsExactly(new LoopDevice(device, machine.path("g (deleted)")));
    }

    @Test
    void theDeviceGrowsWithItsFile() {
        Path device = loops.attach(machine.at("f"), false);
        machine.files.growFile(machine.at("f"), 8 * MIB);
        assertThat(machine.devices.identify(device).bytes()).isEqualTo(4 * MIB);
        loops.refreshSize(machine.at("f"));
        assertThat(machine.devices.identify(device).bytes()).isEqualTo(8 * MIB);
        loops.detach(machine.at("f"));
        Refusal.of(TRANSIENT, () -> loops.refreshSize(machine.at("f")));
    }

    @Test
    void whatIsNoFileGetsNoDevice() {
        machine.directory("d");
        machine.link("l", "f");
        Refusal.of(FINAL, () -> loops.attach(machine.at("d"), false));
        Refusal.of(FINAL, () -> loops.attach(machine.at("l"), false));
        Refusal.of(TRANSIENT, () -> loops.attach(machine.at("missing"), false));
        assertThat(loops.below(machine.root)).isEmpty();
    }

    @Test
    void manyAtOnceGetOneEach() throws InterruptedException {
        int files = 12;
        Set<Path> devices = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            String name = "many" + i;
            machine.files.createSparseFile(machine.at(name), MIB, 0600);
            threads.add(new Thread(() -> devices.add(loops.attach(machine.at(name), false))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(devices).hasSize(files);
        assertThat(loops.below(machine.root)).hasSize(files);
    }

    @Test
    void oneFileAskedForByManyGetsOneDevice() throws InterruptedException {
        Set<Path> devices = ConcurrentHashMap.newKeySet();
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        AtomicInteger attached = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            threads.add(new Thread(() -> {
                try {
                    devices.add(loops.attach(machine.at("f"), false));
                    attached.incrementAndGet();
                } catch (Throwable e) {
                    refusals.add(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(refusals)
                .hasSize(6 - attached.get())
                .allSatisfy(refusal ->
                        assertThat(refusal).isInstanceOf(VolumeException.class).hasMessageContaining("another call"));
        assertThat(devices).hasSize(1);
        assertThat(loops.below(machine.root)).hasSize(1);
    }
}
