package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a server, and what its answers mean. */
@Timeout(120)
class HttpClusterTest {
    private static final ObjectKey C = ObjectKey.claim("ns", "c");
    private static final String CLAIM = """
            {"kind": "PersistentVolumeClaim", "apiVersion": "v1",
             "metadata": {"name": "c", "namespace": "ns", "uid": "u", "resourceVersion": "7", "labels": {"a": "1", "b": "2"}},
             "spec": {"accessModes": ["ReadWriteOnce"]}}""".replace("\n", " ");

    @TempDir
    Path directory;

    private ScriptedServer server;
    private HttpCluster cluster;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        cluster = HttpCluster.at(server.uri(), Access.anonymous());
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.close();
    }

    private static String list(String more, String... items) {
        return "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\", \"continue\": \""
                + more + "\"}, \"items\": [" + String.join(",", items) + "]}";
    }

    private static String status(int code, String reason, String details) {
        return "{\"kind\": \"Status\", \"code\": %d, \"reason\": \"%s\", \"message\": \"because\", \"details\": {%s}}"
                .formatted(code, reason, details);
    }

    private static ClusterException refusal(ThrowingCallable call) {
        return catchThrowableOfType(ClusterException.class, call);
    }

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
    void aListingIsPutTogetherFromItsPages() {
        server.answer(200, list("next page", CLAIM));
        server.answer(200, list("", CLAIM.replace("\"c\"", "\"d\"")));

        var listing = cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());

        assertThat(listing.objects()).extracting(each -> each.metadata().name()).containsExactly("c", "d");
        assertThat(listing.revision()).isEqualTo("9");
        assertThat(server.requests)
                .containsExactly(
                        "GET /api/v1/persistentvolumeclaims?limit=500",
                        "GET /api/v1/persistentvolumeclaims?limit=500&continue=next%20page");
    }

    @Test
    void aListingWhosePagesAreForgottenIsMadeAtOnce() {
        server.answer(200, list("next", CLAIM));
        server.answer(410, status(410, "Expired", ""));
        server.answer(200, list("", CLAIM, CLAIM.replace("\"c\"", "\"d\"")));

        assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects())
                .hasSize(2);
        assertThat(server.requests.get(2)).endsWith("limit=0");
    }

    private static final String GROUPS = """
            {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
              {"name": "storage.k8s.io", "versions": [{"groupVersion": "storage.k8s.io/v1", "version": "v1"}]}%s]}""";
    private static final String SNAPSHOTS = """
            , {"name": "snapshot.storage.k8s.io", "versions": [
                 {"groupVersion": "snapshot.storage.k8s.io/v1", "version": "v1"}]}""";
    private static final String RESOURCES = """
            {"kind": "APIResourceList", "groupVersion": "snapshot.storage.k8s.io/v1", "resources": [{"name": "%s"}]}""";
    private static final String NO_PAGE = "404 page not found";

    @Test
    void whatTheServersDirectoryDoesNotShowIsAnEmptyList() throws InterruptedException {
        HttpCluster soon = cluster.with(500, Duration.ofMillis(1));
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(""));

        var listing = soon.list(Kind.VOLUME_SNAPSHOT, Selection.all());

        assertThat(listing.objects()).isEmpty();
        assertThat(server.requests)
                .containsExactly("GET /apis/snapshot.storage.k8s.io/v1/volumesnapshots?limit=500", "GET /apis");
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        try (Watch watch = soon.watch(Kind.VOLUME_SNAPSHOT, Selection.all(), listing.revision(), events::add)) {
            assertThat(watch).isNotNull();
            assertThat(events.poll(1, TimeUnit.MINUTES))
                    .as("then it is looked for again")
                    .isEqualTo(WatchEvent.expired());
        }
        assertThat(server.requests).as("nothing is watched meanwhile").hasSize(2);

        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(SNAPSHOTS));
        server.answer(200, RESOURCES.formatted("volumesnapshotclasses"));
        assertThat(soon.list(Kind.VOLUME_SNAPSHOT, Selection.all()).objects()).isEmpty();
        assertThat(server.requests.get(4)).isEqualTo("GET /apis/snapshot.storage.k8s.io/v1");
    }

    @Test
    void aKindIsNotMissingBecauseItsPathIs() {
        for (String[] answers : new String[][] {
            {},
            {NO_PAGE},
            {"{}"},
            {"{\"kind\": \"APIGroupList\", \"groups\": []}"},
            {GROUPS.formatted(SNAPSHOTS)},
            {GROUPS.formatted(SNAPSHOTS), "{}"},
            {GROUPS.formatted(SNAPSHOTS), RESOURCES.formatted("volumesnapshots")},
        }) {
            server.forgetAnswers();
            server.answer(404, NO_PAGE);
            for (String answer : answers) {
                server.answer(200, answer);
            }
            assertThat(refusal(() -> cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()))
                            .reason())
                    .as("%s", List.of(answers))
                    .isEqualTo(Reason.UNAVAILABLE);
        }
        for (Kind needed : List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.STORAGE_CLASS, Kind.VOLUME_ATTACHMENT)) {
            server.forgetAnswers();
            server.answer(404, NO_PAGE);
            server.answer(200, GROUPS.formatted(""));
            assertThat(refusal(() -> cluster.list(needed, Selection.all())).reason())
                    .isEqualTo(Reason.UNAVAILABLE);
        }
    }

    @Test
    void aKindThatWasThereDoesNotGo() {
        server.answer(200, list("", "").replace("PersistentVolumeClaim", "VolumeSnapshot"));
        assertThat(cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()).objects())
                .isEmpty();
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(""));

        assertThat(refusal(() -> cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void aListingWhosePageFailsFails() {
        server.answer(200, list("next", CLAIM));
        server.answer(500, "");

        assertThat(refusal(() -> cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(2);
    }

    /** Absence is what things are taken down for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "<html>please log in</html>",
                "",
                "{\"kind\": \"Status\", \"metadata\": {\"resourceVersion\": \"9\"}}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {}, \"items\": []}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": \"none\"}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [null]}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [{}]}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [{\"metadata\":",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": "
                        + "[{\"metadata\": {\"name\": \"c\", \"namespace\": \"d\", \"uid\": \"u\", \"resourceVersion\": \"1\"}, "
                        + "\"spec\": {\"accessModes\": [\"Whatever\"]}}]}"
            })
    void whatIsNoListIsNotAnEmptyOne(String answer) {
        server.answer(200, answer);

        ClusterException refused = refusal(() -> cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()));

        assertThat(refused.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(refused.getMessage()).startsWith("list PersistentVolumeClaim");
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
    void aMapIsPatchedAnewWhenSomebodyElseWasFirst() {
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
    void namesStayInTheirPlaceOfThePath() {
        server.answer(503, "");
        ObjectKey odd = new ObjectKey(Kind.PERSISTENT_VOLUME, "", "a/../b?c");
        assertThat(refusal(() -> cluster.readLive(odd)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).containsExactly("GET /api/v1/persistentvolumes/a%2F..%2Fb%3Fc");

        assertThat(refusal(() -> cluster.readLive(ObjectKey.volume(".."))).reason())
                .isEqualTo(Reason.INVALID);
        assertThat(refusal(() -> cluster.readLive(ObjectKey.claim("", "c"))).reason())
                .isEqualTo(Reason.INVALID);
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void theTokenIsReadAnewForEveryRequest() throws IOException {
        Path file = directory.resolve("token");
        Files.writeString(file, "first-token\n");
        try (HttpCluster withToken =
                HttpCluster.at(server.uri(), Access.anonymous().token(file))) {
            refusal(() -> withToken.readLive(C));
            Files.writeString(file, "second-token\n");
            refusal(() -> withToken.readLive(C));
        }
        assertThat(server.tokens).containsExactly("Bearer first-token", "Bearer second-token");
    }

    @Test
    void theTokenIsNeverShown() throws IOException {
        Path file = directory.resolve("token");
        try (HttpCluster withToken =
                HttpCluster.at(server.uri(), Access.anonymous().token(file))) {
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
                .isThrownBy(() -> HttpCluster.at(URI.create(address), Access.anonymous()))
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("word"));
    }

    @Test
    void aTokenIsNotSentOverTheNetworkInTheClear() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCluster.at(
                        URI.create("http://10.0.0.1:8001"), Access.anonymous().token(directory.resolve("token"))))
                .withMessageContaining("use https");
    }

    /** Lines of a watch, then the end of the connection; what is heard of it. */
    private List<String> heard(String... lines) throws InterruptedException {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(200, String.join("\n", lines));
        List<String> heard = new ArrayList<>();
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add);
        try {
            while (!heard.contains("EXPIRED")) {
                WatchEvent event = events.poll(1, TimeUnit.MINUTES);
                assertThat(event).as("after %s", heard).isNotNull();
                heard.add(event.type() == WatchEvent.Type.EXPIRED ? "EXPIRED" : event.type() + " " + event.revision());
            }
        } finally {
            watch.close();
        }
        return heard;
    }

    private static String line(String type, String revision) {
        return "{\"type\": \"" + type + "\", \"object\": " + CLAIM.replace("\"7\"", "\"" + revision + "\"") + "}";
    }

    @Test
    void aWatchGoesOnFromWhereItWas() throws InterruptedException {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(
                200,
                line("ADDED", "6") + "\n" + line("BOOKMARK", "8") + "\n"
                        + line("MODIFIED", "9").substring(0, 40));
        server.answer(200, line("MODIFIED", "9") + "\n" + line("DELETED", "11") + "\n");
        server.answer(410, status(410, "Expired", ""));
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add);
        List<String> heard = new ArrayList<>();
        while (!heard.contains("EXPIRED ")) {
            WatchEvent event = events.poll(1, TimeUnit.MINUTES);
            assertThat(event).as("after %s", heard).isNotNull();
            heard.add(event.type() + " " + event.revision());
        }
        watch.close();

        assertThat(heard).containsExactly("CHANGED 6", "BOOKMARK 8", "CHANGED 9", "DELETED 11", "EXPIRED ");
        assertThat(server.requests)
                .extracting(request -> request.replaceAll(".*resourceVersion=", ""))
                .containsExactly("5", "8", "11");
    }

    @Test
    void aWatchThatCannotGoOnIsExpired() throws InterruptedException {
        assertThat(heard("{\"type\": \"ERROR\", \"object\": " + status(410, "Expired", "") + "}", ""))
                .containsExactly("EXPIRED");
        assertThat(heard(line("MODIFIED", "6"), "no JSON", ""))
                .as("then unavailable")
                .containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(line("MODIFIED", "6"), line("WHATEVER", "7"), "")).containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(line("MODIFIED", "6"), line("MODIFIED", "7").replace("ReadWriteOnce", "Whatever"), ""))
                .containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(line("MODIFIED", ""), "")).containsExactly("EXPIRED");
        assertThat(heard("")).as("nothing, at once").containsExactly("EXPIRED");
    }

    @Test
    void aLineThatNeverEndsIsNotReadForEver() throws InterruptedException {
        assertThat(heard(line("MODIFIED", "6"), "x".repeat(HttpWatch.LONGEST_LINE + 10_000)))
                .containsExactly("CHANGED 6", "EXPIRED");
    }

    @Test
    void aWatchThatIsRefusedSaysSo() {
        server.answer(403, status(403, "Forbidden", ""));

        assertThat(refusal(() -> cluster.watch(Kind.NODE, Selection.ofNode("n 1"), "5", event -> {}))
                        .reason())
                .isEqualTo(Reason.FORBIDDEN);
        assertThat(server.requests)
                .hasSize(1)
                .first()
                .asString()
                .contains("?fieldSelector=metadata.name%3Dn%201&watch=1");
    }
}
