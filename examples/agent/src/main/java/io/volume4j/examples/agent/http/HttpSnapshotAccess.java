package io.volume4j.examples.agent.http;

import io.volume4j.csi.SnapshotAccess;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server for the user of a token, and whether that user may get VolumeSnapshots of a namespace: a TokenReview,
 * then a SubjectAccessReview. Stores and logs no token.
 */
final class HttpSnapshotAccess implements SnapshotAccess {
    private final ApiServer server;
    private final String audience;

    /** @param audience that tokens must have */
    HttpSnapshotAccess(ApiServer server, String audience) {
        this.server = server;
        this.audience = audience;
    }

    @Override
    public Answer check(String token, String namespace) {
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        spec.put("token", token);
        spec.put("audiences", List.of(audience));
        Map<String, @Nullable Object> review =
                ask("review a token", "authentication.k8s.io", "TokenReview", "tokenreviews", spec);
        // A server without support for audiences returns none: its tokens are for the server itself.
        boolean forUs = review.get("audiences") instanceof List<?> audiences && audiences.contains(audience);
        if (!Boolean.TRUE.equals(review.get("authenticated")) || !forUs) {
            return Answer.unknownToken();
        }
        Map<String, @Nullable Object> decision = ask(
                "review an access",
                "authorization.k8s.io",
                "SubjectAccessReview",
                "subjectaccessreviews",
                access(Json.map(review, "user"), namespace));
        return Boolean.TRUE.equals(decision.get("allowed"))
                ? Answer.allowed()
                : Answer.denied(Json.text(decision, "reason"));
    }

    private static Map<String, @Nullable Object> access(Map<String, @Nullable Object> user, String namespace) {
        Map<String, @Nullable Object> what = new LinkedHashMap<>();
        what.put("namespace", namespace);
        what.put("verb", "get");
        what.put("group", "snapshot.storage.k8s.io");
        what.put("resource", "volumesnapshots");
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        spec.put("resourceAttributes", what);
        spec.put("user", user.get("username"));
        spec.put("uid", user.get("uid"));
        spec.put("groups", user.get("groups"));
        spec.put("extra", user.get("extra"));
        return spec;
    }

    /** The status of the server's answer. */
    private Map<String, @Nullable Object> ask(
            String what, String group, String kind, String resource, Map<String, @Nullable Object> spec) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("apiVersion", group + "/v1");
        body.put("kind", kind);
        body.put("spec", spec);
        Map<String, @Nullable Object> answer =
                server.call(what, "", "POST", "/apis/" + group + "/v1/" + resource, body, ApiServer.JSON);
        Map<String, @Nullable Object> status = Json.map(answer, "status");
        if (status.isEmpty()) {
            throw new ClusterException(Reason.UNAVAILABLE, what + server.at() + ": the answer says nothing");
        }
        return status;
    }

    @Override
    public String toString() {
        return "HttpSnapshotAccess" + server.at();
    }
}
