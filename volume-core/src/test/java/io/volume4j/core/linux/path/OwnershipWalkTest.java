package io.volume4j.core.linux.path;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.UNCERTAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class OwnershipWalkTest {
    private static final int GROUP = 4711;
    private static final int NONE = 0;
    /** How the race goes in each is the machine's business; what must hold, holds however it goes. */
    private static final int ROUNDS = 1_000;

    private static final OwnershipChange CHANGE = OwnershipChange.ofFsGroup(GROUP, false);

    private final Machine machine;
    private final ManualContext context = new ManualContext();

    OwnershipWalkTest(Kernel kernel) {
        machine = new Machine(kernel);
        machine.directory("volume");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void givesFilesAndDirectoriesToTheGroupWithTheBitsThatItNeeds() throws IOException {
        machine.directory("volume/d/e");
        machine.file("volume/d/f", "x");
        chmod("volume/d/f", "0604");
        chmod("volume/d", "0701");

        OwnershipReport report = change();

        assertThat(report).isEqualTo(new OwnershipReport(4, 4, 0, ""));
        assertThat(owner("volume")).isEqualTo("4711 42775");
        assertThat(owner("volume/d")).isEqualTo("4711 42771");
        assertThat(owner("volume/d/e")).isEqualTo("4711 42775");
        assertThat(owner("volume/d/f")).isEqualTo("4711 100664");
    }

    @Test
    void aReadOnlyVolumesFilesAreReadableOnly() throws IOException {
        machine.file("volume/f", "x");
        chmod("volume/f", "0600");
        chmod("volume", "0700");

        machine.files.changeOwnership(machine.at("volume"), OwnershipChange.ofFsGroup(GROUP, true), context);

        assertThat(owner("volume")).isEqualTo("4711 42750");
        assertThat(owner("volume/f")).isEqualTo("4711 100640");
    }

    @Test
    void keepsTheBitsThatAChangeOfGroupTakesAway() throws IOException {
        machine.file("volume/f", "x");
        chmod("volume/f", "6755");

        change();

        assertThat(owner("volume/f")).isEqualTo("4711 106775");
    }

    @Test
    void leavesWhatFitsAlone() {
        machine.directory("volume/d");
        machine.file("volume/d/f", "x");
        change();

        assertThat(change()).isEqualTo(new OwnershipReport(3, 0, 0, ""));
    }

    @Test
    void aLinkGetsTheGroupAndIsNotFollowed() throws IOException {
        machine.directory("outside");
        machine.file("outside/f", "x");
        chmod("outside/f", "0600");
        machine.link("volume/file", machine.path("outside/f").toString());
        machine.link("volume/directory", machine.path("outside").toString());
        machine.link("volume/nowhere", "/does/not/exist");

        assertThat(change()).isEqualTo(new OwnershipReport(4, 4, 0, ""));

        assertThat(owner("outside/f")).isEqualTo(NONE + " 100600");
        assertThat(owner("outside")).startsWith(NONE + " ");
        assertThat(Files.getAttribute(machine.path("volume/file"), "unix:gid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(GROUP);
    }

    @Test
    void pipesSocketsAndDevicesAreGivenWithoutBeingOpened() throws IOException {
        Machine.run("mkfifo", "-m", "600", machine.path("volume/pipe").toString());
        Machine.run("mknod", "-m", "600", machine.path("volume/device").toString(), "c", "1", "3");

        // A pipe that is opened for reading waits for its writer.
        change();

        assertThat(owner("volume/pipe")).isEqualTo("4711 10660");
        assertThat(owner("volume/device")).isEqualTo("4711 20660");
    }

    @Test
    void nothingOnAnotherMountIsTouched() throws IOException {
        machine.directory("volume/inner");
        machine.directory("volume/bound");
        machine.file("volume/f", "");
        machine.directory("source");
        machine.file("source/precious", "x");
        Machine.run(
                "mount", "-t", "tmpfs", "inner", machine.path("volume/inner").toString());
        Machine.run(
                "mount",
                "--bind",
                machine.path("source").toString(),
                machine.path("volume/bound").toString());
        Machine.run(
                "mount",
                "--bind",
                machine.path("source/precious").toString(),
                machine.path("volume/f").toString());
        machine.file("volume/inner/f", "x");
        String before = owner("volume/inner");

        change();

        assertThat(owner("volume/inner")).isEqualTo(before);
        assertThat(owner("volume/inner/f")).startsWith(NONE + " ");
        assertThat(owner("source")).startsWith(NONE + " ");
        assertThat(owner("source/precious")).startsWith(NONE + " ");
        assertThat(owner("volume")).startsWith(GROUP + " ");
    }

    @Test
    void changesWhatIsMountedAtThePathAndNotWhatIsBelowTheMount() throws IOException {
        machine.file("volume/hidden", "x");
        Machine.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=0700",
                "v",
                machine.path("volume").toString());
        machine.file("volume/f", "x");

        change();
        assertThat(owner("volume")).isEqualTo("4711 42770");
        assertThat(owner("volume/f")).startsWith(GROUP + " ");
        assertThat(machine.files.owner(machine.at("volume")).orElseThrow().group())
                .isEqualTo(GROUP);

        Machine.run("umount", machine.path("volume").toString());
        assertThat(owner("volume")).startsWith(NONE + " ");
        assertThat(owner("volume/hidden")).startsWith(NONE + " ");
    }

    @Test
    void theTopmostDirectoryIsLastSoThatAnInterruptedWalkIsSeen() throws IOException {
        machine.directory("volume/d");
        machine.file("volume/d/f", "x");
        context.cancel();

        assertThat(Refusal.of(UNCERTAIN, this::change)).hasMessageContaining("was stopped after");

        assertThat(owner("volume")).startsWith(NONE + " ");
    }

    @Test
    void aFileThatMayNotBeChangedIsCountedAndTheOthersAreChanged() throws IOException {
        // ext4 knows immutable files, which not even root changes; tmpfs does since 6.6.
        Path device = machine.loop("image", 16 << 20);
        Machine.run("mkfs.ext4", "-q", device.toString());
        Machine.run("mount", device.toString(), machine.path("volume").toString());
        machine.file("volume/fixed", "x");
        machine.file("volume/g", "x");
        Machine.run("chattr", "+i", machine.path("volume/fixed").toString());
        try {
            OwnershipReport report = change();

            assertThat(report.refused()).isEqualTo(1);
            assertThat(report.firstRefusal()).contains("fixed", "EPERM");
            assertThat(owner("volume/g")).startsWith(GROUP + " ");
            assertThat(owner("volume")).startsWith(GROUP + " ");
        } finally {
            Machine.run("chattr", "-i", machine.path("volume/fixed").toString());
        }
    }

    @Test
    void tellsHowFarItIs() {
        for (int i = 0; i < 2_001; i++) {
            machine.file("volume/" + i, "");
        }

        assertThat(change().examined()).isEqualTo(2_002);
        assertThat(context.told()).hasSize(2).last().asString().startsWith("2000 files of ");
    }

    @Test
    void goesDeeperThanThereAreDescriptorsToSpareAndLongerThanAPathCanBe() throws IOException {
        int depth = 400;
        Path tree = machine.directory("volume/n");
        machine.file("volume/n/bottom", "x");
        for (int i = 0; i < depth; i++) {
            Path above = machine.directory("above");
            Files.move(tree, above.resolve("a-name-of-some-length"));
            Files.createFile(above.resolve("beside"));
            tree = Files.move(above, machine.path("moving"));
            Files.move(tree, machine.path("volume/n"));
            tree = machine.path("volume/n");
        }

        OwnershipReport report = change();

        assertThat(report.examined()).isEqualTo(2L * depth + 3);
        assertThat(report.changed()).isEqualTo(report.examined());
        assertThat(change().changed()).as("all of it was given").isZero();
        machine.files.removeTree(machine.at("volume"), new ManualContext());
    }

    @Test
    void aPathThroughALinkOrToNoDirectoryIsRefused() {
        machine.link("way", "volume");
        machine.file("f", "x");

        Refusal.of(FINAL, () -> machine.files.changeOwnership(machine.at("way"), CHANGE, context));
        Refusal.of(FINAL, () -> machine.files.changeOwnership(machine.at("f"), CHANGE, context));
    }

    @Test
    void swappingADirectoryForALinkNeverLeadsTheWalkOutside() throws Exception {
        machine.directory("outside/d");
        machine.file("outside/precious", "x");
        machine.file("outside/d/precious", "x");
        machine.directory("volume/way/d");
        machine.file("volume/way/f", "x");
        machine.link("decoy", machine.path("outside").toString());
        machine.whileSwapping("volume/way", "decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    // Every other round another group, so that there is always something to change.
                    machine.files
                            .changeOwnership(
                                    machine.at("volume"), OwnershipChange.ofFsGroup(GROUP + i % 2, false), context)
                            .examined();
                } catch (VolumeException raced) {
                    assertThat(raced.getMessage()).contains("was moved");
                }
            }
        });
        assertThat(owner("outside")).startsWith(NONE + " ");
        assertThat(owner("outside/precious")).isEqualTo(NONE + " 100644");
        assertThat(owner("outside/d")).startsWith(NONE + " ");
        assertThat(owner("outside/d/precious")).isEqualTo(NONE + " 100644");
    }

    private OwnershipReport change() {
        return machine.files.changeOwnership(machine.at("volume"), CHANGE, context);
    }

    private void chmod(String relative, String mode) {
        Machine.run("chmod", mode, machine.path(relative).toString());
    }

    private String owner(String relative) throws IOException {
        Path path = machine.path(relative);
        return Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS) + " "
                + Integer.toOctalString((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
    }
}
