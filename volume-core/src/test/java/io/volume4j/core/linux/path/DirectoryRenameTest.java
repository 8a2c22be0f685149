package io.volume4j.core.linux.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Also as on a filesystem that has no rename which replaces nothing, as NFS has none. */
@Privileged
class DirectoryRenameTest {
    static Stream<Kernel> kernels() {
        return Machine.kernels();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void takesTheContentAlongAndIsDoneOnce(Kernel kernel) throws IOException {
        try (Machine machine = new Machine(kernel)) {
            Files.writeString(machine.directory("old").resolve("f"), "kept");

            assertThat(machine.files.renameDirectory(machine.at("old"), machine.at("new")))
                    .isTrue();
            assertThat(machine.files.renameDirectory(machine.at("old"), machine.at("new")))
                    .isFalse();

            assertThat(machine.path("new/f")).hasContent("kept");
            assertThat(machine.path("old")).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void replacesNothing(Kernel kernel) throws IOException {
        try (Machine machine = new Machine(kernel)) {
            machine.directory("old");
            machine.directory("empty");
            Files.writeString(machine.path("file"), "kept");

            assertRefused(machine, "old", "empty", FailureKind.FINAL);
            assertRefused(machine, "old", "file", FailureKind.FINAL);
            assertRefused(machine, "file", "new", FailureKind.FINAL);
            assertRefused(machine, "old", "absent/new", FailureKind.TRANSIENT);

            assertThat(machine.path("old")).isDirectory();
            assertThat(machine.path("file")).hasContent("kept");
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void renamesNoMountPointAndNothingOnAnotherMount(Kernel kernel) {
        try (Machine machine = new Machine(kernel)) {
            Machine.run(
                    "mount",
                    "-t",
                    "tmpfs",
                    "other",
                    machine.directory("mounted").toString());
            machine.directory("mounted/inner");

            assertRefused(machine, "mounted", "new", FailureKind.IN_USE);
            assertThatThrownBy(() -> machine.files.renameDirectory(machine.at("mounted/inner"), machine.at("new")))
                    .isInstanceOf(VolumeException.class);

            assertThat(machine.path("mounted/inner")).isDirectory();
            assertThat(machine.path("new")).doesNotExist();
        }
    }

    private static void assertRefused(Machine machine, String from, String to, FailureKind kind) {
        assertThatThrownBy(() -> machine.files.renameDirectory(machine.at(from), machine.at(to)))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
