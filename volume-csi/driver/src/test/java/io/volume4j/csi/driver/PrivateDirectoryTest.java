package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver keeps to the rule that it asks its callers to demand: its socket lies where no other user can exchange it. */
class PrivateDirectoryTest {
    @TempDir
    private Path place;

    private DriverOptions at(Path socket) {
        return DriverOptions.at(socket)
                .stateDirectory(place.resolve("state"))
                .mounts(MountStyle.LINKS)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwx----w-"})
    void itDoesNotListenWhereOthersMayWrite(String mode) throws IOException {
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> CsiTestDriver.start(at(place.resolve("csi.sock"))))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(place + " may be written by others")
                .hasMessageContaining("name a path in a directory that only you may write");
        assertThat(place.resolve("csi.sock")).doesNotExist();
    }

    @Test
    void norBelowADirectoryThatOthersMayExchange() throws IOException {
        Path open = Files.createDirectory(place.resolve("open"));
        Path own = Files.createDirectory(open.resolve("own"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> CsiTestDriver.start(at(own.resolve("csi.sock"))))
                .hasMessageContaining(open + " may be written by others");
    }

    @Test
    void itMakesADirectoryOfItsOwnWhereThereIsNone() throws IOException {
        Path socket = place.resolve("new/csi.sock");
        try (CsiTestDriver driver = CsiTestDriver.start(at(socket))) {
            assertThat(driver.alive()).isTrue();
            assertThat(Files.getPosixFilePermissions(place.resolve("new")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void itReplacesTheSocketOfADeadDriver() throws IOException {
        Path socket = place.resolve("csi.sock");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(socket))
                .close();
        assertThat(socket).exists();

        try (CsiTestDriver driver = CsiTestDriver.start(at(socket))) {
            assertThat(driver.alive()).isTrue();
        }
    }

    @Test
    void butNotThatOfALivingOne() throws IOException {
        Path socket = place.resolve("csi.sock");
        try (CsiTestDriver first = CsiTestDriver.start(at(socket))) {
            assertThatThrownBy(() -> CsiTestDriver.start(DriverOptions.at(socket)
                            .stateDirectory(place.resolve("other"))
                            .mounts(MountStyle.LINKS)
                            .build()))
                    .hasMessageContaining("another process listens at " + socket);
            assertThat(first.alive()).isTrue();
            assertThat(socket).exists();
        }
    }

    @Test
    void norAFileThatIsNoSocket() throws IOException {
        Path file = Files.writeString(place.resolve("notes.txt"), "precious");

        assertThatThrownBy(() -> CsiTestDriver.start(at(file)))
                .hasMessageContaining(file + " is there and is no socket");
        assertThat(file).hasContent("precious");

        try (CsiTestDriver driver = CsiTestDriver.start(at(place.resolve("csi.sock")))) {
            assertThatThrownBy(() -> new ControlSocket(driver, file)).hasMessageContaining("is no socket");
        }
        assertThat(file).hasContent("precious");
    }
}
