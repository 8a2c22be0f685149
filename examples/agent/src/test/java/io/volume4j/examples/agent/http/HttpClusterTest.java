package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static io.volume4j.examples.agent.http.Answers.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where objects are read and written, and what refusals mean. */
@Timeout(120)
class HttpClusterTest extends HttpClusterBench {
    private static Patch patch(FieldChange... changes) {
        return new Patch(new Preconditions("u", "7"), false, List.of(changes));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POD                      | /api/v1/pods                                                         | default
            NODE                     | /api/v1/nodes                                                        |
            PERSISTENT_VOLUME        | /api/v1/persistentvolumes                                            |
            STORAGE_CLASS            | /apis/storage.k8s.io/v1/storageclasses                               |
            CSI_STORAGE_CAPACITY     | /apis/storage.k8s.io/v1/csistoragecapacities                         | default
            VOLUME_ATTRIBUTES_CLASS  | /apis/storage.k8s.io/v1/volumeattributesclasses                      |
            REFERENCE_GRANT          | /apis/gateway.networking.k8s.io/v1beta1/referencegrants              | default
            VOLUME_GROUP_SNAPSHOT    | /apis/groupsnapshot.storage.k8s.io/v1beta2/volumegroupsnapshots      | default
            """)
    void everyKindHasItsPath(Kind kind, String all, String namespaced) {
        assertThat(ApiPath.all(kind)).isEqualTo(all);
        String last = all.substring(all.lastIndexOf('/') + 1);
        String group = all.substring(0, all.length() - last.length());
        String object = namespaced == null ? all + "/x" : group + "namespaces/default/" + last + "/x";
        assertThat(ApiPath.object(new ObjectKey(kind, "default", "x"))).isEqualTo(object);
    }

    @Test
    void onlyAServerThatSaysSoHasNoSuchObject() {
        server.answer(404, status(404, "NotFound", "\"name\": \"c\""));
        assertThat(cluster.readLive(C)).isEmpty();

        for (String other : List.of(
                "404 page not found", "", status(404, "NotFound", ""), status(404, "NotFound", "\"name\": \"d\""))) {
            server.answer(404, other);
            assertThat(refusal(() -> cluster.readLive(C)).reason()).isEqualTo(Reason.UNAVAILABLE);
        }
        server.answer(200, CLAIM.replace("\"c\"", "\"another\""));
        assertThat(refusal(() -> cluster.readLive(C)).reason()).isEqualTo(Reason.UNAVAILABLE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            400 | BadRequest            |                                        | INVALID
            401 | Unauthorized          |                                        | UNAVAILABLE
            403 | Forbidden             |                                        | FORBIDDEN
            404 | NotFound              | "name": "c"                            | NOT_FOUND
            404 | NotFound              |                                        | UNAVAILABLE
            409 | Conflict              |                                        | CONFLICT
            409 | AlreadyExists         |                                        | ALREADY_EXISTS
            413 | RequestEntityTooLarge |                                        | INVALID
            415 | UnsupportedMediaType  |                                        | INVALID
            422 | Invalid               | "causes": [{"field": "spec.x"}]        | INVALID
            422 | Invalid               | "causes": [{"field": "metadata.uid"}]  | CONFLICT
            429 | TooManyRequests       |                                        | UNAVAILABLE
            302 | Found                 |                                        | UNAVAILABLE
            500 | InternalError         |                                        | UNAVAILABLE
            503 | ServiceUnavailable    |                                        | UNAVAILABLE
            504 | Timeout               |                                        | UNAVAILABLE
            """)
    void refusalsKeepTheirMeaning(int code, String reason, String details, Reason meaning) {
        server.answer(code, status(code, reason, details == null ? "" : details));

        ClusterException refused = refusal(() -> cluster.patch(C, patch(FieldChange.set("v", "spec", "volumeName"))));

        assertThat(refused.reason()).isEqualTo(meaning);
        assertThat(refused.getMessage())
                .isEqualTo("patch PersistentVolumeClaim/ns/c at " + server.uri() + ": " + code + ": because");
    }

    @Test
    void aWriteWithoutAnAnswerMayHaveBeenDone() {
        server.close();

        assertThat(refusal(() -> cluster.delete(C, Preconditions.none())).reason())
                .isEqualTo(Reason.UNAVAILABLE);
    }

    /** A server refuses an object to be made that names its own revision. */
    @Test
    void aNewObjectIsPostedWithoutWhatTheServerGives() {
        server.answer(201, CLAIM);
        ApiObject claim = Manifests.read("test", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: c, namespace: ns}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """).get(0);

        assertThat(cluster.create(claim).metadata().uid()).isEqualTo("u");

        assertThat(server.requests)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("POST /api/v1/namespaces/ns/persistentvolumeclaims {")
                .contains("\"apiVersion\":\"v1\"", "\"kind\":\"PersistentVolumeClaim\"")
                .doesNotContain("uid", "resourceVersion", "creationTimestamp");
    }

    @Test
    void aPatchSaysWhatItHoldsFor() {
        server.answer(200, CLAIM);
        server.answer(200, CLAIM);

        cluster.patch(
                C, patch(FieldChange.set("v", "spec", "volumeName"), FieldChange.remove("metadata", "labels", "x/y")));
        cluster.patch(C, new Patch(Preconditions.none(), true, List.of(FieldChange.set("Bound", "status", "phase"))));

        assertThat(server.requests)
                .containsExactly(
                        "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c {\"spec\":{\"volumeName\":\"v\"},"
                                + "\"metadata\":{\"labels\":{\"x/y\":null},\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
                        "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c/status "
                                + "{\"status\":{\"phase\":\"Bound\"},\"metadata\":{}}");
    }

    @Test
    void aMapIsPatchedAgainstWhatIsStored() {
        server.answer(200, CLAIM);
        server.answer(200, CLAIM);

        cluster.patch(
                C,
                new Patch(
                        Preconditions.none(), false, List.of(FieldChange.set(Map.of("b", "3"), "metadata", "labels"))));

        assertThat(server.requests.get(1))
                .endsWith(
                        "{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"3\"},\"uid\":\"u\",\"resourceVersion\":\"7\"}}");
    }

    @Test
    void aMapForAnotherRevisionIsNotEvenSent() {
        server.answer(200, CLAIM);
        Patch late = new Patch(
                new Preconditions("u", "6"), false, List.of(FieldChange.set(Map.of("b", "3"), "metadata", "labels")));

        assertThat(refusal(() -> cluster.patch(C, late)).reason()).isEqualTo(Reason.CONFLICT);
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aMapIsPatchedAnewWhenAnotherWriterWasFirst() {
        server.answer(200, CLAIM);
        server.answer(409, status(409, "Conflict", ""));
        server.answer(200, CLAIM.replace("\"7\"", "\"8\""));
        server.answer(200, CLAIM.replace("\"7\"", "\"9\""));

        var stored = cluster.patch(
                C,
                new Patch(
                        Preconditions.none(), false, List.of(FieldChange.set(Map.of("b", "3"), "metadata", "labels"))));

        assertThat(stored.metadata().resourceVersion()).isEqualTo("9");
        assertThat(server.requests.get(3)).contains("\"resourceVersion\":\"8\"");
    }

    @Test
    void requestsThatFollowEachOtherShareAConnection() {
        for (int i = 0; i < 10; i++) {
            server.answer(200, CLAIM);
            assertThat(cluster.readLive(C)).isPresent();
        }
        assertThat(server.clientPorts).hasSize(1);
    }

    @Test
    void namesThatNoObjectCanHaveAreNotAskedFor() {
        for (String odd : List.of("..", ".", "a/../b?c", "a/status", "Data_1", "?")) {
            assertThat(cluster.readLive(ObjectKey.volume(odd))).as(odd).isEmpty();
            assertThat(cluster.readLive(ObjectKey.claim(odd, "c"))).as(odd).isEmpty();
        }
        assertThat(refusal(() -> cluster.readLive(ObjectKey.claim("", "c"))).reason())
                .isEqualTo(Reason.INVALID);
        assertThat(server.requests).isEmpty();
    }

    @Test
    void namesStayInTheirPlaceOfThePath() {
        server.answer(503, "");
        ObjectKey odd = new ObjectKey(Kind.PERSISTENT_VOLUME, "", "a/../b?c");
        assertThat(refusal(() -> cluster.delete(odd, Preconditions.none())).reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests)
                .singleElement()
                .asString()
                .startsWith("DELETE /api/v1/persistentvolumes/a%2F..%2Fb%3Fc ");

        assertThat(refusal(() -> cluster.delete(ObjectKey.volume(".."), Preconditions.none()))
                        .reason())
                .isEqualTo(Reason.INVALID);
        assertThat(server.requests).hasSize(1);
    }
}
