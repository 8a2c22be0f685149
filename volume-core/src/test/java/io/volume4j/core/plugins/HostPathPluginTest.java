package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathPluginTest {
    private final FakeMachine machine = new FakeMachine();
    private final HostPathPlugin plugin = Given.ready(new HostPathPlugin(), machine);

    @BeforeEach
    void fillTheMachine() {
        machine.put("/data", FileStatus.Type.DIRECTORY);
        machine.put("/data/dir", FileStatus.Type.DIRECTORY);
        machine.put("/data/file", FileStatus.Type.FILE);
        machine.put("/data/socket", FileStatus.Type.SOCKET);
        machine.put("/data/char", FileStatus.Type.CHARACTER_DEVICE);
        machine.put("/data/block", FileStatus.Type.BLOCK_DEVICE);
        machine.put("/data/link", FileStatus.Type.LINK);
        machine.put("/etc", FileStatus.Type.DIRECTORY);
    }

    @ParameterizedTest(name = "{0} as \"{1}\" -> {2}")
    @CsvSource({
        "/data/dir,    '',                bind /data/dir rec",
        "/data/file,   '',                bind /data/file",
        "/data/none,   '',                TRANSIENT does not exist",
        "/data/link,   '',                FINAL is a symbolic link that leads nowhere",
        "/data/dir,    Directory,         bind /data/dir rec",
        "/data/dir/,   Directory,         bind /data/dir rec",
        "/data/file,   Directory,         FINAL must be of type Directory and is a file",
        "/data/none,   Directory,         TRANSIENT must be of type Directory and does not exist",
        "/data/dir,    DirectoryOrCreate, bind /data/dir rec",
        "/data/a/b,    DirectoryOrCreate, bind /data/a/b rec",
        "/data/socket, DirectoryOrCreate, FINAL must be of type DirectoryOrCreate and is a socket",
        "/data/file,   File,              bind /data/file",
        "/data/block,  File,              FINAL must be of type File and is a block device",
        "/data/file,   FileOrCreate,      bind /data/file",
        "/data/new,    FileOrCreate,      bind /data/new",
        "/data/a/new,  FileOrCreate,      TRANSIENT its directory does not exist",
        "/data/dir,    FileOrCreate,      FINAL must be of type FileOrCreate and is a directory",
        "/data/socket, Socket,            bind /data/socket",
        "/data/dir,    Socket,            FINAL must be of type Socket and is a directory",
        "/data/char,   CharDevice,        bind /data/char",
        "/data/block,  CharDevice,        FINAL must be of type CharDevice and is a block device",
        "/data/block,  BlockDevice,       bind /data/block",
        "/data/char,   BlockDevice,       FINAL must be of type BlockDevice and is a character device",
        "/data/link,   File,              FINAL is a symbolic link that leads nowhere",
        "/data/dir,    directory,         FINAL known are",
    })
    void checksWhatIsThereAgainstTheType(String path, String type, String expected) {
        if (expected.startsWith("bind")) {
            mount(path, type);
            assertThat(machine.effects).containsExactly(expected);
        } else {
            VolumeException failure = failureOf(() -> mount(path, type));
            assertThat(failure.kind()).isEqualTo(FailureKind.valueOf(expected.split(" ", 2)[0]));
            assertThat(failure).hasMessageContaining(expected.split(" ", 2)[1]);
            assertThat(machine.mounts).isEmpty();
            assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',          DirectoryOrCreate",
        "Directory,   DirectoryOrCreate",
        "File,        FileOrCreate",
        "Socket,      start the program",
        "CharDevice,  driver loaded",
        "BlockDevice, driver loaded",
    })
    void saysWhatHelpsAgainstWhatIsMissing(String type, String advice) {
        assertThat(failureOf(() -> mount("/data/none", type)).advice()).contains(advice);
    }

    @Test
    void makesWhatIsMissingWithTheModesOfKubernetesAndLeavesThoseThatAreThere() {
        mount("/data/a/b", "DirectoryOrCreate");
        unmount();
        mount("/data/new", "FileOrCreate");
        unmount();
        mount("/data/dir", "DirectoryOrCreate");

        assertThat(machine.at(Path.of("/data/a")).mode()).isEqualTo(0755);
        assertThat(machine.at(Path.of("/data/a/b")).mode()).isEqualTo(0755);
        assertThat(machine.at(Path.of("/data/new")).mode()).isEqualTo(0644);
        assertThat(machine.at(Path.of("/data/dir")).mode()).isEqualTo(0700);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "data", "/data/../etc", "/..", "/data\n", "./data"})
    void refusesPathsThatCouldMeanMoreThanTheyShow(String path) {
        assertThatThrownBy(() -> plugin.volumeName(spec(path, "")))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL));
        assertThat(failureOf(() -> mount(path, "")).kind()).isEqualTo(FailureKind.FINAL);
    }

    /** With the locale POSIX, which a service manager gives, these are all letters that are not ASCII. */
    @Test
    void saysWhichLocaleAllowsLettersThatThisProcessCannotHaveInFileNames() {
        assertThatThrownBy(() -> plugin.volumeName(spec("/data/\ud800", "")))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }

    @Test
    void refusesAnAllowedPrefixThatIsNotThereOrLiesBelowAnother() {
        VolumeException missing = failureOf(() -> Given.ready(new HostPathPlugin(List.of(Path.of("/none"))), machine));
        assertThat(missing.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(missing).hasMessageContaining("does not exist");
        assertThat(missing.advice()).contains("make it");

        assertThat(failureOf(() ->
                        Given.ready(new HostPathPlugin(List.of(Path.of("/data"), Path.of("/data/dir"))), machine)))
                .hasMessageContaining("below the allowed /data");
        Given.ready(new HostPathPlugin(List.of(Path.of("/data"), Path.of("/data"))), machine);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "/data/dir,      true",
        "/data,          true",
        "/datadir,       false",
        "/etc,           false",
        "/,              false",
        "/data/out,      false",
        "/data/out/x,    false",
        "/data/in,       true",
        "/alias/dir,     true",
        "/data/new/one,  true",
        "/data/out/new,  false",
    })
    void letsPodsHaveOnlyWhatLiesBelowTheAllowedPrefixesWhateverTheLinks(String path, boolean allowed) {
        machine.put("/datadir", FileStatus.Type.DIRECTORY);
        machine.put("/etc/x", FileStatus.Type.DIRECTORY);
        machine.links.put(Path.of("/data/out"), Path.of("/etc"));
        machine.links.put(Path.of("/data/in"), Path.of("/data/dir"));
        machine.links.put(Path.of("/alias"), Path.of("/data"));
        HostPathPlugin limited = Given.ready(new HostPathPlugin(List.of(Path.of("/alias"))), machine);
        String type = path.contains("new") ? "DirectoryOrCreate" : "";
        int before = machine.nodes.size();

        if (allowed) {
            mount(limited, path, type, false);
            assertThat(machine.mounts).hasSize(1);
        } else {
            VolumeException failure = failureOf(() -> mount(limited, path, type, false));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining("not allowed");
            assertThat(machine.nodes).hasSize(before);
        }
    }

    @Test
    void honoursReadOnlyAndMountsOnce() {
        mount(plugin, "/data/dir", "", true);
        mount(plugin, "/data/dir", "", true);

        assertThat(machine.effects).containsExactly("bind /data/dir ro rec");
    }

    @Test
    void takesThePodsViewAwayWithAllThatCameAlongAndNeverTheFiles() {
        mount("/data/dir", "");
        machine.mounted(Path.of("/dev/sdb"), Given.POD_TARGET.absolute().resolve("below"), "ext4", false);

        unmount();
        unmount();

        assertThat(machine.mounts).isEmpty();
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute()).containsKey(Path.of("/data/dir"));
    }

    @Test
    void removesTheMountPointOfAFileAndNeverTheFile() {
        mount("/data/file", "File");

        unmount();

        assertThat(machine.fileNames()).contains("/data/file").doesNotContain(Given.POD_TARGET.toString());
    }

    @Test
    void neverLetsAPodsGroupHaveTheMachinesFiles() {
        assertThat(plugin.mounter(spec("/data", "")).orElseThrow().managesContent())
                .isFalse();
    }

    @Test
    void refusesPrefixesThatAreNotOnePlace() {
        assertThatThrownBy(() -> new HostPathPlugin(List.of(Path.of("/data/../etc"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HostPathPlugin(List.of(Path.of("data"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void mount(String path, String type) {
        mount(plugin, path, type, false);
    }

    private static void mount(HostPathPlugin plugin, String path, String type, boolean readOnly) {
        VolumeSpec spec = spec(path, type);
        plugin.mounter(spec)
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec,
                                VolumeId.ofPod(HostPathPlugin.NAME, "data", "uid-1"),
                                Given.pod(),
                                "data",
                                null,
                                "",
                                Map.of(),
                                Given.POD_TARGET,
                                readOnly,
                                0,
                                PluginState.none()),
                        TestContext.first());
    }

    private void unmount() {
        plugin.unmounter(VolumeId.ofPod(HostPathPlugin.NAME, "data", "uid-1"))
                .orElseThrow()
                .unmount(Given.unmount(plugin), TestContext.first());
    }

    private static VolumeSpec spec(String path, String type) {
        return Given.inline(new HostPathSource(path, type));
    }
}
