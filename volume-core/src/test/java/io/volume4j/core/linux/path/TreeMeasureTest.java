package io.volume4j.core.linux.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.TreeUsage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class TreeMeasureTest {
    private static final int BLOCK = 64 << 10;

    private final Machine machine;
    private final ManualContext context = new ManualContext();

    TreeMeasureTest(Kernel kernel) {
        machine = new Machine(kernel);
        machine.directory("volume");
        // Its own filesystem, whose blocks are known.
        machine.filesystems.mount(
                new FilesystemMount("tmpfs", "test", false, List.of("size=64m")), machine.at("volume"));
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void countsBlocksAndInodesOfAllThatIsBelow() throws IOException {
        machine.directory("volume/d/e");
        write("volume/d/f", BLOCK);
        write("volume/d/e/g", 2 * BLOCK);
        machine.link("volume/l", "d");

        assertThat(measure()).isEqualTo(new TreeUsage(3 * BLOCK, 6));
    }

    @Test
    void holesTakeNothing() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(machine.path("volume/f").toFile(), "rw")) {
            file.setLength(1L << 30);
        }

        assertThat(measure()).isEqualTo(new TreeUsage(0, 2));
    }

    @Test
    void aFileWithSeveralNamesCountsOnce() throws IOException {
        machine.directory("volume/d");
        write("volume/f", BLOCK);
        Files.createLink(machine.path("volume/g"), machine.path("volume/f"));
        Files.createLink(machine.path("volume/d/h"), machine.path("volume/f"));
        write("volume/two", BLOCK);
        Files.createLink(machine.path("volume/d/two"), machine.path("volume/two"));

        assertThat(measure()).isEqualTo(new TreeUsage(2 * BLOCK, 4));
    }

    @Test
    void followsNoLinkAndCrossesIntoNoMount() throws IOException {
        machine.directory("elsewhere");
        write("elsewhere/big", 4 * BLOCK);
        machine.link("volume/out", machine.path("elsewhere").toString());
        machine.link("volume/up", "..");
        machine.directory("volume/mounted");
        machine.binds.bind(machine.path("elsewhere"), machine.at("volume/mounted"), BindOptions.readWrite());
        machine.file("volume/empty", "");
        machine.binds.bind(machine.path("elsewhere/big"), machine.at("volume/empty"), BindOptions.readWrite());

        assertThat(measure().bytes()).isZero();
    }

    @Test
    void countsDeeperThanThereAreDescriptors() throws IOException {
        Path deep = machine.path("volume");
        for (int i = 0; i < 200; i++) {
            deep = deep.resolve("d");
            Files.createDirectory(deep);
            Files.write(deep.resolve("f"), new byte[1]);
        }

        assertThat(measure().inodes()).isEqualTo(401);
    }

    @Test
    void stopsWhenNoPodWantsItAnyMore() {
        context.cancel();

        assertThatThrownBy(this::measure)
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("was stopped after 0 of its files");
    }

    @Test
    void whatIsNotThereIsAnErrorAndNotEmpty() {
        assertThatThrownBy(() -> machine.files.measure(machine.at("nowhere"), context))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("ENOENT");
    }

    /** Files come and go, and directories become links to the machine's own: whatever is counted, it is of the volume. */
    @Test
    void isNotMisledByARenameMeanwhile() throws Exception {
        machine.directory("elsewhere");
        write("elsewhere/big", 4 * BLOCK);
        machine.directory("volume/d");
        machine.link("volume/l", machine.path("elsewhere").toString());
        machine.whileSwapping("volume/d", "volume/l", () -> {
            for (int i = 0; i < 500; i++) {
                assertThat(measure().bytes()).isZero();
            }
        });
    }

    private TreeUsage measure() {
        return machine.files.measure(machine.at("volume"), context);
    }

    private void write(String path, int bytes) throws IOException {
        Files.write(machine.path(path), new byte[bytes]);
    }
}
