package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom the adapter believes, and as whom it is believed. */
@Timeout(120)
class HttpsTest {
    private static final String PODS =
            "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": []}";

    @TempDir
    Path directory;

    private TestAuthority authority;
    private Path authorities;
    private ScriptedServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new TestAuthority("authority");
        authorities = Files.writeString(directory.resolve("ca.crt"), "Made by a test.\n" + authority.pem());
        server = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), false));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static URI at(ScriptedServer server) {
        return URI.create("https://127.0.0.1:" + server.port());
    }

    private static ClusterException refusal(HttpCluster cluster) {
        return catchThrowableOfType(ClusterException.class, () -> cluster.list(Kind.POD, Selection.all()));
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aServerThatTheAuthorityVouchesForIsBelieved() throws Exception {
        Path token = write("token", "first");
        try (HttpCluster cluster =
                HttpCluster.of(Access.to(at(server)).authorities(authorities).token(token))) {
            server.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).revision()).isEqualTo("9");
            write("token", "second");
            server.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).objects()).isEmpty();
        }
        assertThat(server.tokens).containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void aWatchGoesOverTlsToo() throws Exception {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(
                200,
                "{\"type\": \"BOOKMARK\", \"object\": {\"kind\": \"Pod\", \"metadata\": {\"resourceVersion\": \"12\"}}}\n");
        try (HttpCluster cluster = HttpCluster.of(Access.to(at(server)).authorities(authorities));
                var watch = cluster.watch(Kind.POD, Selection.all(), "9", events::add)) {
            assertThat(watch).isNotNull();
            WatchEvent event = events.poll(1, TimeUnit.MINUTES);
            assertThat(event).isEqualTo(WatchEvent.bookmark("12"));
        }
    }

    @Test
    void aReadingIsAnsweredAfterAllConnectionsBroke() throws Exception {
        try (BreakingProxy way = new BreakingProxy(URI.create("http://127.0.0.1:" + server.port()));
                HttpCluster cluster = HttpCluster.of(
                        Access.to(URI.create("https://127.0.0.1:" + way.uri().getPort()))
                                .authorities(authorities))) {
            for (int i = 0; i < 20; i++) {
                server.answer(200, PODS);
                assertThat(cluster.list(Kind.POD, Selection.all()).revision()).isEqualTo("9");
                way.breakAll();
            }
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsSentNothing() throws Exception {
        Path others = write("others.crt", new TestAuthority("authority").pem());
        Path token = write("token", "my-secret");
        try (HttpCluster cluster =
                HttpCluster.of(Access.to(at(server)).authorities(others).token(token))) {
            ClusterException refused = refusal(cluster);

            assertThat(refused.reason()).isEqualTo(Reason.UNAVAILABLE);
            assertThat(refused.getMessage())
                    .startsWith("list Pod at " + at(server) + ": the server's certificate is not trusted: ")
                    .doesNotContain("my-secret");
        }
        assertThat(server.tokens).isEmpty();
    }

    @Test
    void aServerIsNotBelievedWithoutAnyoneWhoVouchesForIt() {
        try (HttpCluster cluster = HttpCluster.of(Access.to(at(server)))) {
            assertThat(refusal(cluster).getMessage()).contains("the server's certificate is not trusted");
        }
    }

    @Test
    void aCertificateOfAnotherServerIsNotBelieved() throws Exception {
        try (ScriptedServer elsewhere = new ScriptedServer(authority.serve(authority.server(10, 0, 0, 1), false));
                HttpCluster cluster = HttpCluster.of(Access.to(at(elsewhere)).authorities(authorities))) {
            assertThat(refusal(cluster).getMessage())
                    .contains("the server's certificate is not trusted")
                    .contains("127.0.0.1");
            assertThat(elsewhere.requests).isEmpty();
        }
    }

    /** As authorities are renewed: the new one first stands beside the old one, which then goes. */
    @Test
    void authoritiesAreReadAnewForEachRequest() throws Exception {
        TestAuthority another = new TestAuthority("another");
        try (HttpCluster cluster = HttpCluster.of(Access.to(at(server)).authorities(authorities))) {
            server.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).objects()).isEmpty();

            write("ca.crt", another.pem());
            assertThat(refusal(cluster).getMessage()).contains("is not trusted");

            write("ca.crt", "");
            assertThat(refusal(cluster).getMessage()).contains("ca.crt: no certificates (PEM) in it");

            Files.delete(authorities);
            assertThat(refusal(cluster).getMessage()).contains("ca.crt: there is no such file");

            write("ca.crt", another.pem() + authority.pem());
            server.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).objects()).isEmpty();
        }
        assertThat(server.requests).hasSize(2);
    }

    @Test
    void aClientShowsItsCertificateAndTheOneThatReplacesIt() throws Exception {
        KeyPair keys = TestAuthority.ellipticKeys();
        Path certificate = write("client.crt", authority.client("first", keys).certificatePem());
        Path key = write("client.key", authority.client("first", keys).keyPem());
        try (ScriptedServer asking = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), true));
                HttpCluster cluster = HttpCluster.of(
                        Access.to(at(asking)).authorities(authorities).certificate(certificate, key))) {
            asking.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).revision()).isEqualTo("9");

            write("client.crt", authority.client("second", keys).certificatePem());
            asking.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).revision()).isEqualTo("9");

            assertThat(asking.clients).containsExactly("CN=first", "CN=second");
        }
    }

    @Test
    void aServerThatWantsACertificateIsNotServedWithoutOneOrWithAnotherAuthoritys() throws Exception {
        TestAuthority.Issued other = new TestAuthority("authority").client("stranger", TestAuthority.ellipticKeys());
        Path both = write("client.pem", other.certificatePem() + other.keyPem());
        try (ScriptedServer asking = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), true))) {
            Access anonymous = Access.to(at(asking)).authorities(authorities);
            for (Access access : new Access[] {anonymous, anonymous.certificate(both, both)}) {
                try (HttpCluster cluster = HttpCluster.of(access)) {
                    assertThat(refusal(cluster).reason()).isEqualTo(Reason.UNAVAILABLE);
                }
            }
            assertThat(asking.requests).isEmpty();
        }
    }

    private enum Form {
        PKCS_8,
        PKCS_1,
        SEC_1
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void keysAreReadAsKubernetesToolsWriteThem(Form form) throws Exception {
        KeyPair keys = TestAuthority.ellipticKeys();
        if (form == Form.PKCS_1) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            keys = generator.generateKeyPair();
        }
        TestAuthority.Issued client = authority.client("agent", keys);
        String text = switch (form) {
            case PKCS_8 -> client.keyPem();
            // The last value of the envelope, which has a length of two bytes as the envelope has.
            case PKCS_1 ->
                TestAuthority.pem(
                        "RSA PRIVATE KEY",
                        Arrays.copyOfRange(
                                keys.getPrivate().getEncoded(),
                                26,
                                keys.getPrivate().getEncoded().length));
            case SEC_1 -> TestAuthority.pem("EC PRIVATE KEY", sec1((ECPrivateKey) keys.getPrivate()));
        };
        Path both = write("client.pem", client.certificatePem() + text);
        try (ScriptedServer asking = new ScriptedServer(authority.serve(authority.server(127, 0, 0, 1), true));
                HttpCluster cluster = HttpCluster.of(
                        Access.to(at(asking)).authorities(authorities).certificate(both, both))) {
            asking.answer(200, PODS);
            assertThat(cluster.list(Kind.POD, Selection.all()).revision()).isEqualTo("9");
            assertThat(asking.clients).containsExactly("CN=agent");
        }
    }

    /** RFC 5915, of the curve secp256r1. */
    private static byte[] sec1(ECPrivateKey key) {
        byte[] number = key.getS().toByteArray();
        byte[] secret = new byte[32];
        int taken = Math.min(32, number.length);
        System.arraycopy(number, number.length - taken, secret, 32 - taken, taken);
        byte[] curve = {6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 3, 1, 7};
        return TestAuthority.der(
                0x30,
                TestAuthority.der(2, new byte[] {1}),
                TestAuthority.der(4, secret),
                TestAuthority.der(0xa0, curve));
    }

    @Test
    void whatCannotBeUsedIsSaidWithItsFileAndWithoutItsContent() throws Exception {
        TestAuthority.Issued client = authority.client("agent", TestAuthority.ellipticKeys());
        Path certificate = write("client.crt", client.certificatePem());
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        String ofRsa = TestAuthority.pem(
                "PRIVATE KEY", rsa.generateKeyPair().getPrivate().getEncoded());
        String secret = "c2VjcmV0";
        for (String[] wrong : new String[][] {
            {"", "no private key (PEM) in it"},
            {client.certificatePem(), "no private key (PEM) in it"},
            {"-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----", "cannot be read"},
            {"-----BEGIN EC PRIVATE KEY-----\n" + secret + "\n-----END EC PRIVATE KEY-----", "cannot be read"},
            {"-----BEGIN RSA PRIVATE KEY-----\n" + secret + "\n-----END RSA PRIVATE KEY-----", "cannot be read"},
            {"-----BEGIN PRIVATE KEY-----\n" + secret + "=x\n-----END PRIVATE KEY-----", "cannot be read"},
            {
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + secret + "\n-----END ENCRYPTED PRIVATE KEY-----",
                "cannot be read"
            },
            {ofRsa, "it is of RSA"},
        }) {
            Path key = write("client.key", wrong[0]);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HttpCluster.of(Access.to(at(server)).certificate(certificate, key)))
                    .withMessageStartingWith(key + ": ")
                    .withMessageContaining(wrong[1])
                    .satisfies(said -> assertThat(said.getMessage()).doesNotContain(secret));
        }
        Path absent = directory.resolve("absent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.of(Access.to(at(server)).authorities(absent)))
                .withMessage(absent + ": there is no such file");
    }
}
