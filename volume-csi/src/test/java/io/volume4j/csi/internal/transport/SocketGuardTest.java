package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import io.volume4j.csi.SocketTrust;
import io.volume4j.csi.testing.SocketDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketGuardTest {
    private static final int STRANGER = 54321;

    private final SocketDirectory directory = new SocketDirectory();
    private final int self = uid(directory.path());
    private final SocketGuard guard = new SocketGuard(SocketTrust.strict(), self);

    @AfterEach
    void removeDirectory() {
        directory.close();
    }

    @Test
    void trustsOurOwnSocketInOurOwnDirectory() throws IOException {
        Path socket = bind(directory.socket());
        assertThat(guard.check(socket)).isEqualTo(SocketIdentity.of(socket));
    }

    @Test
    void followsLinksOfTrustedUsers() throws IOException {
        Path real = Files.createDirectory(directory.path().resolve("real"));
        Path socket = bind(real.resolve("csi.sock"));
        Path inDirectory = Files.createSymbolicLink(directory.path().resolve("dir"), Path.of("real"));
        Path direct = Files.createSymbolicLink(directory.path().resolve("direct"), socket);
        assertThat(guard.check(inDirectory.resolve("csi.sock"))).isEqualTo(SocketIdentity.of(socket));
        assertThat(guard.check(direct)).isEqualTo(SocketIdentity.of(socket));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
    void refusesADirectoryThatOthersMayWrite(String permissions) throws IOException {
        Path shared = Files.createDirectory(directory.path().resolve("shared"));
        Path socket = bind(shared.resolve("csi.sock"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(permissions));
        assertRefused(socket, "may be written by others");
    }

    /** A user who may rename the private directory can put another one in its place. */
    @Test
    void refusesAWritableDirectoryFurtherUp() throws IOException {
        Path shared = Files.createDirectory(directory.path().resolve("shared"));
        Path inner = Files.createDirectory(shared.resolve("private"));
        Path socket = bind(inner.resolve("csi.sock"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(socket, "may be written by others");
    }

    @Test
    void refusesAWritableDirectoryBehindALink() throws IOException {
        Path shared = Files.createDirectory(directory.path().resolve("shared"));
        Path socket = bind(shared.resolve("csi.sock"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path hidden = Files.createSymbolicLink(directory.path().resolve("looks-private"), shared);
        assertRefused(hidden.resolve(socket.getFileName()), "may be written by others");
    }

    /** In /tmp no other user can exchange the socket, but any user may have been the first to put one there. */
    @Test
    void refusesAStickyDirectoryAsTheSocketsOwn() throws IOException {
        Path sticky = Files.createDirectory(directory.path().resolve("sticky"));
        Path socket = bind(sticky.resolve("csi.sock"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        assertRefused(socket, "may be written by others");
    }

    @Test
    void refusesASocketThatTakesOrdersFromEverybodyUnlessTold() throws IOException {
        Path socket = bind(directory.socket());
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(socket, "takes orders from every user");
        SocketGuard lenient = new SocketGuard(SocketTrust.strict().acceptingWorldWritableSockets(), self);
        assertThat(lenient.check(socket)).isEqualTo(SocketIdentity.of(socket));
    }

    @Test
    void refusesWhatIsNoSocket() throws IOException {
        assertRefused(Files.createFile(directory.path().resolve("file")), "is not a socket");
        assertRefused(Files.createDirectory(directory.path().resolve("directory")), "is a directory");
        assertRefused(directory.path().resolve("file").resolve("csi.sock"), "is not a socket");
    }

    @Test
    void refusesLinksInACircle() throws IOException {
        Path one = directory.path().resolve("one");
        Path other = Files.createSymbolicLink(directory.path().resolve("other"), one);
        Files.createSymbolicLink(one, other);
        assertRefused(one, "too many links");
    }

    @Test
    void saysThatNothingIsThere() {
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> guard.check(directory.socket()));
    }

    @Test
    void refusesWhatBelongsToStrangersUnlessTheyAreTrusted() throws IOException {
        if (self != 0) {
            assertThat(System.getProperty("volume4j.privileged"))
                    .as("only root can give files away")
                    .isNotEqualTo("required");
            abort("only root can give files away");
        }
        Path inner = Files.createDirectory(directory.path().resolve("inner"));
        Path socket = bind(inner.resolve("csi.sock"));
        for (Path given : new Path[] {socket, inner}) {
            Files.setAttribute(given, "unix:uid", STRANGER);
            assertRefused(socket, "belongs to user " + STRANGER);
            assertThat(new SocketGuard(SocketTrust.strict().andUser(STRANGER), self).check(socket))
                    .isEqualTo(SocketIdentity.of(socket));
            Files.setAttribute(given, "unix:uid", self);
        }
    }

    @Test
    void tellsAReplacedSocketEvenWithTheSameInode() throws IOException {
        SocketIdentity first = guard.check(bind(directory.socket()));
        Files.delete(directory.socket());
        assertThat(guard.check(bind(directory.socket()))).isNotEqualTo(first);
    }

    private void assertRefused(Path socket, String why) {
        assertThatExceptionOfType(UntrustedSocketException.class)
                .isThrownBy(() -> guard.check(socket))
                .withMessageContaining(why);
    }

    private static Path bind(Path socket) throws IOException {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(socket))
                .close();
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxr-xr-x"));
        return socket;
    }

    private static int uid(Path path) {
        try {
            return (Integer) Files.getAttribute(path, "unix:uid");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
