package io.volume4j.examples.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways to a server that a kubeconfig or a pod names beyond an address: another TLS name, a proxy, OIDC, a service account. */
@Timeout(120)
class UsersAccessTest {
    private static final String PODS =
            "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": []}";

    @TempDir
    private Path directory;

    private final MockWebServer server = new MockWebServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private HeldCertificate serve(String... names) throws IOException {
        HeldCertificate.Builder builder = new HeldCertificate.Builder();
        for (String name : names) {
            builder.addSubjectAlternativeName(name);
        }
        HeldCertificate certificate = builder.build();
        server.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .build()
                .sslSocketFactory());
        server.start(InetAddress.getLoopbackAddress(), 0);
        return certificate;
    }

    private void answer(String body) {
        server.enqueue(new MockResponse.Builder()
                .code(200)
                .addHeader("Content-Type", "application/json")
                .body(body)
                .build());
    }

    private Access kubeconfig(String address, HeldCertificate certificate, String more, String user)
            throws IOException {
        Path file = Files.writeString(
                directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts:
                - name: here
                  context: {cluster: real, user: me}
                clusters:
                - name: real
                  cluster: {server: "%s", certificate-authority-data: %s%s}
                users:
                - name: me
                  user: %s
                """.formatted(address, base64(certificate.certificatePem()), more, user));
        return Access.kubeconfig(file, "");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String listing(HttpCluster cluster) {
        return cluster.list(Kind.POD, Selection.all()).revision();
    }

    private RecordedRequest request() throws InterruptedException {
        RecordedRequest request = server.takeRequest(1, TimeUnit.MINUTES);
        assertThat(request).isNotNull();
        return request;
    }

    @Test
    void theServerMayShowTheNameThatTheKubeconfigGivesIt() throws Exception {
        HeldCertificate certificate = serve("api.internal");
        String address = "https://127.0.0.1:" + server.getPort();
        answer(PODS);
        try (HttpCluster cluster =
                HttpCluster.of(kubeconfig(address, certificate, ", tls-server-name: api.internal", "{token: t}"))) {
            assertThat(listing(cluster)).isEqualTo("9");
        }
        try (HttpCluster cluster =
                HttpCluster.of(kubeconfig(address, certificate, ", tls-server-name: api.elsewhere", "{token: t}"))) {
            assertThat(catchThrowable(() -> listing(cluster)))
                    .hasMessageContaining("the server's certificate is not trusted");
        }
        try (HttpCluster cluster = HttpCluster.of(kubeconfig(address, certificate, "", "{token: t}"))) {
            assertThat(catchThrowable(() -> listing(cluster)))
                    .hasMessageContaining("the server's certificate is not trusted");
        }
    }

    @Test
    void requestsGoThroughTheProxyOfTheKubeconfig() throws Exception {
        HeldCertificate certificate = serve("api.test");
        server.enqueue(new MockResponse.Builder().inTunnel().build());
        answer(PODS);
        try (HttpCluster cluster = HttpCluster.of(kubeconfig(
                "https://api.test:6443",
                certificate,
                ", proxy-url: \"http://127.0.0.1:" + server.getPort() + "\"",
                "{token: t}"))) {
            assertThat(listing(cluster)).isEqualTo("9");
        }
        RecordedRequest tunnel = request();
        assertThat(tunnel.getMethod()).isEqualTo("CONNECT");
        assertThat(tunnel.getHeaders().get("Authorization")).isNull();
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer t");
    }

    @Test
    void aProxyThatThisClientCannotUseIsSaid() throws Exception {
        HeldCertificate certificate = serve("api.test");
        for (String proxy : new String[] {"https://proxy:443", "http://proxy", "proxy:80"}) {
            assertThat(catchThrowable(() -> HttpCluster.of(kubeconfig(
                            "https://api.test:6443", certificate, ", proxy-url: \"" + proxy + "\"", "{token: t}"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("config: proxy-url of cluster \"real\"")
                    .hasMessageContaining("give http://HOST:PORT");
        }
        assertThat(catchThrowable(() -> HttpCluster.of(kubeconfig(
                        "https://api.test:6443",
                        certificate,
                        ", proxy-url: \"http://me:my-secret@proxy:80\", tls-server-name: a",
                        "{token: t}"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this client can do one of them")
                .hasMessageNotContaining("my-secret");
    }

    @Test
    void requestsAreMadeOnBehalfOfTheUserThatTheKubeconfigNames() throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        answer(PODS);
        try (HttpCluster cluster = HttpCluster.of(kubeconfig(
                issuer(),
                certificate,
                "",
                "{token: t, as: restricted, as-groups: [a, b], as-user-extra: {reason: [trial]}}"))) {
            assertThat(listing(cluster)).isEqualTo("9");
        }
        RecordedRequest request = request();
        assertThat(request.getHeaders().get("Authorization")).isEqualTo("Bearer t");
        assertThat(request.getHeaders().get("Impersonate-User")).isEqualTo("restricted");
        assertThat(request.getHeaders().values("Impersonate-Group")).containsExactly("a", "b");
        assertThat(request.getHeaders().get("Impersonate-Extra-reason")).isEqualTo("trial");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{token: t, as: restricted, as-uid: u}", "{token: t, as-groups: [a]}"})
    void aUserWhomThisClientCannotBeIsRefused(String user) throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(kubeconfig(issuer(), certificate, "", user)))
                .withMessageStartingWith(directory.resolve("config") + ": ")
                .withMessageContaining("as-");
    }

    @Test
    void aPodUsesItsServiceAccountAndTheTokenThatReplacesIt() throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        Files.writeString(directory.resolve("ca.crt"), certificate.certificatePem());
        Files.writeString(directory.resolve("token"), "first");
        answer(PODS);
        answer(PODS);
        Map<String, String> environment = Map.of(
                "KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
        try (HttpCluster cluster = HttpCluster.of(Access.inCluster(environment, directory))) {
            assertThat(listing(cluster)).isEqualTo("9");
            Files.writeString(directory.resolve("token"), "second");
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer first");
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer second");
    }

    @Test
    void anAddressOfIpv6StandsInBrackets() throws Exception {
        try (HttpCluster cluster =
                HttpCluster.of(Access.inCluster(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1"), serviceAccount()))) {
            assertThat(cluster).asString().contains("https://[fd00::1]:443");
        }
    }

    private Path serviceAccount() throws IOException {
        Files.writeString(
                directory.resolve("ca.crt"),
                new HeldCertificate.Builder().build().certificatePem());
        Files.writeString(directory.resolve("token"), "t");
        return directory;
    }

    @Test
    void aProgramIsAskedAgainWhenTheServerRefusesItsToken() throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        Path given = Files.writeString(directory.resolve("given"), "first");
        Path program = Files.writeString(
                directory.resolve("login"),
                "#!/bin/sh\necho '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\","
                        + " \"status\": {\"token\": \"'\"$(cat " + given + ")\"'\"}}'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String user = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: \"" + program
                + "\", interactiveMode: Never}}";
        answer(PODS);
        server.enqueue(new MockResponse.Builder().code(401).build());
        answer(PODS);
        try (HttpCluster cluster = HttpCluster.of(kubeconfig(issuer(), certificate, "", user))) {
            assertThat(listing(cluster)).isEqualTo("9");
            Files.writeString(given, "second");
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer first");
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer first");
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer second");
    }

    @Test
    void aTokenOfOidcIsUsedAsLongAsItIsValid() throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        answer(PODS);
        String token = token(Instant.now().plusSeconds(3600));
        try (HttpCluster cluster = HttpCluster.of(oidc(certificate, token))) {
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer " + token);
    }

    @Test
    void anExpiredTokenOfOidcIsRenewedAtItsIssuer() throws Exception {
        HeldCertificate certificate = serve("127.0.0.1");
        String renewed = token(Instant.now().plusSeconds(3600));
        server.enqueue(new MockResponse.Builder().code(401).build());
        answer("{\"issuer\": \"" + issuer() + "\", \"token_endpoint\": \"" + issuer() + "/token\"}");
        answer("{\"id_token\": \"" + renewed + "\", \"refresh_token\": \"r2\"}");
        answer(PODS);
        try (HttpCluster cluster =
                HttpCluster.of(oidc(certificate, token(Instant.now().minusSeconds(60))))) {
            assertThat(listing(cluster)).isEqualTo("9");
        }
        assertThat(request().getTarget()).startsWith("/api/v1/pods");
        assertThat(request().getTarget()).endsWith("/.well-known/openid-configuration");
        RecordedRequest refresh = request();
        assertThat(refresh.getTarget()).isEqualTo("/token");
        assertThat(refresh.getBody().utf8()).contains("refresh_token=r1");
        assertThat(request().getHeaders().get("Authorization")).isEqualTo("Bearer " + renewed);
    }

    private String issuer() {
        return "https://127.0.0.1:" + server.getPort();
    }

    private Access oidc(HeldCertificate certificate, String token) throws IOException {
        String user = "{auth-provider: {name: oidc, config: {client-id: agent, client-secret: s, id-token: \"" + token
                + "\", refresh-token: r1, idp-issuer-url: \"" + issuer() + "\", idp-certificate-authority-data: "
                + base64(certificate.certificatePem()) + "}}}";
        return kubeconfig(issuer(), certificate, "", user);
    }

    /** A JSON Web Token (RFC 7519) with a signature that only a server would look at. */
    private static String token(Instant until) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String header = encoder.encodeToString("{\"alg\":\"RS256\"}".getBytes(UTF_8));
        String claims = encoder.encodeToString(("{\"exp\":" + until.getEpochSecond() + "}").getBytes(UTF_8));
        return header + "." + claims + ".c2lnbmF0dXJl";
    }
}
