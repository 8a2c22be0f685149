package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access as users have it: a kubeconfig with contexts, certificates in it or beside it, and programs that give tokens. */
@Timeout(120)
class KubeconfigTest {
    private static final String PODS =
            "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": []}";

    @TempDir
    Path directory;

    private TestAuthority authority;
    private ScriptedServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new TestAuthority("authority");
        server = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), false));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Two clusters, of which the second does not exist, and two users. */
    private Path kubeconfig(String user) throws Exception {
        return Files.writeString(
                directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts:
                - name: here
                  context: {cluster: real, user: me}
                - name: elsewhere
                  context: {cluster: unreachable, user: me}
                clusters:
                - name: real
                  cluster:
                    server: https://127.0.0.1:%d
                    certificate-authority-data: %s
                - name: unreachable
                  cluster: {server: "https://127.0.0.1:1"}
                users:
                - name: me
                  user: %s
                """.formatted(server.port(), base64(authority.pem()), user));
    }

    private static String listing(HttpCluster cluster) {
        return cluster.list(Kind.POD, Selection.all()).revision();
    }

    @Test
    void theCurrentContextSaysWhichServerAndUser() throws Exception {
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(kubeconfig("{token: first}"), ""))) {
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
            assertThat(cluster).asString().contains("https://127.0.0.1:" + server.port());

            kubeconfig("{token: second}");
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(server.tokens).containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void anotherContextIsAnotherServer() throws Exception {
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(kubeconfig("{token: t}"), "elsewhere"))) {
            assertThat(cluster).asString().contains("https://127.0.0.1:1");
        }
        Path file = kubeconfig("{token: t}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(file, "nowhere")))
                .withMessage(file + ": it has no context \"nowhere\"");
    }

    @Test
    void aContextWithoutItsServerIsNoOtherServer() throws Exception {
        Path file = kubeconfig("{token: my-secret}");
        Files.writeString(file, Files.readString(file).replace("name: real", "name: other"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(file, "")))
                .withMessage(file + ": context \"here\" names cluster \"real\", which has no server there");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{token: my-secret}",
                "{username: me, password: my-secret}",
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/true, interactiveMode: Never}}"
            })
    void noUserIsShownOverTheNetworkInTheClear(String user) throws Exception {
        Path file = kubeconfig(user);
        Files.writeString(file, Files.readString(file).replace("https://127.0.0.1", "http://127.0.0.2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(file, "")))
                .withMessageContaining(file + ": ")
                .withMessageContaining("use https")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("my-secret"));
    }

    @Test
    void aTokenBesideTheFileIsNotSentInTheClearEither() throws Exception {
        Path file = kubeconfig("{}");
        Files.writeString(file, Files.readString(file).replace("https://127.0.0.1", "http://127.0.0.2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(file, "").token(directory.resolve("token"))))
                .withMessageContaining("use https");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://me:my-secret@127", "https://me:my secret@127"})
    void aPasswordInTheServersAddressIsRefusedAndNotShown(String address) throws Exception {
        Path file = kubeconfig("{token: t}");
        Files.writeString(file, Files.readString(file).replace("https://127", address));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(file, "")))
                .withMessageContaining(file + ": ")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"users: null", "users: [{name: me}]", "users: [{name: me, user: {token: ''}}]"})
    void aServerWithoutTlsNeedsNoUser(String users) throws Exception {
        Path file = kubeconfig("{}");
        String text = Files.readString(file).replace("https://127.0.0.1", "http://127.0.0.2");
        Files.writeString(file, text.substring(0, text.indexOf("users:")) + users + "\n");
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(file, ""))) {
            assertThat(cluster).asString().contains("http://127.0.0.2");
        }
    }

    @Test
    void aProgramGivesTheToken() throws Exception {
        Path program = Files.writeString(
                directory.resolve("login"),
                "#!/bin/sh\necho '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\","
                        + " \"status\": {\"token\": \"from-program\"}}'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path file = kubeconfig("{exec: {apiVersion: client.authentication.k8s.io/v1, command: \"" + program
                + "\", interactiveMode: Never}}");
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(file, ""))) {
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(server.tokens).containsExactly("Bearer from-program");
    }

    @Test
    void aTokenIsReadFromTheFileThatTheKubeconfigNames() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "first\n");
        Path file = kubeconfig("{token: stale, tokenFile: token}");
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(file, ""))) {
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
            Files.writeString(token, "second\n");
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");

            kubeconfig("{token: in-the-file}");
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(server.tokens).containsExactly("Bearer first", "Bearer second", "Bearer in-the-file");
    }

    @Test
    void aProgramGivesACertificateAndAnotherOneWhenTheServerRefusesTheFirst() throws Exception {
        server.close();
        server = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), true));
        Path file = kubeconfig("{exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/cat, args: [\""
                + credential("first") + "\"], interactiveMode: Never}}");
        AtomicLong clock = new AtomicLong();
        try (ApiServer asked = new ApiServer(Access.kubeconfig(file, ""), RequestRate.standard(), clock::get)) {
            server.answer(200, PODS);
            assertThat(asked.ask("list", "/api/v1/pods").success()).isTrue();
            credential("second");
            server.answer(401, "{}");
            assertThat(asked.ask("list", "/api/v1/pods").code()).isEqualTo(401);
            server.answer(401, "{}");
            assertThat(asked.ask("list", "/api/v1/pods").code()).isEqualTo(401);
            clock.set(TimeUnit.SECONDS.toNanos(10));
            server.answer(200, PODS);
            assertThat(asked.ask("list", "/api/v1/pods").success()).isTrue();
        }
        assertThat(server.clients).containsExactly("CN=first", "CN=first", "CN=first", "CN=second");
    }

    /** What a program prints: PEM, and not base64 of it. */
    private Path credential(String user) throws Exception {
        TestAuthority.Issued client = authority.client(user, TestAuthority.ellipticKeys());
        return Files.writeString(
                directory.resolve("credential"),
                "{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {"
                        + "\"clientCertificateData\": \""
                        + client.certificatePem().replace("\n", "\\n") + "\", "
                        + "\"clientKeyData\": \"" + client.keyPem().replace("\n", "\\n") + "\"}}");
    }

    @Test
    void aCertificateInTheFileIsShown() throws Exception {
        TestAuthority.Issued client = authority.client("me", TestAuthority.ellipticKeys());
        server.close();
        server = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), true));
        Path file = kubeconfig("{client-certificate-data: " + base64(client.certificatePem()) + ", client-key-data: "
                + base64(client.keyPem()) + "}");
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(file, ""))) {
            server.answer(200, PODS);
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(server.clients).containsExactly("CN=me");
    }

    /** The kubeconfig names the authorities of a private cluster: no public authority may vouch for that. */
    @Test
    void theServerMustHaveACertificateOfTheNamedAuthorities() throws Exception {
        Path file = kubeconfig("{token: my-secret}");
        authority = new TestAuthority("authority");
        kubeconfig("{token: my-secret}");
        try (HttpCluster cluster = HttpCluster.of(Access.kubeconfig(file, ""))) {
            assertThat(catchThrowable(() -> listing(cluster)))
                    .hasMessageContaining("the server's certificate is not trusted")
                    .hasMessageNotContaining("my-secret");
        }
        assertThat(server.tokens).isEmpty();
    }

    @Test
    void whatIsNoKubeconfigIsSaid() throws Exception {
        Path absent = directory.resolve("absent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(absent, "")))
                .withMessage(absent + ": there is no such file");
        Path garbage = Files.writeString(directory.resolve("garbage"), "token: [my-secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.kubeconfig(garbage, "")))
                .withMessage(garbage + ": it is no kubeconfig that can be read");
    }

    @Test
    void aProcessOutsideOfAPodHasNoServiceAccount() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.inCluster(Map.of()))
                .withMessageContaining("KUBERNETES_SERVICE_HOST is not set");
    }
}
