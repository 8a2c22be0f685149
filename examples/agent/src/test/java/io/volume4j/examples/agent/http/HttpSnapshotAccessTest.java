package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.SnapshotAccess;
import io.volume4j.csi.SnapshotAccess.Answer;
import io.volume4j.spi.host.ClusterException;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API server says whose token it is, and whether that user may read snapshots. */
@Timeout(120)
class HttpSnapshotAccessTest {
    private static final String KNOWN = """
            {"kind": "TokenReview", "apiVersion": "authentication.k8s.io/v1", "status": {"authenticated": true, "audiences": ["backup"],
             "user": {"username": "system:serviceaccount:shop:backup", "uid": "u-1", "groups": ["system:serviceaccounts"],
                      "extra": {"authentication.kubernetes.io/pod-name": ["p"]}}}}""";
    private static final String ALLOWED = """
            {"kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "status": {"allowed": true}}""";

    @AutoClose
    private ScriptedServer server;

    @AutoClose
    private HttpCluster cluster;

    private SnapshotAccess access;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        cluster = HttpCluster.of(Access.to(server.uri()));
        access = cluster.snapshotAccess("backup");
    }

    @Test
    void aUserWhoMayGetSnapshotsMayReadTheirBlocks() {
        server.answer(201, KNOWN);
        server.answer(201, ALLOWED);

        assertThat(access.check("t0ken", "shop")).isEqualTo(Answer.allowed());
        assertThat(server.requests.get(0))
                .startsWith("POST /apis/authentication.k8s.io/v1/tokenreviews ")
                .contains("\"spec\":{\"token\":\"t0ken\",\"audiences\":[\"backup\"]}");
        assertThat(server.requests.get(1))
                .startsWith("POST /apis/authorization.k8s.io/v1/subjectaccessreviews ")
                .contains(
                        "\"resourceAttributes\":{\"namespace\":\"shop\",\"verb\":\"get\","
                                + "\"group\":\"snapshot.storage.k8s.io\",\"resource\":\"volumesnapshots\"}",
                        "\"user\":\"system:serviceaccount:shop:backup\",\"uid\":\"u-1\","
                                + "\"groups\":[\"system:serviceaccounts\"],"
                                + "\"extra\":{\"authentication.kubernetes.io/pod-name\":[\"p\"]}")
                .doesNotContain("t0ken");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"authenticated\": false, \"error\": \"expired\"}",
                "{\"error\": \"expired\"}",
                "{\"authenticated\": true, \"user\": {\"username\": \"a\"}}",
                "{\"authenticated\": true, \"audiences\": [\"other\"], \"user\": {\"username\": \"a\"}}",
            })
    void aTokenThatWasNotMadeForTheServiceIsOfNoUser(String status) {
        server.answer(201, "{\"kind\": \"TokenReview\", \"status\": " + status + "}");

        assertThat(access.check("t0ken", "shop")).isEqualTo(Answer.unknownToken());
        assertThat(server.requests).as("and no question about its user").hasSize(1);
    }

    @Test
    void theServersReasonIsTold() {
        server.answer(201, KNOWN);
        server.answer(201, ALLOWED.replace("\"allowed\": true", "\"allowed\": false, \"reason\": \"no role\""));

        assertThat(access.check("t0ken", "shop")).isEqualTo(Answer.denied("no role"));
    }

    @Test
    void aServerThatSaysNothingIsNotUnderstoodAsYes() {
        server.answer(201, "{\"kind\": \"TokenReview\"}");

        assertThatThrownBy(() -> access.check("t0ken", "shop"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("the answer says nothing")
                .message()
                .doesNotContain("t0ken");
        assertThatThrownBy(() -> access.check("t0ken", "shop"))
                .as("503")
                .isInstanceOf(ClusterException.class)
                .message()
                .doesNotContain("t0ken");
    }
}
