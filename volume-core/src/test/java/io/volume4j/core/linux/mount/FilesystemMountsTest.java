package io.volume4j.core.linux.mount;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class FilesystemMountsTest {
    private final Kernel kernel;
    private final Machine machine;

    FilesystemMountsTest(Kernel kernel) {
        this.kernel = kernel;
        machine = new Machine(kernel);
        machine.directory("target");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void mountsWithFlagsAndTheFilesystemsOwnOptions() {
        mount("tmpfs", "scratch", false, "nosuid,nodev", "size=64k", "mode=0711");
        MountEntry there = there();
        assertThat(there.fsType()).isEqualTo("tmpfs");
        assertThat(there.source()).isEqualTo("scratch");
        assertThat(there.options()).contains("rw", "nosuid", "nodev");
        assertThat(there.superOptions()).contains("size=64k", "mode=711");
    }

    @Test
    void readOnlyIsReadOnlyFromTheStart() {
        mount("tmpfs", "scratch", true);
        assertThat(there().options()).contains("ro");
        assertThat(there().superOptions()).contains("ro");
    }

    @Test
    void aReconfiguredFilesystemShowsItsNewOptionsAndKeepsTheFlagsOfItsMount() {
        mount("tmpfs", "scratch", false, "nosuid,nodev", "size=64k");
        assertThat(there().superOptions()).contains("size=64k");

        reconfigure("scratch", "size=128k");

        assertThat(there().superOptions()).contains("size=128k").doesNotContain("size=64k");
        assertThat(there().options()).contains("rw", "nosuid", "nodev");
        assertThat(Refusal.of(FINAL, () -> reconfigure("scratch", "nosuchoption=1")))
                .hasMessageContaining("target");
        assertThat(Refusal.of(FINAL, () -> reconfigure("other", "size=64k")))
                .hasMessageContaining("something else is mounted there: tmpfs from scratch");
        assertThat(there().superOptions()).contains("size=128k");
    }

    private void reconfigure(String source, String... options) {
        machine.filesystems.reconfigure(
                new FilesystemMount("tmpfs", source, false, List.of(options)), machine.at("target"));
    }

    @Test
    void theSameMountedThereAlreadyIsSuccess() {
        mount("tmpfs", "scratch", false, "size=64k");
        mount("tmpfs", "scratch", false, "size=64k");
        assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
        assertThat(Refusal.of(FINAL, () -> mount("tmpfs", "scratch", true))).hasMessageContaining("but read-write");
        assertThat(Refusal.of(FINAL, () -> mount("tmpfs", "other", false)))
                .hasMessageContaining("something else is mounted there: tmpfs from scratch");
        assertThat(Refusal.of(FINAL, () -> mount("proc", "scratch", false))).hasMessageContaining("something else");
    }

    @Test
    void aFilesystemThatTheKernelDoesNotKnowIsNamed() {
        assertThat(Refusal.of(FINAL, () -> mount("nosuchfs", "x", false)))
                .hasMessageContaining("does not know the filesystem nosuchfs (ENODEV)");
    }

    @Test
    void whatTheKernelDislikesIsSaidInItsWords() {
        var refusal = Refusal.of(FINAL, () -> mount("tmpfs", "scratch", false, "nosuchoption=1"));
        assertThat(refusal).hasMessageContaining("mount").hasMessageContaining("EINVAL");
        if (kernel.features().mountApi()) {
            assertThat(refusal).hasMessageContaining("the kernel says \"tmpfs: Unknown parameter 'nosuchoption'\"");
        }
        assertThat(machine.table.read().at(machine.path("target"))).isEmpty();
    }

    @Test
    void aMissingDeviceMayCome() {
        assertThat(Refusal.of(TRANSIENT, () -> mount("ext4", "/dev/no-such-device", false)))
                .hasMessageContaining("/dev/no-such-device")
                .hasMessageContaining("ENOENT");
    }

    /** The kernel replays the journal also for a read-only mount, and cannot on such a device. */
    @Test
    void aProtectedDeviceWithAJournalToReplayIsRefusedWithTheWaysOut() {
        machine.files.createSparseFile(machine.at("image"), 16 << 20, 0600);
        String image = machine.path("image").toString();
        Machine.run("mkfs.ext4", "-q", image);
        mount("ext4", machine.loops.attach(machine.at("image"), false).toString(), false);
        Machine.run("sync", "-f", machine.path("target").toString());
        Machine.run("cp", image, machine.path("copy").toString());
        Machine.run("umount", machine.path("target").toString());
        String copy = machine.loops.attach(machine.at("copy"), true).toString();

        VolumeException refused = Refusal.of(FINAL, () -> mount("ext4", copy, true));

        assertThat(refused).hasMessageContaining("EROFS");
        assertThat(refused.advice()).contains("mount option noload");
        mount("ext4", copy, true, "noload");
        assertThat(there().options()).contains("ro");
    }

    @Test
    void aFileIsNoDevice() {
        var file = machine.file("image", "x");
        assertThat(Refusal.of(FINAL, () -> mount("ext4", file.toString(), false)))
                .hasMessageContaining("ENOTBLK");
    }

    @Test
    void aLinkOnTheWayIsRefused() {
        machine.directory("elsewhere");
        machine.link("trap", "elsewhere");
        assertThat(Refusal.of(
                        FINAL,
                        () -> machine.filesystems.mount(
                                new FilesystemMount("tmpfs", "t", false, List.of()), machine.at("trap"))))
                .hasMessageContaining("ELOOP");
    }

    @Test
    void optionsThatWouldNotFitAreRefusedBeforeTheyAreCut() {
        String[] options = new String[500];
        Arrays.fill(options, "size=1000000");
        assertThat(Refusal.of(FINAL, () -> mount("tmpfs", "t", false, options))).hasMessageContaining("4095");
    }

    private void mount(String type, String source, boolean readOnly, String... options) {
        machine.filesystems.mount(new FilesystemMount(type, source, readOnly, List.of(options)), machine.at("target"));
    }

    private MountEntry there() {
        return machine.table.read().at(machine.path("target")).orElseThrow();
    }
}
