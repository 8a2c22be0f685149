package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who the server is, and what it is told of who asks. */
@Timeout(120)
class HttpAccessTest extends HttpClusterBench {
    @TempDir
    Path directory;

    @Test
    void theTokenIsReadAnewForEveryRequest() throws IOException {
        Path file = directory.resolve("token");
        Files.writeString(file, "first-token\n");
        try (HttpCluster withToken = HttpCluster.of(Access.to(server.uri()).token(file))) {
            refusal(() -> withToken.readLive(C));
            Files.writeString(file, "second-token\n");
            refusal(() -> withToken.readLive(C));
        }
        assertThat(server.tokens).containsExactly("Bearer first-token", "Bearer second-token");
    }

    @Test
    void theTokenIsNeverShown() throws IOException {
        Path file = directory.resolve("token");
        try (HttpCluster withToken = HttpCluster.of(Access.to(server.uri()).token(file))) {
            List<String> said = new ArrayList<>(List.of(withToken.toString()));
            Files.writeString(file, "my-secret\r\nX-Injected: 1");
            said.add(refusal(() -> withToken.readLive(C)).toString());
            Files.writeString(file, "my-secret");
            server.answer(500, status(500, "InternalError", "").replace("because", "no Bearer my-secret here"));
            said.add(refusal(() -> withToken.readLive(C)).toString());
            server.answer(403, status(403, "Forbidden", "").replace("because", "no Bearer my-secret here"));
            said.add(refusal(() -> withToken.watch(Kind.NODE, Selection.all(), "5", event -> {}))
                    .toString());
            Files.delete(file);
            said.add(refusal(() -> withToken.readLive(C)).toString());

            assertThat(said).noneMatch(text -> text.contains("my-secret"));
            assertThat(said.get(4)).contains(file + ": there is no such file");
            assertThat(server.tokens).containsExactly("Bearer my-secret", "Bearer my-secret");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            401 | check the token or the certificate
            403 | check what this user may do
            404 | check that the address is an API server's
            200 | check that the address is an API server's
            """)
    void anAnswerThatIsNoApiServersTellsWhatToCheck(int code, String advice) {
        server.answer(code, "<html>please log in</html>");
        try (HttpCluster asked = HttpCluster.of(Access.to(server.uri()))) {
            assertThat(refusal(() -> asked.readLive(C)))
                    .hasMessageContaining(server.uri().toString())
                    .hasMessageEndingWith(advice);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8001",
                "ftp://127.0.0.1",
                "http://user:word@127.0.0.1",
                "http://127.0.0.1/?x=1",
                "http:///"
            })
    void onlyPlainAddressesAreServers(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.to(URI.create(address))))
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("word"));
    }

    @Test
    void aTokenIsNotSentOverTheNetworkInTheClear() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(
                        Access.to(URI.create("http://10.0.0.1:8001")).token(directory.resolve("token"))))
                .withMessageContaining("use https");
    }
}
