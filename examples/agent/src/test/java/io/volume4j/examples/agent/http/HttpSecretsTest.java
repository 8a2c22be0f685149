package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.SecretRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What plugins get of a cluster that is no object of the library's: secrets, config maps, tokens. */
@Timeout(120)
class HttpSecretsTest {
    private static final SecretRef S = new SecretRef("ns", "s");
    private static final String SECRET = """
            {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s", "namespace": "ns"},
             "data": {"user": "bWU=", "password": "aHVudGVyMg=="}}""";
    private static final String ABSENT = """
            {"kind": "Status", "code": 404, "reason": "NotFound", "message": "no s", "details": {"name": "s"}}""";

    private ScriptedServer server;
    private HttpCluster cluster;
    private SecretResolver secrets;
    private ConfigResolver configs;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        cluster = HttpCluster.of(Access.to(server.uri()));
        secrets = cluster.secrets();
        configs = cluster.configs("here");
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.close();
    }

    private static VolumeException failure(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }

    @Test
    void aSecretIsReadByItsNameWheneverItIsNeeded() {
        server.answer(200, SECRET);
        server.answer(200, SECRET.replace("bWU=", "eW91"));

        assertThat(secrets.resolve(S).values()).isEqualTo(Map.of("user", "me", "password", "hunter2"));
        assertThat(secrets.resolve(S).values()).containsEntry("user", "you");
        assertThat(server.requests)
                .containsExactly("GET /api/v1/namespaces/ns/secrets/s", "GET /api/v1/namespaces/ns/secrets/s");
    }

    @Test
    void aSecretMayBeBinaryForVolumesAndNotForStorage() {
        String binary = SECRET.replace("bWU=", "/wD+");
        server.answer(200, binary);
        server.answer(200, binary);

        assertThat(secrets.content(S).orElseThrow().get("user")).containsExactly(0xff, 0x00, 0xfe);
        assertThat(failure(() -> secrets.resolve(S)).getMessage())
                .contains("secret ns/s holds no text at the key user");
    }

    @Test
    void onlyAServerThatSaysSoHasNoSuchSecret() {
        server.answer(404, ABSENT);
        assertThat(secrets.content(S)).isEmpty();

        server.answer(404, ABSENT);
        VolumeException missing = failure(() -> secrets.resolve(S));
        assertThat(missing.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(missing.reason()).isEqualTo("secret ns/s does not exist");

        for (String other : List.of("404 page not found", "", ABSENT.replace("\"name\": \"s\"", ""))) {
            server.answer(404, other);
            assertThat(failure(() -> secrets.content(S)).kind()).isEqualTo(FailureKind.TRANSIENT);
        }
        server.answer(200, SECRET.replace("\"ns\"", "\"another\""));
        assertThat(failure(() -> secrets.content(S)).getMessage()).contains("something else");
    }

    @Test
    void whoMayNotReadItIsToldWhatToDo() {
        server.answer(403, ABSENT.replace("404", "403").replace("NotFound", "Forbidden"));

        VolumeException refused = failure(() -> secrets.resolve(S));

        assertThat(refused.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(refused.reason()).isEqualTo("read secret ns/s at " + server.uri() + ": 403: no s");
        assertThat(refused.advice()).isEqualTo("allow the agent's user to do that");
    }

    @Test
    void nothingOfASecretIsEverShown() {
        List<Throwable> said = new ArrayList<>();
        for (String wrong : List.of(
                SECRET.replace("aHVudGVyMg==", "hunter2!"),
                SECRET.replace("\"aHVudGVyMg==\"", "[\"hunter2\"]"),
                SECRET.replace("aHVudGVyMg==", "aHVudGVyMv8="),
                SECRET.replace("\"data\"", "\"data\"\"hunter2\""),
                SECRET.replace("\"s\"", "\"t\""))) {
            server.answer(200, wrong);
            said.add(failure(() -> secrets.resolve(S)));
        }
        server.answer(200, SECRET);

        assertThat(secrets.resolve(S).toString() + secrets).doesNotContain("hunter2");
        assertThat(said).hasSize(5).doesNotContainNull();
        for (Throwable each : said) {
            StringWriter trace = new StringWriter();
            each.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain("hunter").doesNotContain("aHVudGVy");
        }
    }

    @Test
    void namesStayInTheirPlaceOfThePath() {
        assertThat(failure(() -> secrets.resolve(new SecretRef("", "s"))).getMessage())
                .contains("no name of a stored object");
        for (SecretRef odd : List.of(
                new SecretRef("ns", ""),
                new SecretRef("..", "s"),
                new SecretRef("ns", "."),
                new SecretRef("n/s", "a/../b"),
                new SecretRef("ns", "a/b"))) {
            assertThat(failure(() -> secrets.resolve(odd)).getMessage()).contains("does not exist");
        }
        assertThat(server.requests).isEmpty();
    }

    @Test
    void aConfigMapHasTextsAndBytes() {
        server.answer(200, """
                {"metadata": {"name": "c", "namespace": "ns"}, "data": {"a": "x"}, "binaryData": {"b": "/w=="}}""");
        server.answer(404, ABSENT.replace("\"s\"", "\"c\""));

        Map<String, byte[]> map = configs.configMap("ns", "c").orElseThrow();

        assertThat(map).containsOnlyKeys("a", "b");
        assertThat(new String(map.get("a"), StandardCharsets.UTF_8)).isEqualTo("x");
        assertThat(map.get("b")).containsExactly(0xff);
        assertThat(configs.configMap("ns", "c")).isEqualTo(Optional.empty());
        assertThat(server.requests.get(0)).isEqualTo("GET /api/v1/namespaces/ns/configmaps/c");
    }

    @Test
    void aTokenIsBoundToThePodThatGetsIt() {
        server.answer(200, """
                {"kind": "PodList", "metadata": {"resourceVersion": "9"}, "items": [
                  {"metadata": {"name": "p", "namespace": "ns", "uid": "u", "resourceVersion": "7"}, "spec": {"nodeName": "here"}}]}""");
        server.answer(201, """
                {"kind": "TokenRequest", "status": {"token": "a.b.c", "expirationTimestamp": "2026-11-22T01:00:00Z"}}""");

        ConfigResolver.Token token = configs.token(new TokenRequest("ns", "u", "account", "vault", 3600));

        assertThat(token.value()).isEqualTo("a.b.c");
        assertThat(token.expires()).isEqualTo(Instant.parse("2026-11-22T01:00:00Z"));
        assertThat(server.requests)
                .containsExactly(
                        "GET /api/v1/pods?fieldSelector=spec.nodeName%3Dhere&limit=500",
                        "POST /api/v1/namespaces/ns/serviceaccounts/account/token {\"apiVersion\":\"authentication.k8s.io/v1\","
                                + "\"kind\":\"TokenRequest\",\"spec\":{\"audiences\":[\"vault\"],\"expirationSeconds\":3600,"
                                + "\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\"}}}");
    }

    @Test
    void thereIsNoTokenForAPodOfAnotherNodeAndNoneThatDoesNotSayWhenItEnds() {
        String pods = "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [%s]}";
        TokenRequest request = new TokenRequest("ns", "u", "account", "", 3600);
        server.answer(200, pods.formatted(""));
        assertThat(failure(() -> configs.token(request)).getMessage()).contains("node here has no pod with the UID u");

        String pod =
                "{\"metadata\": {\"name\": \"p\", \"namespace\": \"ns\", \"uid\": \"u\", \"resourceVersion\": \"7\"}}";
        for (String status :
                List.of("{}", "{\"token\": \"a.b.c\"}", "{\"token\": \"a.b.c\", \"expirationTimestamp\": \"soon\"}")) {
            server.answer(200, pods.formatted(pod));
            server.answer(201, "{\"kind\": \"TokenRequest\", \"status\": " + status + "}");
            VolumeException failure = failure(() -> configs.token(request));
            assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failure.getMessage()).doesNotContain("a.b.c");
        }
        assertThat(server.requests.get(2)).contains("\"audiences\":[]");
    }
}
