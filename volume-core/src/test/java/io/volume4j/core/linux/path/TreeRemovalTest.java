package io.volume4j.core.linux.path;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.IN_USE;
import static io.volume4j.spi.FailureKind.UNCERTAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class TreeRemovalTest {
    private final Machine machine;
    private final ManualContext context = new ManualContext();

    TreeRemovalTest(Kernel kernel) {
        machine = new Machine(kernel);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void removesEverythingBelowAndNothingElse() {
        machine.directory("precious/inside");
        machine.file("precious/f", "x");
        machine.directory("t/a/b/c");
        machine.directory("t/empty");
        machine.file("t/a/f", "x");
        machine.file("t/a/b/g", "x");
        machine.link("t/a/b/out", machine.path("precious").toString());
        machine.link("t/loop", ".");
        remove("t");
        assertThat(machine.path("t")).doesNotExist();
        assertThat(machine.path("precious/f")).exists();
        assertThat(machine.path("precious/inside")).exists();
        remove("t");
        remove("none/deeper");
    }

    @Test
    void removesADirectoryOfMoreFilesThanOneReadingShows() {
        for (int i = 0; i < 600; i++) {
            machine.file(mkdir("t") + "/" + "long-name-".repeat(10) + i, "");
        }
        remove("t");
        assertThat(machine.path("t")).doesNotExist();
    }

    @Test
    void removesATreeDeeperThanThereAreDescriptorsToSpareAndLongerThanAPathCanBe() throws IOException {
        // Built bottom up, as no path that the kernel takes leads to the bottom.
        Path tree = machine.directory("t/n");
        for (int i = 0; i < 400; i++) {
            Path above = machine.directory("above");
            Files.move(tree, above.resolve("a-name-of-some-length"));
            tree = Files.move(above, machine.path("moving"));
            Files.move(tree, machine.path("t/n"));
            tree = machine.path("t/n");
        }
        remove("t");
        assertThat(machine.path("t")).doesNotExist();
    }

    @Test
    void removesNamesThatAreNoTextInAnyEncoding() {
        machine.directory("t");
        Machine.run(
                "sh",
                "-c",
                "cd " + machine.path("t") + " && mkdir \"$(printf 'd\\377')\" && touch \"$(printf 'd\\377/f\\376')\"");
        remove("t");
        assertThat(machine.path("t")).doesNotExist();
    }

    @Test
    void emptiesADirectoryAlsoOfNamesThatNoListingShows() {
        machine.directory("t/a/b");
        machine.file("t/.volume4j-unfinished-0", "x");
        machine.directory("precious");
        machine.link("t/out", machine.path("precious").toString());
        Machine.run(
                "sh",
                "-c",
                "cd " + machine.path("t") + " && mkdir \"$(printf 'd\\377')\" && touch \"$(printf 'f\\376')\"");

        machine.files.removeContents(machine.path("t"), context);

        assertThat(machine.path("t")).isEmptyDirectory();
        assertThat(machine.path("precious")).exists();
        machine.files.removeContents(machine.path("t"), context);
        machine.files.removeContents(machine.path("none"), context);
    }

    @Test
    @Privileged
    void emptiesNothingThatIsMountedInTheDirectory() {
        machine.directory("t/m");
        machine.directory("source");
        machine.file("source/precious", "x");
        Machine.run(
                "mount",
                "--bind",
                machine.path("source").toString(),
                machine.path("t/m").toString());

        assertThat(Refusal.of(IN_USE, () -> machine.files.removeContents(machine.path("t"), context)))
                .hasMessageContaining("something is mounted on m in it");

        assertThat(machine.path("source/precious")).exists();
    }

    @Test
    void aLinkInPlaceOfTheTreeIsRemovedAsALink() {
        machine.directory("precious/inside");
        machine.link("t", "precious");
        remove("t");
        assertThat(machine.path("t")).doesNotExist();
        assertThat(machine.path("precious/inside")).exists();
        machine.link("way", "precious");
        Refusal.of(FINAL, () -> remove("way/inside"));
        assertThat(machine.path("precious/inside")).exists();
    }

    @Test
    void stopsWhenCancelled() {
        machine.directory("t/a");
        context.cancel();
        assertThat(Refusal.of(UNCERTAIN, () -> remove("t"))).hasMessageContaining("cancelled");
        assertThat(machine.path("t/a")).exists();
    }

    @Test
    @Privileged
    void neverRemovesWhatIsMountedBelow() {
        machine.directory("t/a/m");
        machine.file("t/f", "");
        machine.directory("source");
        machine.file("source/precious", "x");
        Machine.run(
                "mount",
                "--bind",
                machine.path("source").toString(),
                machine.path("t/a/m").toString());
        assertThat(Refusal.of(IN_USE, () -> remove("t"))).hasMessageContaining("something is mounted on m in it");
        assertThat(machine.path("source/precious")).exists();
        Refusal.of(IN_USE, () -> remove("t/a/m"));
        assertThat(machine.path("source/precious")).exists();
    }

    private String mkdir(String relative) {
        machine.directory(relative);
        return relative;
    }

    private void remove(String relative) {
        machine.files.removeTree(machine.at(relative), context);
    }
}
