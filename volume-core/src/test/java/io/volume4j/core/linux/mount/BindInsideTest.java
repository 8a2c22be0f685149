package io.volume4j.core.linux.mount;

import static io.volume4j.spi.FailureKind.FINAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a volume that a container may write to and rearrange while they are looked for. */
@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class BindInsideTest {
    /** How the race goes in each is the machine's business; what must hold, holds however it goes. */
    private static final int ROUNDS = 1_000;

    private static final int GROUP = 4711;

    private final Machine machine;

    BindInsideTest(Kernel kernel) {
        machine = new Machine(kernel);
        machine.directory("volume");
        machine.directory("outside/d");
        machine.file("outside/precious", "secret");
        machine.file("outside/d/precious", "secret");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void bindsADirectory() {
        machine.directory("volume/a/b");
        machine.file("volume/a/b/f", "x");

        bind("a/b");

        assertThat(machine.read("target/f")).isEqualTo("x");
    }

    @Test
    void bindsAFileOnAFile() {
        machine.directory("volume/a");
        machine.file("volume/a/f", "x");

        bind("a/f");

        assertThat(machine.read("target")).isEqualTo("x");
        assertThat(there().rootInFilesystem()).endsWith("/volume/a/f");
    }

    @Test
    void isReadOnlyIfAskedTo() {
        machine.directory("volume/a");

        bind("a", BindOptions.onlyRead());

        assertThat(there().readOnly()).isTrue();
    }

    @Test
    void makesMissingDirectoriesWithTheModeAndGroupOfTheVolume() throws IOException {
        Machine.run("chgrp", String.valueOf(GROUP), machine.path("volume").toString());
        Machine.run("chmod", "2771", machine.path("volume").toString());

        bind("a/b");

        for (String made : new String[] {"volume/a", "volume/a/b", "target"}) {
            assertThat(Files.getAttribute(machine.path(made), "unix:gid"))
                    .as(made)
                    .isEqualTo(GROUP);
            assertThat((int) Files.getAttribute(machine.path(made), "unix:mode") & 07777)
                    .as(made)
                    .isEqualTo(02771);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link/b", "chain/b", "deep/up/a/b", "a/./b", "dangling/made"})
    void followsLinksAsLongAsTheyStayInside(String inside) {
        machine.directory("volume/a/b");
        machine.directory("volume/deep");
        machine.link("volume/link", "a");
        machine.link("volume/chain", "link/../a");
        machine.link("volume/deep/up", "..");
        machine.link("volume/dangling", "a/new");

        bind(inside);

        assertThat(there().rootInFilesystem()).contains("/volume/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "absolute",
                "absolute/d",
                "above",
                "above/outside/precious",
                "a/far-above/outside",
                "loop",
                "file/below",
                "to-proc",
                "."
            })
    void refusesWhatLeadsOutOrNowhere(String inside) {
        machine.directory("volume/a");
        machine.file("volume/file", "x");
        machine.link("volume/absolute", machine.path("outside").toString());
        machine.link("volume/above", "..");
        machine.link("volume/a/far-above", "../../../../../..");
        machine.link("volume/loop", "loop");
        machine.link("volume/to-proc", "/proc/self/root");

        Refusal.of(FINAL, () -> bind(inside));

        assertThat(machine.table.read().below(machine.path("target"))).isEmpty();
        assertThat(machine.path("outside/a")).doesNotExist();
    }

    @Test
    void makesNothingThroughALinkThatLeadsOut() {
        machine.link("volume/way", machine.path("outside").toString());

        Refusal.of(FINAL, () -> bind("way/made"));

        assertThat(machine.path("outside/made")).doesNotExist();
    }

    @Test
    void anotherPartAtTheSamePlaceIsRefusedAndTheSameIsSuccess() {
        machine.directory("volume/a");
        machine.directory("volume/b");
        bind("a");
        bind("a");

        assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
        Refusal.of(FINAL, () -> bind("b"));
    }

    @Test
    void swappingADirectoryForALinkNeverShowsWhatIsOutside() throws Exception {
        machine.directory("volume/way/d");
        machine.link("volume/decoy", machine.path("outside").toString());
        machine.whileSwapping("volume/way", "volume/decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    bind("way/d");
                    assertThat(machine.path("target/precious")).doesNotExist();
                    machine.unmounts.unmount(machine.at("target"), UnmountMode.NORMAL);
                } catch (VolumeException e) {
                    assertThat(e.getMessage()).containsAnyOf("leads out of the volume", "gone again", "replaced");
                }
            }
        });
    }

    @Test
    void swappingALinkForAnotherNeverShowsWhatIsOutside() throws Exception {
        machine.directory("volume/inside/d");
        machine.link("volume/way", "inside");
        machine.link("volume/decoy", "../outside");
        machine.whileSwapping("volume/way", "volume/decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    bind("way/d");
                    assertThat(machine.path("target/precious")).doesNotExist();
                    machine.unmounts.unmount(machine.at("target"), UnmountMode.NORMAL);
                } catch (VolumeException e) {
                    assertThat(e.getMessage()).containsAnyOf("leads out of the volume", "gone again", "replaced");
                }
            }
        });
    }

    @Test
    void whatIsMadeWhileTheWayIsSwappedIsMadeInside() throws Exception {
        machine.directory("volume/way");
        machine.link("volume/decoy", machine.path("outside").toString());
        machine.whileSwapping("volume/way", "volume/decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    bind("way/made-" + i);
                    machine.unmounts.unmount(machine.at("target"), UnmountMode.NORMAL);
                } catch (VolumeException e) {
                    assertThat(e.getMessage()).containsAnyOf("leads out of the volume", "gone again", "replaced");
                }
            }
        });
        try (var names = Files.list(machine.path("outside"))) {
            assertThat(names.map(Path::getFileName).map(Path::toString)).containsExactlyInAnyOrder("d", "precious");
        }
    }

    private void bind(String inside) {
        bind(inside, BindOptions.readWrite());
    }

    private void bind(String inside, BindOptions options) {
        machine.binds.bindInside(machine.at("volume"), Path.of(inside), machine.at("target"), options, directory -> {
            if (directory) {
                machine.files.createDirectory(machine.at("target"), 0750);
            } else {
                machine.files.createSparseFile(machine.at("target"), 0, 0640);
            }
        });
    }

    private MountEntry there() {
        return machine.table.read().at(machine.path("target")).orElseThrow();
    }
}
