package io.volume4j.core.control.snapshot;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided about a content that is not being deleted: its snapshot is cut, asked about, or refused with a reason. */
class ContentRowsTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final long NANOS = Duration.ofMinutes(10).toNanos();
    private static final Self SELF = new Self(3, "p-1");
    private static final String KEPT =
            "finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]";
    private static final Map<String, String> COLD = Map.of("tier", "cold");
    private static final String CUT =
            "snapshotHandle: h1, creationTime: 1769860800000000000, restoreSize: 5, readyToUse: false";

    @ParameterizedTest
    @MethodSource
    void decides(PlanRow<ContentView> row) {
        row.check(ContentPlanner::plan);
    }

    static Stream<PlanRow<ContentView>> decides() {
        return Stream.of(
                row(
                        "keeps a content before anything is cut for it",
                        given().metadata("").view(),
                        "write VolumeSnapshotContent c: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]"),
                row("waits for the plugin of the driver", given().elsewhere().view())
                        .waits("no plugin of this process makes snapshots of driver mem"),
                row(
                        "needs no plugin for a snapshot that is ready",
                        given().elsewhere()
                                .status("snapshotHandle: h1, readyToUse: true")
                                .view()),
                row(
                        "closes what is ready",
                        given().intent(COLD)
                                .status("snapshotHandle: h1, readyToUse: true")
                                .view(),
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent=null"),
                row(
                                "waits while it is not known which classes there are",
                                given().type(Lookup.unknown()).view())
                        .waits("the snapshot classes of the cluster are not known completely"),
                refuses(
                        "says that its class does not exist",
                        given().type(Lookup.missing()).view(),
                        "VolumeSnapshotClass \"quick\" does not exist"),
                row(
                        "cuts without a class where none is named",
                        given().unclassed().view(),
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={\"v\":1,\"epoch\":3,\"by\":\"p-1\",\"inherited\":false,\"name\":\"snapshot-u-s\",\"parameters\":{}}…"),
                row(
                        "intends with the parameters of the class and those of the controller",
                        given().more(Map.of("k", "v")).view(),
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={\"v\":1,\"epoch\":3,\"by\":\"p-1\",\"inherited\":false,\"name\":\"snapshot-u-s\",\"parameters\":{\"tier\":\"cold\",\"k\":\"v\"}}, metadata.annotations.snapshot.storage.kubernetes.io/volumesnapshot-being-created=yes"),
                row(
                        "remembers that a program may have cut it that keeps no intents",
                        given().annotation(CREATING, "yes").view(),
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={\"v\":1,\"epoch\":3,\"by\":\"p-1\",\"inherited\":true…"),
                refuses(
                        "says which parameters of the class are not valid",
                        given().parameters(Map.of("csi.storage.k8s.io/snapshotter-secret-name", "s"))
                                .view(),
                        "the parameters of the class are not valid: csi.storage.k8s.io/snapshotter-secret-name and"
                                + " csi.storage.k8s.io/snapshotter-secret-namespace need each other"),
                refuses(
                        "cuts nothing that it could not name",
                        given().wantedBy("").view(),
                        "the content names no snapshot by its UID, so that what is to be created has no name"),
                row(
                                "tells why the backend refused, and asks again when the pause is over",
                                given().memory(refused(
                                                COLD,
                                                NANOS - Duration.ofMinutes(2).toNanos() + 1))
                                        .status("error: {message: full}")
                                        .view(),
                                "tell Warning SnapshotCreationFailed: full")
                        .waits("the backend refused the snapshot and is asked again later: full"),
                row(
                        "asks a backend again that refused, once the pause is over",
                        given().memory(refused(
                                        COLD, NANOS - Duration.ofMinutes(2).toNanos()))
                                .status("error: {message: full}")
                                .view(),
                        "tell Warning SnapshotCreationFailed: full",
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={…"),
                row(
                        "asks a backend at once for something else than what it refused",
                        given().memory(refused(Map.of("tier", "hot"), NANOS))
                                .status("error: {message: full}")
                                .view(),
                        "tell Warning SnapshotCreationFailed: full",
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={…"),
                row(
                        "cuts again by the intent after a failure, and says what failed",
                        given().intent(COLD)
                                .memory(SnapshotMemory.nothing()
                                        .failed(VolumeException.transientFailure("busy"), COLD, NANOS))
                                .view(),
                        "write VolumeSnapshotContent/status c: status.error={time=2026-01-31T12:00:00Z, message=busy}",
                        "tell Warning SnapshotCreationFailed: busy",
                        "CREATE_SNAPSHOT create snapshot snapshot-u-s of v1 with mem"),
                row(
                        "believes a person about a snapshot that the backend cannot be asked about",
                        given().given("h7").cannotAsk().view(),
                        "write VolumeSnapshotContent/status c: status.snapshotHandle=h7, status.readyToUse=true"),
                row(
                        "believes another controller about a member of a group that the backend cannot be asked about",
                        given().unclassed()
                                .annotation(ContentFacts.OF_GROUP, "g1")
                                .status(CUT)
                                .cannotAsk()
                                .view(),
                        "write VolumeSnapshotContent/status c: status.snapshotHandle=h1, status.readyToUse=true,"
                                + " status.volumeGroupSnapshotHandle=g1"),
                row(
                        "asks the backend about a snapshot that a person names",
                        given().given("h7").view(),
                        "GET_SNAPSHOT ask mem how far snapshot h7 is"),
                refuses(
                        "says that the backend has another snapshot under the name",
                        given().status(CUT).memory(saw("h2", false, NANOS)).view(),
                        "the backend calls the snapshot h2 now"),
                refuses(
                        "says that the backend has no such snapshot",
                        given().status(CUT)
                                .memory(SnapshotMemory.nothing()
                                        .sawNone(NANOS - Duration.ofMinutes(6).toNanos()))
                                .view(),
                        "the backend has no snapshot h1",
                        "GET_SNAPSHOT ask mem how far snapshot h1 is"),
                row(
                        "cuts again by its name where a backend cannot be asked whether it is ready",
                        given().status(CUT).intent(COLD).cannotAsk().view(),
                        "CREATE_SNAPSHOT create snapshot snapshot-u-s of v1 with mem"),
                row(
                        "takes the intent over before it does so",
                        given().status(CUT).intentOf(2, "p-0").cannotAsk().view(),
                        "write VolumeSnapshotContent c: metadata.annotations.volume4j.io/snapshot-intent={\"v\":1,\"epoch\":3,\"by\":\"p-1\",\"inherited\":true…"),
                row(
                                "leaves it to a later leader",
                                given().status(CUT)
                                        .intentOf(4, "p-9")
                                        .cannotAsk()
                                        .view())
                        .waits("a newer leader is cutting the snapshot"));
    }

    private static final String CREATING = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

    /** The refusal is told to people, who have to change something, and nothing else is done. */
    private static PlanRow<ContentView> refuses(String rule, ContentView view, String why, String... then) {
        String[] steps = Stream.concat(
                        Stream.of(
                                "write VolumeSnapshotContent/status c: status.error={time=2026-01-31T12:00:00Z, message="
                                        + why + "}",
                                "tell Warning SnapshotCreationFailed: " + why),
                        Stream.of(then))
                .toArray(String[]::new);
        return row(rule, view, steps).waits(why);
    }

    private static SnapshotMemory refused(Map<String, String> parameters, long at) {
        return SnapshotMemory.nothing()
                .failed(VolumeException.finalFailure("full"), parameters, at)
                .closed();
    }

    private static SnapshotMemory saw(String handle, boolean ready, long at) {
        return SnapshotMemory.nothing().saw(new SnapshotResult(handle, NOW, 5, ready, List.of()), at);
    }

    @Test
    void waitsUntilTheBackendMayBeAskedAgain() {
        long at = NANOS - Duration.ofMillis(400).toNanos();
        ContentView asked =
                given().status(CUT).intent(COLD).memory(saw("h1", false, at)).view();

        List<Wait> waits = ContentPlanner.plan(asked).waits();

        assertThat(waits)
                .singleElement()
                .satisfies(wait -> assertThat(wait.notBeforeNanos())
                        .isEqualTo(at + Duration.ofSeconds(1).toNanos()));
    }

    /** A call about a snapshot that exists needs the secrets of the class, which may be gone, and nothing else of it. */
    @Test
    void givesCallsAboutASnapshotTheNamesOfItsSecretsAlone() {
        Map<String, String> parameters = Map.of(
                "csi.storage.k8s.io/snapshotter-list-secret-name", "list",
                "csi.storage.k8s.io/snapshotter-list-secret-namespace", "ns",
                "csi.storage.k8s.io/snapshotter-other", "x",
                "tier-secret-name", "cold");
        ContentView view = given().status(CUT)
                .intent(parameters)
                .annotation("snapshot.storage.kubernetes.io/deletion-secret-name", "s")
                .annotation("snapshot.storage.kubernetes.io/deletion-secret-namespace", "ns")
                .view();

        assertThat(ContentPlanner.parameters(view))
                .isEqualTo(Map.of(
                        "csi.storage.k8s.io/snapshotter-secret-name", "s",
                        "csi.storage.k8s.io/snapshotter-secret-namespace", "ns",
                        "csi.storage.k8s.io/snapshotter-list-secret-name", "list",
                        "csi.storage.k8s.io/snapshotter-list-secret-namespace", "ns"));
        assertThat(ContentPlanner.parameters(given().status(CUT).view())).isEmpty();
    }

    @Test
    void asksForASnapshotThatAUserNamedOnlyIfItsSecretsAreKnown() {
        Map<String, String> wrong = Map.of("csi.storage.k8s.io/snapshotter-list-secret-name", "s");

        assertThat(ContentPlanner.plan(
                                given().given("h1").type(Lookup.unknown()).view())
                        .waits())
                .extracting(Wait::why)
                .containsExactly("the snapshot classes of the cluster are not known completely");
        assertThat(ContentPlanner.plan(given().given("h1").parameters(wrong).view())
                        .waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.why()).startsWith("the parameters of the class are not valid"));
    }

    /** No intent has its secrets, because this library did not create it. */
    @Test
    void asksForASnapshotThatAUserNamedWithTheSecretsOfItsClass() {
        Given named = given().given("h1")
                .parameters(Map.of(
                        "csi.storage.k8s.io/snapshotter-list-secret-name", "list-${volumesnapshotcontent.name}",
                        "csi.storage.k8s.io/snapshotter-list-secret-namespace", "ns",
                        "tier", "cold"));

        assertThat(ContentPlanner.plan(named.view()).steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        SnapshotStep.GetSnapshot.class,
                        step -> assertThat(step.parameters())
                                .isEqualTo(Map.of(
                                        "csi.storage.k8s.io/snapshotter-list-secret-name", "list-c",
                                        "csi.storage.k8s.io/snapshotter-list-secret-namespace", "ns")));
    }

    /** Whatever the backend says of it then, the plugin must not delete it. */
    @Test
    void tellsThePluginTheHandleThatTheContentHasWhenItCutsAgain() {
        assertThat(ContentPlanner.plan(
                                given().status(CUT).intent(COLD).cannotAsk().view())
                        .steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        SnapshotStep.CreateSnapshot.class,
                        step -> assertThat(step.handle()).isEqualTo("h1"));
    }

    private static Given given() {
        return new Given();
    }

    /** A content of a snapshot that is there, of which nothing is cut yet. */
    private static final class Given {
        private final Map<String, String> annotations = new LinkedHashMap<>();
        private String metadata = KEPT;
        private String wantedBy = "u-s";
        private String className = "quick";
        private String source = "volumeHandle: v1";
        private String status = "";
        private Lookup<ClassFacts> type =
                Lookup.found(new ClassFacts("quick", "mem", DeletionPolicy.DELETE, COLD, false));
        private boolean here = true;
        private boolean asks = true;
        private Map<String, String> more = Map.of();
        private @Nullable SnapshotIntent intent;
        private SnapshotMemory memory = SnapshotMemory.nothing();

        Given metadata(String text) {
            metadata = text;
            return this;
        }

        Given annotation(String key, String value) {
            annotations.put(key, value);
            return this;
        }

        Given wantedBy(String uid) {
            wantedBy = uid;
            return this;
        }

        Given unclassed() {
            className = "";
            type = Lookup.unnamed();
            return this;
        }

        Given type(Lookup<ClassFacts> found) {
            type = found;
            return this;
        }

        Given parameters(Map<String, String> parameters) {
            return type(Lookup.found(new ClassFacts("quick", "mem", DeletionPolicy.DELETE, parameters, false)));
        }

        Given given(String handle) {
            source = "snapshotHandle: " + handle;
            return this;
        }

        Given status(String text) {
            status = text;
            return this;
        }

        Given elsewhere() {
            here = false;
            return this;
        }

        Given cannotAsk() {
            asks = false;
            return this;
        }

        Given more(Map<String, String> parameters) {
            more = parameters;
            return this;
        }

        Given intent(Map<String, String> parameters) {
            intent = new SnapshotIntent(SELF.epoch(), SELF.process(), false, "snapshot-u-s", parameters);
            return annotation(SnapshotIntent.ANNOTATION, intent.text());
        }

        Given intentOf(long epoch, String process) {
            intent = new SnapshotIntent(epoch, process, false, "snapshot-u-s", COLD);
            return annotation(SnapshotIntent.ANNOTATION, intent.text());
        }

        Given memory(SnapshotMemory remembered) {
            memory = remembered;
            return this;
        }

        ContentView view() {
            StringBuilder text = new StringBuilder();
            annotations.forEach((key, value) -> text.append(text.isEmpty() ? "" : ", ")
                    .append(key)
                    .append(": '")
                    .append(value)
                    .append("'"));
            ContentFacts content = ContentFacts.of(object(VolumeSnapshotContent.class, """
                    apiVersion: snapshot.storage.k8s.io/v1
                    kind: VolumeSnapshotContent
                    metadata:
                      name: c
                      uid: u-c
                      resourceVersion: "7"
                      annotations: {ANNOTATIONS}
                      METADATA
                    spec:
                      volumeSnapshotRef: {namespace: a, name: s, uid: WANTED}
                      driver: mem
                      volumeSnapshotClassName: CLASS
                      source: {SOURCE}
                      deletionPolicy: Delete
                    status: {STATUS}
                    """.replace("ANNOTATIONS", text)
                    .replace("METADATA", metadata)
                    .replace("WANTED", wantedBy.isEmpty() ? "\"\"" : wantedBy)
                    .replace("CLASS", className.isEmpty() ? "\"\"" : className)
                    .replace("SOURCE", source)
                    .replace("STATUS", status)));
            SnapshotFacts snapshot = SnapshotFacts.of(object(VolumeSnapshot.class, """
                    {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                     metadata: {name: s, namespace: a, uid: u-s, resourceVersion: "3"},
                     spec: {source: {persistentVolumeClaimName: data}}}
                    """));
            boolean later = intent != null && intent.epoch() > SELF.epoch();
            return new ContentView(
                    content,
                    Lookup.found(snapshot),
                    type,
                    here,
                    asks,
                    Lookup.unnamed(),
                    Lookup.unnamed(),
                    false,
                    more,
                    intent,
                    "",
                    memory,
                    later ? OptionalLong.of(NANOS + 1) : OptionalLong.empty(),
                    SELF,
                    NANOS,
                    NOW,
                    LastEvents.nothing());
        }
    }
}
