package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The socket by which a test in another process, in any language, changes and questions the driver. */
@Timeout(60)
class DriverControlTest {
    @Test
    void answersEachCommandLineByLine() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Path socket = fixture.place().path().resolve("control.sock");
            try (ControlSocket control = new ControlSocket(fixture.driver(), socket)) {
                assertThat(control.answer("help")).anyMatch(line -> line.startsWith("fault RULE"));
                assertThat(ask(socket, "fault CreateVolume call=1 before INTERNAL no"))
                        .containsExactly("ok");
                assertThat(DriverClient.code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.INTERNAL);
                fixture.volume("pvc-1");

                assertThat(ask(socket, "calls"))
                        .containsExactly("CreateVolume pvc-1 INTERNAL", "CreateVolume pvc-1 OK");
                assertThat(ask(socket, "await CreateVolume 2")).containsExactly("ok");
                assertThat(ask(socket, "inventory")).containsExactly("volume vol-1", "born 1 volume pvc-1");
                assertThat(ask(socket, "leaks vol-1")).isEmpty();
                assertThat(ask(socket, "leaks")).containsExactly("volume vol-1");
                assertThat(ask(socket, "violations")).isEmpty();
                assertThat(ask(socket, "nonsense")).singleElement().asString().startsWith("error: no command");
                assertThat(ask(socket, "fault nonsense"))
                        .singleElement()
                        .asString()
                        .startsWith("error: ");
                assertThat(ask(socket, "abnormal none"))
                        .singleElement()
                        .asString()
                        .startsWith("error: ");

                assertThat(ask(socket, "crash")).containsExactly("ok");
                assertThat(fixture.driver().alive()).isFalse();
            }
            assertThat(Files.exists(socket)).isFalse();
        }
    }

    private static List<String> ask(Path socket, String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            Channels.newOutputStream(channel).write((line + "\n").getBytes(StandardCharsets.UTF_8));
            byte[] answer = Channels.newInputStream(channel).readAllBytes();
            return new String(answer, StandardCharsets.UTF_8).lines().toList();
        }
    }
}
