package io.volume4j.core.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.plugin.Places;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of docs/snapshots.md, row by row. */
class SnapshotPlannerTest {
    private static final Self SELF = new Self(3, "p-1");
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final String HELD = "volume4j.io/snapshot-intent: '" + intent(3, "p-1", false) + "'";
    private static final String CREATING = "snapshot.storage.kubernetes.io/volumesnapshot-being-created: \"yes\"";

    private static String intent(long epoch, String by, boolean inherited) {
        return new SnapshotIntent(epoch, by, inherited, "snapshot-u-s", Map.of("tier", "cold")).text();
    }

    private static ApiObject read(String yaml) {
        return Manifests.read("test", yaml).get(0);
    }

    private static ContentFacts content(String annotations, String more, String spec, String status) {
        return ContentFacts.of((VolumeSnapshotContent) read("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotContent
                metadata:
                  name: snapcontent-u-s
                  uid: u-c
                  resourceVersion: "7"
                  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
                  annotations: {ANNOTATIONS}
                  MORE
                spec:
                  volumeSnapshotRef: {namespace: a, name: s, uid: u-s}
                  driver: mem
                  volumeSnapshotClassName: quick
                  SPEC
                status: {STATUS}
                """.replace("ANNOTATIONS", annotations)
                .replace("MORE", more)
                .replace("SPEC", spec)
                .replace("STATUS", status)));
    }

    private static ContentFacts dynamic(String annotations, String more, String status) {
        return content(annotations, more, "source: {volumeHandle: v1}\n  deletionPolicy: Delete", status);
    }

    private static SnapshotFacts snapshot(String more) {
        return SnapshotFacts.of((VolumeSnapshot) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                 metadata: {name: s, namespace: a, uid: u-s, resourceVersion: "3", MORE},
                 spec: {source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick}}
                """.replace("MORE", more.isEmpty() ? "labels: {}" : more)));
    }

    private static final Lookup<ClassFacts> CLASS =
            Lookup.found(new ClassFacts("quick", "mem", DeletionPolicy.DELETE, Map.of("tier", "cold"), false));

    private static ContentView view(ContentFacts content, Lookup<SnapshotFacts> snapshot, SnapshotMemory memory) {
        return view(content, snapshot, memory, Lookup.unnamed());
    }

    private static ContentView view(
            ContentFacts content, Lookup<SnapshotFacts> snapshot, SnapshotMemory memory, Lookup<ContentFacts> group) {
        return view(content, snapshot, memory, group, Lookup.unnamed(), false);
    }

    private static ContentView view(
            ContentFacts content,
            Lookup<SnapshotFacts> snapshot,
            SnapshotMemory memory,
            Lookup<ContentFacts> group,
            Lookup<ContentFacts> other,
            boolean otherConfirmed) {
        String text = content.object().metadata().annotation(SnapshotIntent.ANNOTATION);
        @Nullable SnapshotIntent intent = null;
        String error = "";
        if (!text.isEmpty()) {
            try {
                intent = SnapshotIntent.read(text);
            } catch (IllegalArgumentException unreadable) {
                error = String.valueOf(unreadable.getMessage());
            }
        }
        return new ContentView(
                content,
                snapshot,
                CLASS,
                true,
                true,
                group,
                other,
                otherConfirmed,
                Map.of(),
                intent,
                error,
                memory,
                intent != null && intent.epoch() > SELF.epoch()
                        ? OptionalLong.of(Duration.ofMinutes(11).toNanos())
                        : OptionalLong.empty(),
                SELF,
                Duration.ofMinutes(10).toNanos(),
                NOW,
                LastEvents.nothing());
    }

    private static String planned(ContentView view) {
        return text(ContentPlanner.plan(view));
    }

    /** The kinds of steps that are not telling, and what is waited for if there are none. */
    private static String text(Plan<ClusterStep> plan) {
        String steps = plan.steps().stream()
                .filter(step -> step.kind() != ClusterWork.Kind.TELL)
                .map(step -> step instanceof ClusterWork.Write write
                        ? write.purpose().split(" (?=Volume|what|content)")[0]
                        : step.kind().name())
                .collect(Collectors.joining(", "));
        return steps.isEmpty()
                ? plan.waits().stream().map(wait -> "wait: " + wait.why()).collect(Collectors.joining(", "))
                : steps;
    }

    private static final SnapshotMemory NOTHING = SnapshotMemory.nothing();
    private static final SnapshotResult CUT = new SnapshotResult("h1", NOW, 5, false, List.of());

    // Cutting.

    @Test
    void nothingIsCutWithoutAnIntentThatThisProcessHolds() {
        Lookup<SnapshotFacts> live = Lookup.found(snapshot(""));

        assertThat(planned(view(dynamic("", "", ""), live, NOTHING))).isEqualTo("intend to create");
        assertThat(planned(view(dynamic(HELD, "", ""), live, NOTHING))).isEqualTo("CREATE_SNAPSHOT");
        assertThat(planned(view(dynamic(intended(2, "p-0"), "", ""), live, NOTHING)))
                .isEqualTo("take over the making of");
        assertThat(planned(view(dynamic(intended(3, "p-0"), "", ""), live, NOTHING)))
                .isEqualTo("take over the making of");
        assertThat(planned(view(dynamic(intended(4, "p-2"), "", ""), live, NOTHING)))
                .isEqualTo("wait: a newer leader is cutting the snapshot");
    }

    private static String intended(long epoch, String by) {
        return "volume4j.io/snapshot-intent: '" + intent(epoch, by, false) + "'";
    }

    @Test
    void nothingIsBegunForASnapshotThatIsBeingDeleted() {
        Lookup<SnapshotFacts> deleting = Lookup.found(snapshot("deletionTimestamp: \"2026-01-31T11:00:00Z\""));

        assertThat(planned(view(dynamic("", "", ""), deleting, NOTHING))).startsWith("wait: nothing is created");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nothing  | ''                                   | MISSING | VERIFY
                    nothing  | ''                                   | ABSENT  | REMOVE
                    nothing  | ''                                   | UNKNOWN | wait: nothing is created for a snapshot that is not there or is being deleted
                    intent   | ''                                   | ABSENT  | CREATE_SNAPSHOT
                    creating | ''                                   | ABSENT  | intend to create
                    nothing  | 'snapshotHandle: h1, readyToUse: true' | ABSENT  | ''
                    """)
    void aContentGoesBehindItsSnapshotIfNothingWasCutForIt(
            String open, String status, Lookup.State snapshot, String expected) {
        String annotations = switch (open) {
            case "intent" -> HELD;
            case "creating" -> CREATING;
            default -> "";
        };

        assertThat(planned(view(dynamic(annotations, "", status), looked(snapshot), NOTHING)))
                .isEqualTo(expected);
    }

    private static <T> Lookup<T> looked(Lookup.State state) {
        return new Lookup<>(state, null);
    }

    @Test
    void anUnreadableIntentStopsEverythingAndSaysWhereToLook() {
        ContentFacts content = dynamic("volume4j.io/snapshot-intent: '{}'", "", "");

        assertThat(planned(view(content, Lookup.found(snapshot("")), NOTHING))).startsWith("wait: annotation");
        assertThat(ContentPlanner.plan(view(content, Lookup.found(snapshot("")), NOTHING))
                        .steps())
                .anySatisfy(step -> assertThat(step.describe()).contains("snapshot-u-s at the backend"));
    }

    @Test
    void whatTheBackendAnsweredIsStoredAndTheAnnotationGoesAfterwards() {
        Plan<ClusterStep> plan = ContentPlanner.plan(
                view(dynamic(HELD + ", " + CREATING, "", ""), Lookup.found(snapshot("")), NOTHING.saw(CUT, 0)));

        ClusterWork.Write write = (ClusterWork.Write) plan.steps().get(0);
        assertThat(write.writes()).hasSize(2);
        assertThat(write.writes().get(0).status()).isTrue();
        assertThat(write.writes().get(0).changes().toString()).contains("snapshotHandle", "h1", "1769860800000000000");
        assertThat(write.writes().get(1).status()).isFalse();
        assertThat(write.writes().get(1).changes().toString())
                .contains("volumesnapshot-being-created")
                .doesNotContain("snapshot-intent");
    }

    @Test
    void fromWhereItCanBeUsedIsStoredBeforeItIsToldToBeReady() {
        SnapshotResult cut =
                new SnapshotResult("h1", NOW, 5, true, List.of(), new Places(List.of(Map.of("zone", "a"))));
        Plan<ClusterStep> plan =
                ContentPlanner.plan(view(dynamic(HELD, "", ""), Lookup.found(snapshot("")), NOTHING.saw(cut, 0)));

        ClusterWork.Write write = (ClusterWork.Write) plan.steps().get(0);
        assertThat(write.writes().get(0).changes().toString())
                .contains("volume4j.io/accessible-topology", "[{\"zone\":\"a\"}]");
        assertThat(write.writes().get(1).changes().toString()).contains("readyToUse");
    }

    @Test
    void aRefusalEndsTheIntentOnlyIfNothingIsInDoubt() {
        VolumeException refused = VolumeException.finalFailure("no");
        VolumeException lost = VolumeException.uncertain("lost");
        ContentFacts content = dynamic(HELD, "", "error: {message: \"no\"}");
        Lookup<SnapshotFacts> live = Lookup.found(snapshot(""));

        assertThat(planned(view(content, live, NOTHING.failed(refused, Map.of(), 0))))
                .isEqualTo("drop the intent to create");
        assertThat(planned(view(content, live, NOTHING.failed(lost, Map.of(), 0).failed(refused, Map.of(), 0))))
                .as("an earlier call may have cut it")
                .isEqualTo("CREATE_SNAPSHOT");
        assertThat(planned(view(
                        content,
                        live,
                        NOTHING.failed(lost, Map.of(), 0).failed(refused.provingAbsence(), Map.of(), 0))))
                .isEqualTo("drop the intent to create");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "3, 4", "4, 8", "8, 128", "9, 256", "10, 300", "60, 300"})
    void thePausesBetweenLooksDoubleUpToFiveMinutes(int looks, long seconds) {
        assertThat(ContentPlanner.pause(looks)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void theBackendIsAskedWhenThePauseIsOver() {
        Lookup<SnapshotFacts> live = Lookup.found(snapshot(""));
        ContentFacts cut = dynamic(HELD, "", "snapshotHandle: h1, creationTime: 1769860800000000000, restoreSize: 5");
        long now = Duration.ofMinutes(10).toNanos();

        assertThat(planned(view(cut, live, NOTHING))).as("after a restart").isEqualTo("GET_SNAPSHOT");
        assertThat(planned(view(cut, live, NOTHING.saw(CUT, now))))
                .startsWith("wait: the backend is still working on the snapshot");
        assertThat(planned(view(
                        cut, live, NOTHING.saw(CUT, now - Duration.ofSeconds(1).toNanos()))))
                .isEqualTo("GET_SNAPSHOT");
    }

    @Test
    void aLookThatFailedIsSaidOnceAndNotTakenBackBeforeTheNext() {
        Lookup<SnapshotFacts> live = Lookup.found(snapshot(""));
        String there = "snapshotHandle: h1, creationTime: 1769860800000000000, restoreSize: 5";
        SnapshotMemory failed = NOTHING.saw(CUT, Duration.ofMinutes(10).toNanos())
                .troubled(VolumeException.transientFailure("not now"));

        assertThat(planned(view(dynamic(HELD, "", there), live, failed))).isEqualTo("say");
        assertThat(planned(view(dynamic(HELD, "", there + ", error: {message: not now}"), live, failed)))
                .startsWith("wait: the backend is still working on the snapshot");
    }

    // The end.

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Delete | h1 | being-deleted | FOUND   | DELETE_SNAPSHOT
                    Delete | h1, readyToUse: true | | FOUND | wait: deleted, but kept while its snapshot is bound to it
                    Delete | h1 |               | FOUND   | GET_SNAPSHOT
                    Delete | '' |               | FOUND   | intend to create
                    Delete | h1 |               | MISSING | VERIFY
                    Delete | h1 |               | UNKNOWN | wait: the snapshots of the cluster are not known completely
                    Delete | h1 |               | ABSENT  | DELETE_SNAPSHOT
                    Retain | h1 | being-deleted | FOUND   | let
                    Retain | h1 |               | ABSENT  | let
                    Shred  | h1 | being-deleted | ABSENT  | wait: the deletion policy is not known here, so nothing is destroyed and the content stays
                    Delete | '' | being-deleted | FOUND   | let
                    """)
    void aContentGoesOnlyWithItsSnapshotAndAsThePolicySays(
            String policy, String handle, @Nullable String annotation, String state, String expected) {
        ContentFacts content = content(
                annotation == null ? "" : "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted: \"yes\"",
                "deletionTimestamp: \"2026-01-31T11:00:00Z\"",
                "source: {volumeHandle: v1}\n  deletionPolicy: " + policy,
                handle.isEmpty() ? "" : "snapshotHandle: " + handle);
        Lookup<SnapshotFacts> snapshot = switch (state) {
            case "FOUND" -> Lookup.found(snapshot(""));
            case "MISSING" -> Lookup.missing();
            case "ABSENT" -> Lookup.absent();
            default -> Lookup.unknown();
        };

        assertThat(planned(view(content, snapshot, NOTHING))).isEqualTo(expected);
    }

    /** A second content with the same handle. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    UNNAMED | false | DELETE_SNAPSHOT
                    UNKNOWN | false | wait: the contents of the cluster are not known completely
                    FOUND   | false | VERIFY
                    FOUND   | true  | let
                    """)
    void aContentLeavesTheSnapshotToAnotherOneThatTheStoreConfirms(String state, boolean confirmed, String expected) {
        ContentFacts content = dynamic(
                "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted: \"yes\"",
                "deletionTimestamp: \"2026-01-31T11:00:00Z\"",
                "snapshotHandle: h1");
        Lookup<ContentFacts> other = switch (state) {
            case "FOUND" -> Lookup.found(dynamic("", "", "snapshotHandle: h1"));
            case "UNNAMED" -> Lookup.unnamed();
            default -> Lookup.unknown();
        };

        assertThat(planned(view(content, Lookup.found(snapshot("")), NOTHING, Lookup.unnamed(), other, confirmed)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    bound, and the content was read before it was reserved | c1    | ''              | reserve
                    made for a member of a group, and not reserved yet     | ''    | group-content-1 | reserve
                    of a person, for one of its name, and never begun with | ''    | ''              | let
                    """)
    void aSnapshotGoesOnlyWithWhatWasBegunWithIt(String why, String boundTo, String ofGroup, String expected) {
        ContentFacts reservedByName = ContentFacts.of((VolumeSnapshotContent) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: c1, uid: u-c, resourceVersion: "2", annotations: {volume4j.io/group-snapshot-content: "GROUP"}},
                 spec: {volumeSnapshotRef: {namespace: a, name: s}, deletionPolicy: Delete, driver: mem,
                        source: {snapshotHandle: h1}}}
                """.replace("GROUP", ofGroup)));
        SnapshotFacts deleted = SnapshotFacts.of((VolumeSnapshot) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                 metadata: {name: s, namespace: a, uid: u-s, resourceVersion: "3", deletionTimestamp: "2026-01-31T11:00:00Z",
                            finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]},
                 spec: {source: {volumeSnapshotContentName: c1}}, status: {boundVolumeSnapshotContentName: "BOUND"}}
                """.replace("BOUND", boundTo)));

        assertThat(text(SnapshotPlanner.plan(ending(deleted, Lookup.found(reservedByName), true))))
                .as(why)
                .isEqualTo(expected);
    }

    @Test
    void nothingGoesWhileItIsNotKnownWhoHasIt() {
        assertThat(text(SnapshotPlanner.plan(
                        ending(snapshot("deletionTimestamp: \"2026-01-31T11:00:00Z\""), Lookup.absent(), false))))
                .startsWith("wait: the claims of the cluster, or the members of the group, are not known");
    }

    private static SnapshotView ending(SnapshotFacts snapshot, Lookup<ContentFacts> content, boolean usersKnown) {
        return new SnapshotView(
                snapshot,
                content,
                CLASS,
                1,
                List.of(),
                true,
                List.of(),
                usersKnown,
                SnapshotView.Group.none(snapshot.key()),
                List.of(),
                List.of(),
                NOW,
                LastEvents.nothing());
    }

    @ParameterizedTest
    @CsvSource({
        "MISSING, VERIFY",
        "ABSENT, REMOVE",
        "FOUND, wait: the contents of the cluster are not known completely",
        "UNKNOWN, wait: the contents of the cluster are not known completely",
        "UNNAMED, wait: the contents of the cluster are not known completely"
    })
    void aMemberGoesOnceTheStoreSaysThatItsGroupIsGone(Lookup.State group, String expected) {
        SnapshotFacts member = SnapshotFacts.of((VolumeSnapshot) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                 metadata: {name: s, namespace: a, uid: u-s, resourceVersion: "3"},
                 spec: {source: {volumeSnapshotContentName: c1}}}
                """));
        SnapshotView view = new SnapshotView(
                member,
                Lookup.unknown(),
                CLASS,
                1,
                List.of(),
                true,
                List.of(),
                true,
                new SnapshotView.Group(new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, "a", "g"), "u-g", group, ""),
                List.of(),
                List.of(),
                NOW,
                LastEvents.nothing());

        assertThat(text(SnapshotPlanner.plan(view))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Delete | ''  | MISSING | VERIFY
                    Delete | ''  | ABSENT  | REMOVE
                    Delete | ''  | FOUND   | ''
                    Delete | ''  | UNKNOWN | ''
                    Delete | ''  | UNNAMED | ''
                    Delete | u-s | ABSENT  | ''
                    Retain | ''  | ABSENT  | ''
                    """)
    void aMembersContentThatNoSnapshotTookGoesBehindItsGroup(
            String policy, String uid, Lookup.State group, String expected) {
        ContentFacts member = ContentFacts.of(
                (VolumeSnapshotContent) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: c1, uid: u-c, resourceVersion: "2", annotations: {volume4j.io/group-snapshot-content: gc},
                            finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]},
                 spec: {volumeSnapshotRef: {namespace: a, name: s, uid: "UID"}, deletionPolicy: POLICY, driver: mem,
                        source: {snapshotHandle: h1}},
                 status: {snapshotHandle: h1, readyToUse: true}}
                """.replace("UID", uid).replace("POLICY", policy)));

        assertThat(planned(view(member, Lookup.unnamed(), NOTHING, looked(group))))
                .isEqualTo(expected);
    }

    @Test
    void whatMayHaveBeenCutIsCutAgainBeforeItsContentGoes() {
        String deleted = "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted: \"yes\", ";
        String deletion = "deletionTimestamp: \"2026-01-31T11:00:00Z\"";
        VolumeException lost = VolumeException.uncertain("lost");

        assertThat(planned(view(dynamic(deleted + intended(2, "p-0"), deletion, ""), Lookup.absent(), NOTHING)))
                .isEqualTo("take over the making of");
        assertThat(planned(view(
                        dynamic(deleted + HELD, deletion, "error: {message: lost}"),
                        Lookup.absent(),
                        NOTHING.failed(lost, Map.of(), 0))))
                .isEqualTo("CREATE_SNAPSHOT");
        assertThat(planned(view(dynamic(deleted + HELD, deletion, ""), Lookup.absent(), NOTHING)))
                .as("the intent is ours and no call was made")
                .isEqualTo("let");
        assertThat(planned(view(dynamic(deleted + CREATING, deletion, ""), Lookup.absent(), NOTHING)))
                .as("a sidecar that knows only the agreed annotation may have called")
                .isEqualTo("intend to create");
    }

    @Test
    void aMemberOfAGroupIsNeverDestroyedByItself() {
        ContentFacts member = dynamic(
                "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted: \"yes\","
                        + " groupsnapshot.storage.kubernetes.io/volumeGroupSnapshotHandle: gh",
                "deletionTimestamp: \"2026-01-31T11:00:00Z\"",
                "snapshotHandle: h1, volumeGroupSnapshotHandle: gh");

        assertThat(planned(view(member, Lookup.absent(), NOTHING))).isEqualTo("let");
    }

    /** Kubernetes' snapshot controller makes such a content first, and writes a moment later which snapshot it is. */
    @ParameterizedTest
    @ValueSource(strings = {"groupsnapshot.storage.k8s.io", "groupsnapshot.storage.kubernetes.io"})
    void aMemberOfAGroupIsNeverCutByItself(String prefix) {
        ContentFacts member = dynamic(prefix + "/volumeGroupSnapshotHandle: gh", "", "");

        assertThat(planned(view(member, Lookup.found(snapshot("")), NOTHING)))
                .startsWith("wait: what it stands for was cut with a group");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snapshot-x | ''            | UNKNOWN | wait: the contents of the cluster are not known completely
                    snapshot-x | ''            | ABSENT  | wait: the controller of its group is to make its content
                    snapshot-x | ''            | ''      | reserve
                    another    | ''            | ''      | wait: the controller of its group is to bind it to its content
                    snapshot-x | snapcontent-x | ''      | reserve
                    """)
    void aMemberOfAGroupHasTheContentOfItsName(String name, String bound, String content, String expected) {
        SnapshotFacts member =
                SnapshotFacts.of((VolumeSnapshot) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                 metadata: {name: NAME, namespace: a, uid: u-s, resourceVersion: "3", finalizers: [
                            snapshot.storage.kubernetes.io/volumesnapshot-bound-protection,
                            snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection],
                            ownerReferences: [{apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshot,
                                               name: g, uid: u-g, controller: true}]},
                 spec: {source: {persistentVolumeClaimName: data}}, status: {boundVolumeSnapshotContentName: "BOUND"}}
                """.replace("NAME", name).replace("BOUND", bound)));
        ContentFacts made = ContentFacts.of((VolumeSnapshotContent) read("""
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: snapcontent-x, uid: u-c, resourceVersion: "2",
                            annotations: {groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle: gh}},
                 spec: {volumeSnapshotRef: {namespace: a, name: snapshot-x}, deletionPolicy: Delete, driver: mem,
                        source: {volumeHandle: v1}}}
                """));
        Lookup<ContentFacts> known = switch (content) {
            case "UNKNOWN" -> Lookup.unknown();
            case "ABSENT" -> Lookup.absent();
            default -> Lookup.found(made);
        };

        assertThat(text(SnapshotPlanner.plan(ending(member, known, true)))).isEqualTo(expected);
    }

    // Secrets.

    @Test
    void namesOfSecretsAreFilledInAndKeptForTheEnd() {
        Map<String, String> filled = SnapshotSecrets.filled(
                Map.of(
                        "tier", "cold",
                        "csi.storage.k8s.io/snapshotter-secret-name",
                                "key-${volumesnapshot.name}-${volumesnapshotcontent.name}",
                        "csi.storage.k8s.io/snapshotter-secret-namespace", "${volumesnapshot.namespace}"),
                SnapshotWords.SINGLE,
                "snapcontent-u-s",
                new ObjectReference("", "VolumeSnapshot", "a", "s", "u-s", ""));

        assertThat(filled)
                .containsEntry("tier", "cold")
                .containsEntry("csi.storage.k8s.io/snapshotter-secret-name", "key-s-snapcontent-u-s")
                .containsEntry("csi.storage.k8s.io/snapshotter-secret-namespace", "a");
        assertThat(SnapshotSecrets.kept(filled))
                .containsEntry("snapshot.storage.kubernetes.io/deletion-secret-name", "key-s-snapcontent-u-s")
                .containsEntry("snapshot.storage.kubernetes.io/deletion-secret-namespace", "a");
    }

    @Test
    void aGroupHasASecretForTheCallsThatRead() {
        Map<String, String> filled = SnapshotSecrets.filled(
                Map.of(
                        "csi.storage.k8s.io/group-snapshotter-secret-name", "make",
                        "csi.storage.k8s.io/group-snapshotter-secret-namespace", "ns",
                        "csi.storage.k8s.io/group-snapshotter-get-secret-name", "read-${volumegroupsnapshot.name}",
                        "csi.storage.k8s.io/group-snapshotter-get-secret-namespace",
                                "${volumegroupsnapshot.namespace}"),
                SnapshotWords.GROUP,
                "groupsnapcontent-u-g",
                new ObjectReference("", "VolumeGroupSnapshot", "a", "g", "u-g", ""));

        assertThat(filled)
                .isEqualTo(Map.of(
                        "csi.storage.k8s.io/snapshotter-secret-name", "make",
                        "csi.storage.k8s.io/snapshotter-secret-namespace", "ns",
                        "csi.storage.k8s.io/snapshotter-list-secret-name", "read-g",
                        "csi.storage.k8s.io/snapshotter-list-secret-namespace", "a"));
    }

    @ParameterizedTest
    @CsvSource({
        "${volumesnapshot.uid}, ns, stands for nothing",
        "key, ${volumesnapshot.name}, stands for nothing",
        "key, , need each other"
    })
    void aNameThatStandsForNothingIsRefused(String name, @Nullable String namespace, String told) {
        Map<String, String> parameters = namespace == null
                ? Map.of("csi.storage.k8s.io/snapshotter-secret-name", name)
                : Map.of(
                        "csi.storage.k8s.io/snapshotter-secret-name", name,
                        "csi.storage.k8s.io/snapshotter-secret-namespace", namespace);

        assertThatThrownBy(() -> SnapshotSecrets.filled(
                        parameters,
                        SnapshotWords.SINGLE,
                        "c",
                        new ObjectReference("", "VolumeSnapshot", "a", "s", "u-s", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(told);
    }

    @Test
    void anIntentReadsAsItWasWritten() {
        SnapshotIntent intent = new SnapshotIntent(5, "p", true, "snapshot-u", Map.of("a", "b"));

        assertThat(SnapshotIntent.read(intent.text())).isEqualTo(intent);
        assertThatThrownBy(() -> SnapshotIntent.read(intent.text().replace("\"v\":1", "\"v\":2")))
                .hasMessageContaining("format version 2, known is 1");
    }
}
