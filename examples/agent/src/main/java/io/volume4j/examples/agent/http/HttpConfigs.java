package io.volume4j.examples.agent.http;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.OneLine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Config maps of the API server, and tokens of its service accounts, bound to their pods. */
final class HttpConfigs implements ConfigResolver {
    private final ApiServer server;
    private final Lists lists;
    private final String nodeName;

    /** @param nodeName the node whose pods may get tokens; other pods get none */
    HttpConfigs(ApiServer server, Lists lists, String nodeName) {
        this.server = server;
        this.lists = lists;
        this.nodeName = nodeName;
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
        String what = "read config map " + namespace + "/" + OneLine.name(name);
        try {
            return Entries.read(server, what, "configmaps", namespace, name).map(map -> {
                Map<String, byte[]> all = map.ofText("data");
                all.putAll(map.ofBase64("binaryData"));
                return all;
            });
        } catch (ClusterException failed) {
            throw HttpSecrets.failure(failed);
        }
    }

    @Override
    public Token token(TokenRequest request) {
        String what = "token for service account " + request.namespace() + "/" + request.serviceAccount();
        try {
            String path = ApiPath.inNamespace(what, request.namespace(), "serviceaccounts", request.serviceAccount());
            Map<String, @Nullable Object> answer =
                    server.call(what, "", "POST", path + "/token", body(what, request), ApiServer.JSON);
            Map<String, @Nullable Object> status = Json.map(answer, "status");
            String value = Json.text(status, "token");
            if (value.isEmpty()) {
                throw ObjectReader.unavailable(what, "the answer holds none");
            }
            return new Token(value, Instant.parse(Json.text(status, "expirationTimestamp")));
        } catch (ClusterException failed) {
            throw HttpSecrets.failure(failed);
        } catch (DateTimeException noTime) {
            throw VolumeException.transientFailure(what + server.at() + ": the answer does not say when it expires");
        }
    }

    private Map<String, @Nullable Object> body(String what, TokenRequest request) {
        Map<String, @Nullable Object> pod = new LinkedHashMap<>();
        pod.put("apiVersion", "v1");
        pod.put("kind", "Pod");
        pod.put("name", podName(what, request));
        pod.put("uid", request.podUid());
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        // An empty list means the API server itself.
        spec.put("audiences", request.audience().isEmpty() ? List.of() : List.of(request.audience()));
        spec.put("expirationSeconds", request.seconds());
        spec.put("boundObjectRef", pod);
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("apiVersion", "authentication.k8s.io/v1");
        body.put("kind", "TokenRequest");
        body.put("spec", spec);
        return body;
    }

    /** The server looks up the pod by its name, and compares the UID. */
    private String podName(String what, TokenRequest request) {
        for (ApiObject pod : lists.list(Kind.POD, Selection.ofNode(nodeName)).objects()) {
            if (pod.metadata().uid().equals(request.podUid())) {
                return pod.metadata().name();
            }
        }
        throw VolumeException.transientFailure(
                what + ": node " + nodeName + " has no pod with the UID " + request.podUid());
    }

    @Override
    public String toString() {
        return "HttpConfigs" + server.at();
    }
}
