package io.volume4j.core.linux.path;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.IN_USE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Most of this needs no rights. */
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class LinuxFilesTest {
    /** How the race goes in each is the machine's business; what must hold, holds however it goes. */
    private static final int ROUNDS = 1_000;

    private final Kernel kernel;
    private final Machine machine;
    private final LinuxFiles files;

    LinuxFilesTest(Kernel kernel) {
        this.kernel = kernel;
        machine = new Machine(kernel);
        files = machine.files;
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void makesTheRootWithItsParentsForItsOwnerOnly() {
        files.createRoot(machine.path("a/b"));
        files.createRoot(machine.path("a/b"));
        assertThat(mode("a")).isEqualTo("rwx------");
        assertThat(mode("a/b")).isEqualTo("rwx------");
        machine.file("f", "");
        assertThat(Refusal.of(FINAL, () -> files.createRoot(machine.path("f"))))
                .hasMessageStartingWith("directory " + machine.path("f") + " cannot be used: ")
                .hasMessageContaining("ENOTDIR")
                .satisfies(refused -> assertThat(refused.advice()).contains("this process can make"));
        assertThatThrownBy(() -> files.createRoot(Path.of("relative"))).isInstanceOf(IllegalArgumentException.class);
    }

    /** A user who can put a file there tells the library what is mounted. */
    @Test
    void aRootThatAllUsersCanWriteIsRefusedAndOneBelowItIsNot() throws IOException {
        for (int mode : List.of(01777, 0777, 0702)) {
            machine.directory("shared");
            Files.setAttribute(machine.path("shared"), "unix:mode", mode);
            assertThat(Refusal.of(FINAL, () -> files.createRoot(machine.path("shared"))))
                    .hasMessageContaining("all users can write it (mode " + Integer.toOctalString(mode) + ")")
                    .satisfies(refused -> assertThat(refused.advice())
                            .contains(machine.path("shared/volumes").toString())
                            .contains("chmod o-w"));
        }
        files.createRoot(machine.path("shared/volumes"));
        files.createRoot(machine.path("shared/volumes"));
        assertThat(mode("shared/volumes")).isEqualTo("rwx------");
    }

    @Test
    void aRootThatAGroupCanWriteIsTaken() throws IOException {
        machine.directory("ours");
        Files.setAttribute(machine.path("ours"), "unix:mode", 0775);
        files.createRoot(machine.path("ours"));
        assertThat(machine.path("ours")).isDirectory();
    }

    @Test
    void aRootOfAnotherUserIsRefused() throws IOException {
        machine.directory("theirs");
        Assumptions.assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(machine.path("theirs"), "unix:uid")),
                "only root gives directories away");
        Files.setAttribute(machine.path("theirs"), "unix:uid", 12345);
        assertThat(Refusal.of(FINAL, () -> files.createRoot(machine.path("theirs"))))
                .hasMessageContaining("it belongs to user 12345, and this process runs as user 0")
                .satisfies(refused -> assertThat(refused.advice()).contains("chown 0 "));
    }

    @Test
    void makesDirectoriesWithExactlyTheMode() {
        files.createDirectory(machine.at("a/b/c"), 0777);
        assertThat(mode("a/b/c")).isEqualTo("rwxrwxrwx");
        assertThat(mode("a/b")).isEqualTo("rwxr-x---");
    }

    @Test
    void aDirectoryThatIsThereKeepsItsMode() {
        files.createDirectory(machine.at("a"), 0700);
        files.createDirectory(machine.at("a"), 0777);
        assertThat(mode("a")).isEqualTo("rwx------");
    }

    @Test
    void makesNoDirectoryWhereSomethingElseIs() {
        machine.file("f", "");
        machine.link("l", "f");
        machine.directory("d");
        machine.link("ld", "d");
        for (String name : List.of("f", "l", "ld", "f/x", "ld/x")) {
            Refusal.of(FINAL, () -> files.createDirectory(machine.at(name), 0700));
        }
        assertThat(machine.path("d/x")).doesNotExist();
    }

    @Test
    void removesOnlyWhatIsEmpty() {
        machine.directory("a/b");
        assertThat(Refusal.of(FINAL, () -> files.removeDirectory(machine.at("a"))))
                .hasMessageContaining("ENOTEMPTY");
        files.removeDirectory(machine.at("a/b"));
        files.removeDirectory(machine.at("a"));
        assertThat(machine.path("a")).doesNotExist();
        files.removeDirectory(machine.at("a/b"));
    }

    @Test
    void removesADirectoryThatHoldsNothingButWhatACrashLeft() {
        machine.directory("a");
        machine.file("a/.volume4j-unfinished-0123456789abcdef", "half");
        assertThat(files.list(machine.at("a"))).isEmpty();
        machine.file("a/other", "whole");
        Refusal.of(FINAL, () -> files.removeDirectory(machine.at("a")));
        files.removeFile(machine.at("a/other"));
        files.removeDirectory(machine.at("a"));
        assertThat(machine.path("a")).doesNotExist();
    }

    @Test
    void removesALinkAndNeverWhatItNames() {
        machine.file("precious", "x");
        machine.link("l", "precious");
        files.removeFile(machine.at("l"));
        files.removeFile(machine.at("l"));
        assertThat(machine.path("precious")).exists();
        machine.directory("d");
        assertThat(Refusal.of(FINAL, () -> files.removeFile(machine.at("d")))).hasMessageContaining("EISDIR");
        machine.link("ld", "d");
        machine.file("d/f", "");
        Refusal.of(FINAL, () -> files.removeFile(machine.at("ld/f")));
        Refusal.of(FINAL, () -> files.removeDirectory(machine.at("ld")));
        assertThat(machine.path("d/f")).exists();
    }

    @Test
    void aSparseFileAppearsWholeOrNotAtAll() throws IOException {
        files.createSparseFile(machine.at("f"), 1L << 30, 0640);
        files.createSparseFile(machine.at("f"), 1L << 30, 0640);
        assertThat(Files.size(machine.path("f"))).isEqualTo(1L << 30);
        assertThat(mode("f")).isEqualTo("rw-r-----");
        assertThat(machine.root.toFile().list()).containsExactly("f");
        assertThat(Refusal.of(FINAL, () -> files.createSparseFile(machine.at("f"), 5, 0640)))
                .hasMessageContaining("a file of 1073741824 bytes already");
        machine.link("l", "nowhere");
        Refusal.of(FINAL, () -> files.createSparseFile(machine.at("l"), 5, 0640));
        assertThat(machine.path("nowhere")).doesNotExist();
    }

    @Test
    void anUnfinishedFileOfAnEarlierTryIsReplaced() {
        files.createSparseFile(machine.at("f"), 10, 0600);
        String unfinished = unfinishedNameOf("g");
        machine.file(unfinished, "left by a crash, and longer");
        files.createSparseFile(machine.at("g"), 3, 0600);
        assertThat(machine.path("g")).hasSize(3);
        assertThat(machine.path(unfinished)).doesNotExist();
    }

    private String unfinishedNameOf(String name) {
        return ".volume4j-unfinished-"
                + Hashing.sha256()
                        .hashString(name, StandardCharsets.UTF_8)
                        .toString()
                        .substring(0, 16);
    }

    /** A program of a driver that fails is looked at each minute, for as long as the process runs. */
    @Test
    void holdingAPathAgainTakesNoMoreDescriptors() throws IOException {
        machine.directory("d");
        machine.file("d/program", "x");
        for (int i = 0; i < 10; i++) {
            assertThat(files.hold(machine.path("d")).orElseThrow().inPlace()).isTrue();
            assertThat(files.hold(machine.path("d/program")).orElseThrow().inPlace())
                    .isTrue();
        }

        assertThat(descriptorsBelow(machine.path("d"))).containsExactly(machine.path("d"));
        files.close();
        assertThat(descriptorsBelow(machine.path("d"))).isEmpty();
    }

    private static List<Path> descriptorsBelow(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : open.filter(Files::isSymbolicLink).toList()) {
                try {
                    found.add(Files.readSymbolicLink(each));
                } catch (NoSuchFileException closedMeanwhile) {
                    // Other code of this JVM opens and closes files at any moment.
                }
            }
        }
        found.removeIf(path -> !path.startsWith(directory));
        return found;
    }

    /** The kernel would take the lower 32 bits: those of 1 << 32 are root's, and those of -1 change nothing. */
    @Test
    void givesNothingToANumberThatIsNoGroup() {
        machine.file("f", "x");
        for (long noGroup : new long[] {-1, 0xFFFF_FFFFL, 1L << 32}) {
            assertThat(Refusal.of(FINAL, () -> files.changeGroup(machine.at("f"), noGroup, 0666)))
                    .hasMessageContaining(noGroup + " is not a group ID");
        }
        assertThat(files.status(machine.at("f")).orElseThrow().mode()).isNotEqualTo(0666);
    }

    @Test
    void growsAndNeverShrinks() {
        machine.file("f", "12345");
        files.growFile(machine.at("f"), 10);
        assertThat(machine.path("f")).hasSize(10);
        files.growFile(machine.at("f"), 3);
        assertThat(machine.path("f")).hasSize(10);
        machine.link("l", "f");
        Refusal.of(FINAL, () -> files.growFile(machine.at("l"), 20));
    }

    @Test
    void replacesContentAsAWhole() {
        files.writeAtomically(machine.at("f"), bytes("one"), 0600);
        files.writeAtomically(machine.at("f"), bytes("two two"), 0644);
        assertThat(machine.read("f")).isEqualTo("two two");
        assertThat(mode("f")).isEqualTo("rw-r--r--");
        assertThat(files.listRoot(machine.root)).containsExactly("f");
    }

    @Test
    void replacesContentThatIsNotSyncedAsAWholeToo() {
        files.writeUnsynced(machine.at("f"), bytes("one and more"), 0600);
        files.writeUnsynced(machine.at("f"), bytes("two"), 0644);
        files.writeUnsynced(machine.at("f"), bytes("three"), 0640);
        assertThat(machine.read("f")).isEqualTo("three");
        assertThat(mode("f")).isEqualTo("rw-r-----");
        assertThat(files.listRoot(machine.root)).containsExactly("f");
        try (Stream<Path> all = Files.list(machine.root)) {
            assertThat(all).containsExactly(machine.path("f"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsNotSyncedReplacesALinkAndNoDirectory() {
        machine.file("precious", "x");
        machine.link("l", "precious");
        files.writeUnsynced(machine.at("l"), bytes("new"), 0600);
        assertThat(machine.read("precious")).isEqualTo("x");
        assertThat(machine.path("l")).isRegularFile();
        machine.directory("d");
        Refusal.of(FINAL, () -> files.writeUnsynced(machine.at("d"), bytes("new"), 0600));
        assertThat(Files.isDirectory(machine.path("d"))).isTrue();
        assertThat(files.listRoot(machine.root)).containsExactly("d", "l", "precious");
    }

    @Test
    void writingReplacesALinkInsteadOfFollowingIt() {
        machine.file("precious", "x");
        machine.link("l", "precious");
        files.writeAtomically(machine.at("l"), bytes("new"), 0600);
        assertThat(machine.read("precious")).isEqualTo("x");
        assertThat(machine.path("l")).isRegularFile();
        machine.directory("d");
        Refusal.of(FINAL, () -> files.writeAtomically(machine.at("d"), bytes("new"), 0600));
        assertThat(Files.isDirectory(machine.path("d"))).isTrue();
        assertThat(files.listRoot(machine.root)).containsExactly("d", "l", "precious");
    }

    @Test
    void readsSmallFilesOnly() {
        machine.file("f", "12345");
        assertThat(files.read(machine.at("f"), 5))
                .hasValueSatisfying(content -> assertThat(content).isEqualTo(bytes("12345")));
        assertThat(Refusal.of(FINAL, () -> files.read(machine.at("f"), 4))).hasMessageContaining("longer than 4 bytes");
        assertThat(files.read(machine.at("none"), 4)).isEmpty();
        machine.directory("d");
        assertThat(Refusal.of(FINAL, () -> files.read(machine.at("d"), 4))).hasMessageContaining("not a regular file");
        machine.link("l", "f");
        Refusal.of(FINAL, () -> files.read(machine.at("l"), 10));
    }

    @Test
    void tellsWhatANameStandsFor() {
        machine.file("f", "12345");
        machine.directory("d");
        machine.link("l", "nowhere");
        assertThat(files.status(machine.at("f"))).map(FileStatus::type).contains(FileStatus.Type.FILE);
        assertThat(files.status(machine.at("f"))).map(FileStatus::bytes).contains(5L);
        assertThat(files.status(machine.at("d"))).map(FileStatus::type).contains(FileStatus.Type.DIRECTORY);
        assertThat(files.status(machine.at("l"))).map(FileStatus::type).contains(FileStatus.Type.LINK);
        assertThat(files.status(machine.at("none"))).isEmpty();
        assertThat(files.status(machine.at("none/deeper"))).isEmpty();
    }

    @Test
    void listsNamesSorted() {
        for (String name : List.of("b", "a", "ä", "c c")) {
            machine.directory("d/" + name);
        }
        assertThat(files.list(machine.at("d"))).containsExactly("a", "b", "c c", "ä");
        assertThat(files.list(machine.at("none"))).isEmpty();
        assertThat(files.listRoot(machine.path("none"))).isEmpty();
        machine.link("l", "d");
        Refusal.of(FINAL, () -> files.list(machine.at("l")));
    }

    @Test
    void listsADirectoryThatNeedsSeveralReadings() {
        for (int i = 0; i < 300; i++) {
            machine.directory("d/" + "long".repeat(50) + i);
        }
        assertThat(files.list(machine.at("d"))).hasSize(300).isSorted();
    }

    @Test
    @Privileged
    void neitherRemovesNorDisturbsAMountPoint() {
        machine.directory("d");
        machine.file("f", "");
        machine.file("source", "bound");
        Machine.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=1777",
                "t",
                machine.path("d").toString());
        Machine.run(
                "mount",
                "--bind",
                machine.path("source").toString(),
                machine.path("f").toString());
        machine.directory("d/inner");
        machine.file("d/file", "precious");
        Refusal.of(IN_USE, () -> files.removeDirectory(machine.at("d")));
        Refusal.of(IN_USE, () -> files.removeFile(machine.at("f")));
        assertThat(Refusal.of(FINAL, () -> files.removeDirectory(machine.at("d/inner"))))
                .hasMessageContaining("EXDEV");
        Refusal.of(FINAL, () -> files.removeFile(machine.at("d/file")));
        assertThat(machine.read("d/file")).isEqualTo("precious");
        files.createDirectory(machine.at("d"), 0700);
        assertThat(mode("d")).isEqualTo("rwxrwxrwx");
    }

    @Test
    @Privileged
    void statusIsThatOfThePlaceAndNotOfWhatIsMountedThere() {
        machine.directory("d");
        Machine.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=1777",
                "t",
                machine.path("d").toString());
        if (kernel.features().mountApi()) {
            assertThat(files.status(machine.at("d"))).map(FileStatus::mode).isNotEqualTo(01777);
        } else {
            // Older kernels cannot look below a mount; the type is told all the same.
            assertThat(files.status(machine.at("d"))).map(FileStatus::type).contains(FileStatus.Type.DIRECTORY);
        }
    }

    @Test
    void swappingADirectoryForALinkNeverLeadsOutside() throws Exception {
        Path outside = machine.directory("outside");
        machine.directory("root/way");
        machine.link("root/decoy", outside.toString());
        RootedPath directory = RootedPath.of(machine.path("root"), "way/made");
        RootedPath file = RootedPath.of(machine.path("root"), "way/written");
        machine.whileSwapping("root/way", "root/decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    files.createDirectory(directory, 0700);
                    files.writeAtomically(file, bytes("x"), 0600);
                    files.removeFile(file);
                    files.removeDirectory(directory);
                } catch (VolumeException e) {
                    assertThat(e.getMessage()).contains("ELOOP");
                }
            }
        });
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void tellsTheKernelByAFileOfItsOwn() {
        machine.loop("disk.img", 1 << 20);
        String name =
                machine.loops.below(machine.root).get(0).device().getFileName().toString();
        RootedPath attribute = RootedPath.of(Path.of("/sys/block").resolve(name), "queue/read_ahead_kb");

        files.tellKernel(attribute, "64");

        assertThat(files.read(attribute, 64))
                .hasValueSatisfying(text -> assertThat(text).asString().isEqualTo("64\n"));
        assertThatThrownBy(() -> files.tellKernel(attribute, "much")).isInstanceOf(VolumeException.class);
        assertThatThrownBy(() -> files.tellKernel(machine.at("absent"), "1")).isInstanceOf(VolumeException.class);
        assertThat(machine.path("absent")).doesNotExist();
    }

    private String mode(String relative) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(machine.path(relative)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
