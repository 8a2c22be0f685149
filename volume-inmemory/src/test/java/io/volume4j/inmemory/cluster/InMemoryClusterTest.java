package io.volume4j.inmemory.cluster;

import static io.volume4j.inmemory.cluster.Objects.claim;
import static io.volume4j.inmemory.cluster.Objects.object;
import static io.volume4j.inmemory.cluster.Objects.pod;
import static io.volume4j.inmemory.cluster.Objects.volume;
import static io.volume4j.spi.host.Patch.FieldChange.remove;
import static io.volume4j.spi.host.Patch.FieldChange.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InMemoryClusterTest {
    private static final ObjectKey C = ObjectKey.claim("default", "c");

    private final ManualClock clock = new ManualClock();
    private final InMemoryCluster cluster =
            InMemoryCluster.builder().clock(clock).build();

    @Test
    void refusesFieldsTypesAndOmissionsThatASchemaDoesNotAllow() {
        ApiObject wrong = Manifests.read("test", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: c, namespace: default}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClas: fast}
                """).get(0);
        assertThat(catchThrowableOfType(ClusterException.class, () -> cluster.create(wrong)))
                .hasMessageContaining("spec.storageClas: a PersistentVolumeClaimSpec has no such field")
                .returns(Reason.INVALID, ClusterException::reason);

        cluster.create(claim("c"));
        Patch patch = new Patch(
                Preconditions.none(), true, List.of(set(List.of(Map.of("type", "Resizing")), "status", "conditions")));
        assertThat(catchThrowableOfType(ClusterException.class, () -> cluster.patch(C, patch)))
                .hasMessageContaining("status.conditions[0].status: is required");
        assertThat(cluster.revision()).isEqualTo("1");
    }

    @Test
    void aPatchDoesNotAnswerForWhatWasStoredWrong() {
        cluster.apply(Manifests.read("test", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: c}
                spec: {storageClas: fast}
                """).get(0));
        Patch patch = new Patch(Preconditions.none(), true, List.of(set("Bound", "status", "phase")));
        assertThat(cluster.patch(C, patch)).isNotNull();
    }

    @Test
    void aCreatedObjectGetsUidRevisionGenerationAndTime() {
        ApiObject created = cluster.create(claim("c"));
        ObjectMeta meta = created.metadata();

        assertThat(meta.uid()).isEqualTo("00000000-0000-0000-0000-000000000001");
        assertThat(meta.resourceVersion()).isEqualTo("1");
        assertThat(meta.generation()).isEqualTo(1);
        assertThat(meta.creationTimestamp()).isEqualTo(clock.instant());
        assertThat(cluster.readLive(C)).contains(created);
    }

    @Test
    void theSameRequestsGiveTheSameObjects() {
        InMemoryCluster other = InMemoryCluster.create();
        for (InMemoryCluster each : List.of(cluster, other)) {
            each.create(claim("b"));
            each.create(claim("a"));
            each.patch(ObjectKey.claim("default", "a"), patch(set("v1", "spec", "volumeName")));
        }
        assertThat(cluster.export()).isEqualTo(other.export());
        assertThat(cluster.snapshot().keySet())
                .containsExactly(ObjectKey.claim("default", "a"), ObjectKey.claim("default", "b"));
    }

    @Test
    void creatingTakesNoStatusFromTheCaller() {
        ApiObject bound = object(
                "PersistentVolumeClaim",
                Map.of("namespace", "default", "name", "c"),
                Map.of(),
                Map.of("status", Map.of("phase", "Bound")));

        assertThat(((PersistentVolumeClaim) cluster.create(bound)).status().phase())
                .isEqualTo(ClaimPhase.PENDING);
    }

    @Test
    void applyingPutsTheObjectThereAsItIs() {
        ApiObject bound = object(
                "PersistentVolumeClaim",
                Map.of("name", "c", "uid", "u1"),
                Map.of(),
                Map.of("status", Map.of("phase", "Bound")));

        PersistentVolumeClaim stored = (PersistentVolumeClaim) cluster.apply(bound);

        assertThat(stored.key()).isEqualTo(C);
        assertThat(stored.metadata().uid()).isEqualTo("u1");
        assertThat(stored.status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void applyingAgainReplacesTheSpecAndKeepsUidAndStatus() {
        ObjectMeta first = cluster.create(claim("c")).metadata();
        cluster.patch(C, status(set("Bound", "status", "phase")));

        PersistentVolumeClaim second = (PersistentVolumeClaim)
                cluster.apply(object("PersistentVolumeClaim", Map.of("name", "c"), Map.of("volumeName", "v1")));

        assertThat(second.metadata().uid()).isEqualTo(first.uid());
        assertThat(second.spec().volumeName()).isEqualTo("v1");
        assertThat(second.spec().accessModes()).isEmpty();
        assertThat(second.status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(second.metadata().generation()).isEqualTo(2);
    }

    @Test
    void applyingTheSameAgainChangesNothing() {
        ApiObject stored = cluster.apply(claim("c"));
        assertThat(cluster.apply(claim("c"))).isEqualTo(stored);
        assertThat(cluster.revision()).isEqualTo("1");
    }

    @Test
    void whatIsThereAlreadyIsNotCreatedAgain() {
        cluster.create(claim("c"));
        assertThat(refusal(() -> cluster.create(claim("c")))).isEqualTo(Reason.ALREADY_EXISTS);
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"a/b", "..", ".", "a%2Fb", "a\nb", "\0"})
    void aNameThatIsNoNameIsRefused(String name) {
        PersistentVolume good = (PersistentVolume) volume("v1");
        PersistentVolume bad =
                new PersistentVolume(ObjectMeta.named("", name), good.spec(), good.status(), Unmodeled.none());

        assertThat(refusal(() -> cluster.create(bad))).isEqualTo(Reason.INVALID);
        assertThat(refusal(() -> cluster.apply(bad))).isEqualTo(Reason.INVALID);
        assertThat(cluster.snapshot()).isEmpty();
    }

    @Test
    void aPatchChangesItsFieldsAndKeepsTheOthersAlsoUnknownOnes() {
        cluster.apply(object(
                "PersistentVolumeClaim",
                Map.of("name", "c"),
                Map.of("volumeName", "v1", "somebodysField", List.of(1, 2)),
                Map.of("alsoTheirs", true)));

        PersistentVolumeClaim after = (PersistentVolumeClaim)
                cluster.patch(C, patch(remove("spec", "volumeName"), set("yes", "metadata", "annotations", "a.b/c")));

        assertThat(after.spec().volumeName()).isEmpty();
        assertThat(after.metadata().annotation("a.b/c")).isEqualTo("yes");
        assertThat(Manifests.toTree(after))
                .containsEntry("alsoTheirs", true)
                .extractingByKey("spec")
                .asString()
                .contains("somebodysField");
    }

    @Test
    void aPatchThatChangesNothingKeepsTheRevisionAndCausesNoEvent() {
        ApiObject before = cluster.create(claim("c"));
        RecordingListener listener = watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), cluster.revision());

        ApiObject after = cluster.patch(
                C,
                patch(
                        set(List.of("ReadWriteOnce"), "spec", "accessModes"),
                        remove("spec", "volumeName"),
                        remove("metadata", "annotations", "none")));

        assertThat(after).isEqualTo(before);
        assertThat(cluster.revision()).isEqualTo("1");
        assertThat(listener.heard).isEmpty();
    }

    @Test
    void refusesWhatKubernetesServerRefusesThoughTheSchemaAllowsIt() {
        assertThatThrownBy(() -> cluster.create(Objects.object("PersistentVolume", Map.of("name", "v"), Map.of())))
                .hasMessageContaining("spec.accessModes: is required");

        cluster.create(claim("c"));
        cluster.patch(C, patch(set(List.of("a"), "metadata", "finalizers")));
        cluster.delete(C, Preconditions.none());
        assertThatThrownBy(() -> cluster.patch(C, patch(set(List.of("a", "b"), "metadata", "finalizers"))))
                .hasMessageContaining("no new finalizers");

        ObjectKey attachment = ObjectKey.attachment("va");
        cluster.create(Objects.object(
                "VolumeAttachment",
                Map.of("name", "va"),
                Map.of("attacher", "mem", "nodeName", "n", "source", Map.of("persistentVolumeName", "v"))));
        Map<String, Object> failure = Map.of("message", "\u20ac".repeat(342));
        assertThatThrownBy(() -> cluster.patch(attachment, status(set(failure, "status", "attachError"))))
                .hasMessageContaining("1024 bytes");

        ObjectKey node = new ObjectKey(Kind.CSI_NODE, "", "n");
        Map<String, Object> entry = Map.of("name", "mem", "nodeID", "id");
        cluster.create(Objects.object("CSINode", Map.of("name", "n"), Map.of("drivers", List.of(entry))));
        Map<String, Object> other = Map.of("name", "mem", "nodeID", "id", "topologyKeys", List.of("zone"));
        assertThatThrownBy(() -> cluster.patch(node, patch(set(List.of(other), "spec", "drivers"))))
                .hasMessageContaining("immutable");
        Map<String, Object> limited = Map.of("name", "mem", "nodeID", "id", "allocatable", Map.of("count", 3));
        cluster.patch(node, patch(set(List.of(limited), "spec", "drivers")));
    }

    @Test
    void onlyAChangedSpecIsANewGeneration() {
        cluster.create(claim("c"));
        assertThat(cluster.patch(C, patch(set("x", "metadata", "labels", "l")))
                        .metadata()
                        .generation())
                .isEqualTo(1);
        assertThat(cluster.patch(C, status(set("Bound", "status", "phase")))
                        .metadata()
                        .generation())
                .isEqualTo(1);
        assertThat(cluster.patch(C, patch(set("v1", "spec", "volumeName")))
                        .metadata()
                        .generation())
                .isEqualTo(2);
    }

    @ParameterizedTest(name = "status={0} path={1}: {2}")
    @CsvSource({
        "false, spec/volumeName, allowed",
        "false, metadata/labels/l, allowed",
        "false, metadata/finalizers, allowed",
        "false, status/phase, INVALID",
        "true, status/phase, allowed",
        "true, status, allowed",
        "true, spec/volumeName, INVALID",
        "true, metadata/labels/l, INVALID",
        "false, metadata, INVALID",
        "false, metadata/uid, INVALID",
        "false, metadata/resourceVersion, INVALID",
        "false, metadata/deletionTimestamp, INVALID",
        "false, kind, INVALID",
    })
    void statusIsApartAndTheStoresOwnFieldsAreNotTheCallers(boolean status, String path, String expected) {
        cluster.create(claim("c"));
        Patch patch = new Patch(Preconditions.none(), status, List.of(new FieldChange(List.of(path.split("/")), null)));

        if (expected.equals("allowed")) {
            cluster.patch(C, patch);
        } else {
            assertThat(refusal(() -> cluster.patch(C, patch))).isEqualTo(Reason.valueOf(expected));
        }
    }

    @Test
    void aPatchThatLeavesNoReadableObjectIsRefusedAndDoesNothing() {
        ApiObject before = cluster.create(claim("c"));

        assertThat(refusal(() -> cluster.patch(C, patch(set("64Mib", "spec", "resources", "requests", "storage")))))
                .isEqualTo(Reason.INVALID);
        assertThat(refusal(() -> cluster.patch(C, patch(set("x", "spec", "accessModes", "deeper")))))
                .isEqualTo(Reason.INVALID);
        assertThat(cluster.readLive(C)).contains(before);
    }

    @Test
    void aPreconditionThatDoesNotHoldIsAConflictAndNothingIsDone() {
        ObjectMeta meta = cluster.create(claim("c")).metadata();
        FieldChange change = set("v1", "spec", "volumeName");
        Preconditions otherUid = new Preconditions("other", "");
        Preconditions oldRevision = new Preconditions(meta.uid(), "0");

        for (Preconditions unmet : List.of(otherUid, oldRevision)) {
            assertThat(refusal(() -> cluster.patch(C, new Patch(unmet, false, List.of(change)))))
                    .isEqualTo(Reason.CONFLICT);
            assertThat(refusal(() -> cluster.delete(C, unmet))).isEqualTo(Reason.CONFLICT);
        }
        assertThat(cluster.revision()).isEqualTo("1");
        cluster.patch(C, new Patch(Preconditions.of(meta), false, List.of(change)));
        assertThat(cluster.revision()).isEqualTo("2");
    }

    @Test
    void whatIsNotThereCannotBeChangedOrDeleted() {
        assertThat(refusal(() -> cluster.patch(C, patch(set("v", "spec", "volumeName")))))
                .isEqualTo(Reason.NOT_FOUND);
        assertThat(refusal(() -> cluster.delete(C, Preconditions.none()))).isEqualTo(Reason.NOT_FOUND);
        assertThat(cluster.readLive(C)).isEmpty();
    }

    @Test
    void anObjectWithFinalizersStaysMarkedUntilTheLastOneGoes() {
        cluster.create(claim("c"));
        cluster.patch(C, patch(set(List.of("a", "b"), "metadata", "finalizers")));
        clock.advance(Duration.ofSeconds(5));

        cluster.delete(C, Preconditions.none());
        String marked = cluster.revision();
        cluster.delete(C, Preconditions.none());
        assertThat(stored(C).metadata().deletionTimestamp()).isEqualTo(ManualClock.START.plusSeconds(5));
        assertThat(cluster.revision()).isEqualTo(marked);

        cluster.patch(C, patch(set(List.of("b"), "metadata", "finalizers")));
        assertThat(cluster.readLive(C)).isPresent();
        cluster.patch(C, patch(remove("metadata", "finalizers")));
        assertThat(cluster.readLive(C)).isEmpty();
    }

    @Test
    void aPodThatIsBeingDeletedWithoutFinalizersStaysUntilItIsRemoved() {
        cluster.apply(object(
                "Pod", Map.of("name", "p", "deletionTimestamp", "2026-01-01T00:00:30Z"), Map.of("nodeName", "n1")));
        ObjectKey p = ObjectKey.pod("default", "p");

        cluster.patch(p, status(set("Failed", "status", "phase")));
        assertThat(stored(p).metadata().deleting()).isTrue();
        cluster.remove(p);
        assertThat(cluster.readLive(p)).isEmpty();
    }

    @Test
    void aRecreatedObjectHasAnotherUid() {
        String first = cluster.create(claim("c")).metadata().uid();
        cluster.delete(C, Preconditions.none());
        assertThat(cluster.create(claim("c")).metadata().uid()).isNotEqualTo(first);
    }

    @Test
    void listingSelectsPodsByNodeAndTheNodeItselfAndAllOfTheRest() {
        cluster.apply(pod("a", "n1"));
        cluster.apply(pod("b", "n2"));
        cluster.apply(object("Node", Map.of("name", "n1"), Map.of()));
        cluster.apply(object("Node", Map.of("name", "n2"), Map.of()));
        cluster.apply(volume("v1"));

        Selection n1 = Selection.ofNode("n1");
        assertThat(names(Kind.POD, n1)).containsExactly("a");
        assertThat(names(Kind.NODE, n1)).containsExactly("n1");
        assertThat(names(Kind.PERSISTENT_VOLUME, n1)).containsExactly("v1");
        assertThat(names(Kind.POD, Selection.all())).containsExactly("a", "b");
        assertThat(cluster.list(Kind.POD, n1).revision()).isEqualTo(cluster.revision());
    }

    @Test
    void aListCanBeBehindAndAWatchFromItTellsWhatItMissed() {
        cluster.apply(volume("old"));
        cluster.apply(volume("gone"));
        cluster.remove(ObjectKey.volume("gone"));
        cluster.apply(volume("new"));
        cluster.patch(ObjectKey.volume("old"), patch(set("c", "spec", "storageClassName")));

        cluster.listBehind(3);
        Listing stale = cluster.list(Kind.PERSISTENT_VOLUME, Selection.all());

        assertThat(stale.revision()).isEqualTo("2");
        assertThat(stale.objects())
                .extracting(object -> object.metadata().name())
                .containsExactly("gone", "old");
        assertThat(stale.objects())
                .extracting(object -> object.metadata().resourceVersion())
                .containsExactly("2", "1");
        assertThat(watch(Kind.PERSISTENT_VOLUME, Selection.all(), stale.revision()).heard)
                .containsExactly("DELETED gone", "CHANGED new", "CHANGED old");
        cluster.listBehind(0);
        assertThat(names(Kind.PERSISTENT_VOLUME, Selection.all())).containsExactly("new", "old");
    }

    @Test
    void aRefusedWriteFailsAsTheScriptWantsAndOnlyAfterIsItDone() {
        cluster.fail(
                ClusterFault.on(ClusterVerb.CREATE).of(Kind.PERSISTENT_VOLUME).as(Rejection.EXISTS));
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).as(Rejection.UNAVAILABLE));
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).as(Rejection.UNAVAILABLE_AFTER));

        assertThat(refusal(() -> cluster.create(claim("c")))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(cluster.get(C)).isEmpty();
        assertThat(refusal(() -> cluster.create(volume("v1")))).isEqualTo(Reason.ALREADY_EXISTS);
        assertThat(refusal(() -> cluster.create(claim("c")))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(cluster.get(C)).isPresent();
        assertThat(cluster.create(claim("d"))).isNotNull();
    }

    @Test
    void listsAndReadsCanFailToo() {
        cluster.fail(ClusterFault.on(ClusterVerb.LIST).of(Kind.POD).times(2));
        cluster.fail(ClusterFault.on(ClusterVerb.READ).of(C).always());

        assertThat(refusal(() -> cluster.list(Kind.POD, Selection.all()))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(refusal(() -> cluster.list(Kind.POD, Selection.all()))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(cluster.list(Kind.POD, Selection.all()).objects()).isEmpty();
        assertThat(refusal(() -> cluster.readLive(C))).isEqualTo(Reason.UNAVAILABLE);
        cluster.heal();
        assertThat(cluster.readLive(C)).isEmpty();
    }

    @Test
    void everyWordOfAVerbOrARejectionMeansThatOne() {
        for (ClusterVerb verb : ClusterVerb.values()) {
            assertThat(ClusterVerb.ofWord(verb.word())).isEqualTo(verb);
        }
        for (Rejection rejection : Rejection.values()) {
            assertThat(Rejection.ofWord(rejection.word())).isEqualTo(rejection);
        }
    }

    @Test
    void everyWriteIsJournaledAlsoWhenItWasRefused() {
        cluster.create(claim("c"));
        cluster.patch(C, status(set("Bound", "status", "phase")));
        refusal(() -> cluster.create(claim("c")));
        cluster.delete(C, Preconditions.none());
        cluster.apply(volume("not-journaled"));

        assertThat(cluster.writes())
                .extracting(ClusterWrite::toString)
                .containsExactly(
                        "1 create PersistentVolumeClaim/default/c at 1",
                        "2 patchStatus PersistentVolumeClaim/default/c at 2",
                        "3 create PersistentVolumeClaim/default/c refused: ALREADY_EXISTS",
                        "4 delete PersistentVolumeClaim/default/c at 3");
    }

    @Test
    void writersOnSeveralThreadsNeitherLoseNorRepeatARevision() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        RecordingListener listener = watch(Kind.PERSISTENT_VOLUME, Selection.all(), "0");
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                done.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 50; i++) {
                        cluster.create(volume("v-" + thread + "-" + i));
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(cluster.revision()).isEqualTo("200");
        assertThat(listener.events)
                .extracting(event -> Long.parseLong(event.revision()))
                .isSorted()
                .hasSize(200);
        assertThat(new HashSet<>(listener.heard)).hasSize(200);
    }

    private RecordingListener watch(Kind kind, Selection selection, String revision) {
        RecordingListener listener = new RecordingListener();
        cluster.watch(kind, selection, revision, listener);
        return listener;
    }

    private List<String> names(Kind kind, Selection selection) {
        return cluster.list(kind, selection).objects().stream()
                .map(object -> object.metadata().name())
                .toList();
    }

    private ApiObject stored(ObjectKey key) {
        return cluster.get(key).orElseThrow();
    }

    private static Patch patch(FieldChange... changes) {
        return new Patch(Preconditions.none(), false, List.of(changes));
    }

    private static Patch status(FieldChange... changes) {
        return new Patch(Preconditions.none(), true, List.of(changes));
    }

    private static Reason refusal(ThrowingCallable call) {
        return catchThrowableOfType(ClusterException.class, call).reason();
    }
}
