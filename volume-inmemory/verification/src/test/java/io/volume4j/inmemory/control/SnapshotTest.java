package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.SnapshotBench.CONTENT;
import static io.volume4j.inmemory.control.SnapshotBench.DATA;
import static io.volume4j.inmemory.control.SnapshotBench.HANDLE;
import static io.volume4j.inmemory.control.SnapshotBench.SNAPSHOT;
import static io.volume4j.inmemory.control.SnapshotBench.apply;
import static io.volume4j.inmemory.control.SnapshotBench.bench;
import static io.volume4j.inmemory.control.SnapshotBench.calls;
import static io.volume4j.inmemory.control.SnapshotBench.cloned;
import static io.volume4j.inmemory.control.SnapshotBench.content;
import static io.volume4j.inmemory.control.SnapshotBench.error;
import static io.volume4j.inmemory.control.SnapshotBench.restored;
import static io.volume4j.inmemory.control.SnapshotBench.settled;
import static io.volume4j.inmemory.control.SnapshotBench.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of claims and claims made from them; the tables stand in docs/snapshots.md. */
class SnapshotTest {
    private static ControlBench cut() {
        ControlBench bench = settled();
        apply(bench, snapshot("quick"));
        return bench.settle();
    }

    // Dynamic.

    @Test
    void aSnapshotIsCutBoundAndReady() {
        ControlBench bench = cut();

        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
        assertThat(snapshot(bench).status().contentName()).isEqualTo(CONTENT.name());
        assertThat(snapshot(bench).status().ready()).isTrue();
        assertThat(snapshot(bench).status().restoreSize()).isEqualTo(Quantity.parse("1Gi"));
        assertThat(content(bench).orElseThrow().status().snapshotHandle()).isEqualTo(HANDLE);
        assertThat(content(bench).orElseThrow().spec().snapshotRef().uid()).isEqualTo("uid-s");
        assertThat(content(bench).orElseThrow().metadata().annotations()).isEmpty();
        assertThat(bench.claim("data").metadata().finalizers()).doesNotContain(WellKnown.SNAPSHOTTED_PROTECTION);
        assertThat(bench.told(SNAPSHOT)).contains("SnapshotReady");
    }

    @Test
    void theIntentAndWhatMustStayAreStoredBeforeTheBackendIsCalled() {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.UNCERTAIN_BEFORE));
        apply(bench, snapshot("quick"));
        bench.run();

        assertThat(calls(bench, "snapshot")).hasSize(1);
        assertThat(content(bench).orElseThrow().metadata().annotations())
                .containsEntry(WellKnown.SNAPSHOT_BEING_CREATED, "yes")
                .containsKey("volume4j.io/snapshot-intent");
        assertThat(content(bench).orElseThrow().metadata().finalizers())
                .containsExactly(WellKnown.SNAPSHOT_CONTENT_PROTECTION);
        assertThat(snapshot(bench).metadata().finalizers()).containsExactly(WellKnown.SNAPSHOT_BOUND_PROTECTION);
        assertThat(bench.claim("data").metadata().finalizers()).contains(WellKnown.SNAPSHOTTED_PROTECTION);
    }

    @Test
    void theBackendHearsTheNameOfTheSnapshotsUidAndTheParametersOfTheClass() {
        ControlBench bench = cut();

        CreateRequest request = (CreateRequest) bench.plugin.calls().stream()
                .filter(call -> call.name().equals("snapshot"))
                .findFirst()
                .orElseThrow()
                .request();
        assertThat(request.name()).isEqualTo(HANDLE);
        assertThat(request.parameters()).isEqualTo(Map.of("tier", "cold"));
    }

    @Test
    void driversHearForWhomTheyCutIfThatWasAskedFor() {
        ControlBench bench = bench();
        bench.features(ControllerFeatures.ofController().snapshots().snapshotMetadata());
        bench.startAndSettle();
        apply(bench, snapshot("quick"));
        bench.settle();

        CreateRequest request = (CreateRequest) bench.plugin.calls().stream()
                .filter(call -> call.name().equals("snapshot"))
                .findFirst()
                .orElseThrow()
                .request();
        assertThat(request.parameters())
                .containsEntry("csi.storage.k8s.io/volumesnapshot/name", "s")
                .containsEntry("csi.storage.k8s.io/volumesnapshot/namespace", "ns")
                .containsEntry("csi.storage.k8s.io/volumesnapshotcontent/name", CONTENT.name());
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {
                "TRANSIENT",
                "UNCERTAIN_BEFORE",
                "UNCERTAIN_AFTER",
                "FINAL",
                "EXHAUSTED",
                "INFEASIBLE",
                "UNCLASSIFIED_AFTER"
            })
    void whateverGoesWrongTheSameSnapshotIsCutInTheEnd(FaultKind kind) {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("snapshot").as(kind).times(kind == FaultKind.INFEASIBLE ? 1 : 3));
        apply(bench, snapshot("quick"));
        bench.settle();

        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
        assertThat(snapshot(bench).status().ready()).isTrue();
        assertThat(error(bench)).isEmpty();
        assertThat(content(bench).orElseThrow().metadata().annotations()).isEmpty();
    }

    @Test
    void aSnapshotThatIsRefusedForGoodIsAskedForMoreAndMoreRarely() {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.FINAL).times(1000));
        apply(bench, snapshot("quick"));

        bench.loop.advance(Duration.ofHours(6));

        // After 0, 2, 6, 14, 30, 62 minutes, then every hour.
        assertThat(calls(bench, "snapshot")).hasSize(10);
        assertThat(bench.explain(CONTENT).text()).contains("the backend refused the snapshot");
        assertThat(content(bench).orElseThrow().metadata().annotations()).isEmpty();
    }

    @Test
    void aSnapshotThatWasRefusedIsAskedForAtOnceWhenItsClassIsCorrected() {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.FINAL).times(5));
        apply(bench, snapshot("quick"));
        bench.loop.advance(Duration.ofHours(1));
        assertThat(snapshot(bench).status().ready()).isFalse();

        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: quick}, driver: mem,
                 deletionPolicy: Delete, parameters: {tier: warm}}
                """);
        bench.loop.advance(Duration.ofSeconds(10));

        assertThat(snapshot(bench).status().ready()).isTrue();
    }

    @Test
    void aFailureIsToldInTheStatusOfBothWithItsTime() {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("snapshot").as(FaultKind.TRANSIENT).times(1000));
        apply(bench, snapshot("quick"));
        bench.run();

        assertThat(error(bench)).contains("snapshot");
        assertThat(Instant.parse(Objects.requireNonNull(
                                content(bench).orElseThrow().status().error())
                        .time()))
                .isNotNull();
        assertThat(bench.told(SNAPSHOT)).contains("SnapshotCreationFailed");
    }

    @Test
    void theBackendIsAskedUntilTheSnapshotIsReady() {
        ControlBench bench = settled();
        bench.storage.snapshotsUnfinished(5);
        apply(bench, snapshot("quick"));
        bench.settle();

        assertThat(calls(bench, "snapshot", "getSnapshot"))
                .containsExactly("snapshot", "getSnapshot", "getSnapshot", "getSnapshot", "getSnapshot", "getSnapshot");
        assertThat(snapshot(bench).status().ready()).isTrue();
        assertThat(content(bench).orElseThrow().metadata().annotations()).isEmpty();
    }

    @Test
    void callsAreMeasuredUnderTheirOwnNames() {
        ControlBench bench = settled();
        bench.storage.snapshotsUnfinished(1);
        apply(bench, snapshot("quick"));
        bench.settle();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        for (String operation : List.of("create_snapshot", "get_snapshot", "delete_snapshot")) {
            assertThat(bench.metrics.timed())
                    .as(operation)
                    .anyMatch(series -> series.contains("operation_name=" + operation) && series.contains("success"));
        }
    }

    @Test
    void aRestartTellsNothingAnew() {
        ControlBench bench = cut();
        bench.kill();
        int told = bench.told(SNAPSHOT).size();
        List<String> written = bench.writes();
        bench.startAndSettle();

        assertThat(bench.told(SNAPSHOT)).hasSize(told);
        assertThat(bench.writes()).isEqualTo(written);
    }

    // Which class.

    @Test
    void theDefaultClassOfTheDriverIsTakenAndWrittenDown() {
        ControlBench bench = settled();
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, driver: other, deletionPolicy: Delete,
                 metadata: {name: foreign, annotations: {snapshot.storage.kubernetes.io/is-default-class: "true"}}}
                ---
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, driver: mem, deletionPolicy: Delete,
                 metadata: {name: usual, annotations: {snapshot.storage.kubernetes.io/is-default-class: "true"}}}
                """);
        apply(bench, snapshot(""));
        bench.settle();

        assertThat(snapshot(bench).spec().className()).isEqualTo("usual");
        assertThat(snapshot(bench).status().ready()).isTrue();
    }

    @Test
    void withoutADefaultClassASnapshotWaitsForOne() {
        ControlBench bench = settled();
        apply(bench, snapshot(""));
        bench.settle();
        assertThat(error(bench)).contains("names no class");
        assertThat(bench.told(SNAPSHOT)).contains("SetDefaultSnapshotClassFailed");

        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, driver: mem, deletionPolicy: Delete,
                 metadata: {name: usual, annotations: {snapshot.storage.kubernetes.io/is-default-class: "true"}}}
                """);
        bench.settle();
        assertThat(snapshot(bench).status().ready()).isTrue();
        assertThat(error(bench)).isEmpty();
    }

    @Test
    void aSnapshotWaitsForItsClassItsClaimAndItsPlugin() {
        ControlBench bench = bench();
        bench.plugin.set(Capability.SNAPSHOT, false);
        bench.cluster.remove(DATA);
        apply(bench, snapshot("slow"));
        bench.startAndSettle();
        assertThat(error(bench)).contains("claim ns/data does not exist");

        apply(bench, SnapshotBench.CLAIM_AND_CLASSES);
        bench.settle();
        assertThat(error(bench)).contains("VolumeSnapshotClass \"slow\" does not exist");

        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: slow}, driver: mem,
                 deletionPolicy: Delete}
                """);
        bench.settle();
        assertThat(bench.explain(CONTENT).text()).contains("no plugin of this process makes snapshots of driver mem");
        assertThat(calls(bench, "snapshot")).isEmpty();
    }

    // Deletion.

    @Test
    void policyDeleteTakesTheBackendsSnapshotWithIt() {
        ControlBench bench = cut();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(SNAPSHOT)).isFalse();
        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Delete"})
    void keepsASnapshotOfTheBackendThatAlsoAnotherContentNames(String policy) {
        ControlBench bench = cut();
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: imported, uid: uid-imported},
                 spec: {volumeSnapshotRef: {namespace: other, name: imported}, driver: mem, deletionPolicy: POLICY,
                        source: {snapshotHandle: snapshot-uid-s}}}
                """.replace("POLICY", policy));
        bench.settle();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(SNAPSHOT)).isFalse();
        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);

        bench.cluster.remove(new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "imported"));
        bench.settle();
        assertThat(bench.storage.snapshotHandles().isEmpty())
                .as("deleted with the last content, by its policy")
                .isEqualTo(policy.equals("Delete"));
    }

    /** A deleted content stays as long as its VolumeSnapshot, and so must its data. */
    @Test
    void keepsASnapshotOfTheBackendThatADeletedContentStillServes() {
        ControlBench bench = cut();
        ObjectKey imported = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "imported");
        ObjectKey its = new ObjectKey(Kind.VOLUME_SNAPSHOT, "ns", "imported");
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: imported, uid: uid-imported},
                 spec: {volumeSnapshotRef: {namespace: ns, name: imported}, driver: mem, deletionPolicy: Retain,
                        source: {snapshotHandle: snapshot-uid-s}}}
                """);
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: imported, namespace: ns, uid: uid-its},
                 spec: {source: {volumeSnapshotContentName: imported}}}
                """);
        bench.settle();
        bench.cluster.remove(imported);
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.has(imported)).isTrue();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);

        bench.cluster.remove(its);
        bench.settle();
        assertThat(bench.has(imported)).isFalse();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
    }

    /** Otherwise each of two deleted contents would leave the snapshot to the other one. */
    @Test
    void aSnapshotOfTheBackendIsDeletedIfItsOtherContentIsGoneAndNoWatchHasShownThatYet() {
        ControlBench bench = cut();
        ObjectKey imported = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "imported");
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: imported, uid: uid-imported},
                 spec: {volumeSnapshotRef: {namespace: other, name: imported}, driver: mem, deletionPolicy: Delete,
                        source: {snapshotHandle: snapshot-uid-s}}}
                """);
        bench.settle();
        bench.hideFromWatches(bench.cluster.get(imported).orElseThrow());
        bench.cluster.remove(imported);
        bench.patch(imported, false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).isEmpty();
    }

    @Test
    void policyRetainKeepsContentAndSnapshot() {
        ControlBench bench = settled();
        apply(bench, snapshot("lasting"));
        bench.settle();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(SNAPSHOT)).isFalse();
        assertThat(bench.has(CONTENT)).isTrue();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);

        bench.cluster.remove(CONTENT);
        bench.settle();
        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).as("kept for people").containsExactly(HANDLE);
    }

    /** A user saves the data at the last moment, and the watch is behind. */
    @Test
    void aPolicyThatBecameRetainKeepsTheBackendsSnapshotAlsoIfNoWatchHasShownItYet() {
        ControlBench bench = cut();
        bench.plugin.faults().add(Fault.on("deleteSnapshot").as(FaultKind.TRANSIENT));
        bench.cluster.remove(SNAPSHOT);
        bench.run();
        assertThat(content(bench).orElseThrow().metadata().deleting()).isTrue();
        bench.hideFromWatches(content(bench).orElseThrow());
        bench.patch(CONTENT, false, FieldChange.set("Retain", "spec", "deletionPolicy"));
        bench.settle();

        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
        assertThat(bench.has(CONTENT)).isFalse();
    }

    @Test
    void aSnapshotThatVanishedTakesNothingWithIt() {
        ControlBench bench = cut();
        bench.patch(SNAPSHOT, false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(CONTENT)).isTrue();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
    }

    /** Backup programs believe readyToUse. Nothing can be made from such a snapshot, and nothing of its claim is needed for it. */
    @Test
    void aSnapshotWhoseContentWasRemovedByForceIsNotReadyAndKeepsNoClaim() {
        ControlBench bench = cut();
        bench.cluster.remove(CONTENT);
        bench.patch(CONTENT, false, FieldChange.set(List.of(), "metadata", "finalizers"));
        bench.settle();

        assertThat(content(bench)).isEmpty();
        assertThat(snapshot(bench).status().ready()).isFalse();
        assertThat(error(bench)).contains("is gone");
        assertThat(bench.told(SNAPSHOT)).contains("SnapshotContentMissing");
        anotherSnapshotLetsTheClaimGo(bench);
    }

    @Test
    void aSnapshotWhoseContentIsForAnotherOneIsNotReadyAndKeepsNoClaim() {
        ControlBench bench = cut();
        bench.patch(CONTENT, false, FieldChange.set("uid-other", "spec", "volumeSnapshotRef", "uid"));
        bench.settle();

        assertThat(snapshot(bench).status().ready()).isFalse();
        assertThat(bench.told(SNAPSHOT)).contains("SnapshotContentMisbound");
        anotherSnapshotLetsTheClaimGo(bench);
    }

    private static void anotherSnapshotLetsTheClaimGo(ControlBench bench) {
        apply(bench, snapshot("quick").replace("name: s,", "name: t,").replace("uid-s", "uid-t"));
        bench.settle();
        assertThat(bench.cluster.get(new ObjectKey(Kind.VOLUME_SNAPSHOT, "ns", "t")))
                .hasValueSatisfying(other ->
                        assertThat(((VolumeSnapshot) other).status().ready()).isTrue());
        assertThat(bench.claim("data").metadata().finalizers()).doesNotContain(WellKnown.SNAPSHOTTED_PROTECTION);
    }

    @Test
    void aContentIsKeptWhileItsSnapshotIsThere() {
        ControlBench bench = cut();
        bench.cluster.remove(CONTENT);
        bench.settle();

        assertThat(bench.has(CONTENT)).isTrue();
        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
        assertThat(bench.explain(CONTENT).text()).contains("kept while its snapshot is bound to it");
    }

    @Test
    void deletedWhileTheAnswerIsOutNothingIsLeft() {
        ControlBench bench = settled();
        bench.plugin
                .faults()
                .add(Fault.on("snapshot").as(FaultKind.UNCERTAIN_AFTER).times(2));
        apply(bench, snapshot("quick"));
        bench.run();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.has(SNAPSHOT)).isFalse();
        assertThat(bench.has(CONTENT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).isEmpty();
        assertThat(calls(bench, "deleteSnapshot")).hasSize(1);
    }

    @Test
    void anUnknownPolicyDestroysNothing() {
        ControlBench bench = settled();
        apply(bench, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: quick}, driver: mem,
                 deletionPolicy: Shred}
                """);
        apply(bench, snapshot("quick"));
        bench.settle();
        bench.cluster.remove(SNAPSHOT);
        bench.settle();

        assertThat(bench.storage.snapshotHandles()).containsExactly(HANDLE);
        assertThat(bench.has(CONTENT)).isTrue();
    }

    // Contents that people made.

    private static final String GIVEN = """
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: old, uid: uid-old},
             spec: {volumeSnapshotRef: {namespace: ns, name: t}, deletionPolicy: Delete, driver: mem,
                    source: {snapshotHandle: snapshot-uid-s}}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: t, namespace: ns, uid: uid-t},
             spec: {source: {volumeSnapshotContentName: old}}}
            """;
    private static final ObjectKey OLD = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "old");
    private static final ObjectKey TAKER = new ObjectKey(Kind.VOLUME_SNAPSHOT, "ns", "t");

    @Test
    void aContentThatIsThereIsReservedByUidAndBound() {
        ControlBench bench = cut();
        apply(bench, GIVEN);
        bench.settle();

        var content = (VolumeSnapshotContent) bench.cluster.get(OLD).orElseThrow();
        var taker = (VolumeSnapshot) bench.cluster.get(TAKER).orElseThrow();
        assertThat(content.spec().snapshotRef().uid()).isEqualTo("uid-t");
        assertThat(content.status().ready()).isTrue();
        assertThat(taker.status().contentName()).isEqualTo("old");
        assertThat(taker.status().ready()).isTrue();
    }

    @Test
    void aContentForAnotherSnapshotIsNotTaken() {
        ControlBench bench = settled();
        apply(bench, GIVEN.replace("name: t}, deletionPolicy", "name: t, uid: uid-other}, deletionPolicy"));
        bench.settle();

        var taker = (VolumeSnapshot) bench.cluster.get(TAKER).orElseThrow();
        assertThat(taker.status().contentName()).isEmpty();
        assertThat(bench.told(TAKER)).contains("SnapshotContentMisbound");
    }

    @Test
    void aHandleThatTheBackendDoesNotKnowIsTold() {
        ControlBench bench = settled();
        apply(bench, GIVEN);
        bench.settle();

        assertThat(bench.told(OLD)).contains("SnapshotCreationFailed");
        assertThat(bench.explain(OLD).text()).contains("the backend has no snapshot " + HANDLE);
    }

    // Restoring.

    @Test
    void aClaimIsMadeFromASnapshot() {
        ControlBench bench = cut();
        apply(bench, restored("2Gi"));
        bench.settle();

        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(contents(bench)).containsExactly(new ContentSource(ContentSource.Kind.SNAPSHOT, HANDLE));
        assertThat(snapshot(bench).metadata().finalizers()).doesNotContain(WellKnown.SNAPSHOT_SOURCE_PROTECTION);
    }

    @Test
    void aClaimWaitsForItsSnapshotAndThenGetsIt() {
        ControlBench bench = settled();
        apply(bench, restored("1Gi"));
        bench.settle();
        assertThat(bench.explain(GivenClaim.key("copy")).text()).contains("does not exist");

        apply(bench, snapshot("quick"));
        bench.settle();
        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(contents(bench)).containsExactly(new ContentSource(ContentSource.Kind.SNAPSHOT, HANDLE));
    }

    @Test
    void aClaimThatIsTooSmallForItsSnapshotIsRefused() {
        ControlBench bench = cut();
        apply(bench, restored("512Mi"));
        bench.settle();

        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(bench.explain(GivenClaim.key("copy")).text()).contains("needs at least 1Gi");
        assertThat(contents(bench)).isEmpty();
    }

    @Test
    void aSnapshotIsKeptWhileAClaimIsMadeFromIt() {
        ControlBench bench = cut();
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(3));
        apply(bench, restored("1Gi"));
        bench.run();
        bench.cluster.remove(SNAPSHOT);
        bench.run();
        assertThat(bench.has(SNAPSHOT)).isTrue();
        assertThat(bench.told(SNAPSHOT)).contains("SnapshotDeletePending");

        bench.settle();
        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.has(SNAPSHOT)).isFalse();
        assertThat(bench.storage.snapshotHandles()).isEmpty();
    }

    // Clones.

    @Test
    void aClaimIsClonedAndItsSourceKeptMeanwhile() {
        ControlBench bench = settled();
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(3));
        apply(bench, cloned());
        bench.run();
        assertThat(bench.claim("data").metadata().finalizers()).contains(WellKnown.CLONING_PROTECTION);
        bench.cluster.remove(DATA);
        bench.settle();

        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(contents(bench)).contains(new ContentSource(ContentSource.Kind.VOLUME, "pvc-uid-data"));
        assertThat(bench.has(DATA)).isFalse();
    }

    /** A driver may make a volume larger than it was asked to, and does so again for the clone. */
    @Test
    void aClaimIsClonedWithTheSizeThatItsSourceAskedFor() {
        ControlBench bench = settled();
        bench.patch(ObjectKey.volume("pvc-uid-data"), false, FieldChange.set("1100Mi", "spec", "capacity", "storage"));
        apply(bench, cloned());
        bench.settle();

        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(contents(bench)).contains(new ContentSource(ContentSource.Kind.VOLUME, "pvc-uid-data"));
    }

    /** The request of a claim without a volume never changes, and no source becomes smaller. */
    @Test
    void aDeletedClaimIsNotKeptForAClaimThatAsksForTooLittleToBeItsClone() {
        ControlBench bench = settled();
        apply(bench, cloned().replace("1Gi", "512Mi"));
        bench.settle();
        assertThat(bench.claim("data").metadata().finalizers()).contains(WellKnown.CLONING_PROTECTION);
        assertThat(bench.explain(GivenClaim.key("copy")).text()).contains("needs at least 1Gi");

        bench.cluster.remove(DATA);
        bench.settle();
        assertThat(bench.has(DATA)).isFalse();
    }

    /** No pod can use it any more, so it may never get a volume. */
    @Test
    void aDeletedClaimThatIsNotBoundIsNotKeptForClones() {
        ControlBench bench = settled();
        apply(bench, """
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: late}, provisioner: mem,
                 reclaimPolicy: Delete, volumeBindingMode: WaitForFirstConsumer}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: lazy, namespace: ns, uid: uid-lazy},
                 spec: {accessModes: [ReadWriteOnce], storageClassName: late, resources: {requests: {storage: 1Gi}}},
                 status: {phase: Pending}}
                """);
        apply(bench, cloned().replace("name: data", "name: lazy"));
        bench.settle();
        assertThat(bench.claim("lazy").metadata().finalizers()).contains(WellKnown.CLONING_PROTECTION);

        bench.cluster.remove(GivenClaim.key("lazy"));
        bench.settle();
        assertThat(bench.has(GivenClaim.key("lazy"))).isFalse();
    }

    @Test
    void aDeletedSnapshotIsNotKeptForAClaimThatAsksForTooLittle() {
        ControlBench bench = settled();
        apply(bench, snapshot("quick"));
        bench.settle();
        apply(bench, restored("512Mi"));
        bench.settle();
        assertThat(snapshot(bench).metadata().finalizers()).contains(WellKnown.SNAPSHOT_SOURCE_PROTECTION);

        bench.cluster.remove(SNAPSHOT);
        bench.settle();
        assertThat(bench.has(SNAPSHOT)).isFalse();
    }

    /** What volumes that were asked for were to be filled from. */
    private static List<ContentSource> contents(ControlBench bench) {
        return bench.plugin.calls().stream()
                .filter(call -> call.name().equals("provision"))
                .map(call -> ((ProvisionRequest) call.request()).content())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }
}
