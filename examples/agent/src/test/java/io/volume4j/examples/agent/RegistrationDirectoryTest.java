package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.volume4j.examples.commandline.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistaken path is refused instead of created. */
class RegistrationDirectoryTest {
    @TempDir
    private Path place;

    @Test
    void onlyTheLastNameOfThePathIsCreatedAndForTheAgentAlone() throws IOException {
        Path registry = place.resolve("plugins_registry");

        RegistrationDirectory.require(registry);

        assertThat(Files.getPosixFilePermissions(registry)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aDirectoryThatIsThereStaysAsItIs() throws IOException {
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));

        RegistrationDirectory.require(place);

        assertThat(Files.getPosixFilePermissions(place)).isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aPathWithoutItsParentIsRefusedWithTheFirstPartThatIsMissingAndNothingIsCreated() {
        Path mistaken = place.resolve("kublet/plugins/registry");

        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> RegistrationDirectory.require(mistaken))
                .withMessageContaining("--csi-registration: there is no directory " + mistaken)
                .withMessageContaining("not even " + place.resolve("kublet") + ";")
                .withMessageContaining("create " + mistaken.getParent() + ", or name the directory");

        assertThat(place).isEmptyDirectory();
    }

    @Test
    void aFileInPlaceOfTheDirectoryOrOfAParentIsRefusedAndNotCalledMissing() throws IOException {
        Path file = Files.createFile(place.resolve("file"));

        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> RegistrationDirectory.require(file))
                .withMessageContaining("cannot create the directory " + file + ": ");
        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> RegistrationDirectory.require(file.resolve("registry")))
                .withMessageContaining("cannot create the directory " + file.resolve("registry") + ": ");
        assertThatExceptionOfType(Usage.class)
                .isThrownBy(() -> RegistrationDirectory.require(file.resolve("plugins/registry")))
                .withMessageContaining("cannot create the directory " + file.resolve("plugins/registry") + ": ");
    }
}
