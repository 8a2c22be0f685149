package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.SnapshotBench.apply;
import static io.volume4j.inmemory.control.SnapshotBench.bench;
import static io.volume4j.inmemory.control.SnapshotBench.calls;
import static io.volume4j.inmemory.control.SnapshotBench.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots of several claims at one instant; the tables stand in docs/snapshots.md. */
class GroupSnapshotTest {
    private static final ObjectKey GROUP = new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, "ns", "g");
    private static final String MORE = """
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: log, namespace: ns, uid: uid-log, labels: {app: db}},
             spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 2Gi}}},
             status: {phase: Pending}}
            ---
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: other, namespace: ns, uid: uid-other},
             spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 2Gi}}},
             status: {phase: Pending}}
            ---
            {apiVersion: groupsnapshot.storage.k8s.io/v1beta2, kind: VolumeGroupSnapshotClass, metadata: {name: all}, driver: mem,
             deletionPolicy: Delete}
            """;
    private static final String WANTED = """
            {apiVersion: groupsnapshot.storage.k8s.io/v1beta2, kind: VolumeGroupSnapshot, metadata: {name: g, namespace: ns, uid: uid-g},
             spec: {source: {selector: {matchLabels: {app: db}}}, volumeGroupSnapshotClassName: all}}
            """;

    private static ControlBench two() {
        ControlBench bench = settled();
        apply(bench, MORE);
        return bench.settle();
    }

    private static ControlBench cut() {
        ControlBench bench = two();
        apply(bench, WANTED);
        return bench.settle();
    }

    private static VolumeGroupSnapshot group(ControlBench bench) {
        return (VolumeGroupSnapshot) bench.cluster.get(GROUP).orElseThrow();
    }

    private static List<VolumeSnapshot> members(ControlBench bench) {
        return bench.cluster.export().stream()
                .filter(VolumeSnapshot.class::isInstance)
                .map(VolumeSnapshot.class::cast)
                .toList();
    }

    private static List<ApiObject> contents(ControlBench bench) {
        return bench.cluster.export().stream()
                .filter(object -> object.kind() == Kind.VOLUME_SNAPSHOT_CONTENT)
                .toList();
    }

    @Test
    void theClaimsThatAreChosenAreCutInOneCallAndEachGetsASnapshot() {
        ControlBench bench = cut();

        assertThat(calls(bench, "groupSnapshot", "snapshot")).containsExactly("groupSnapshot");
        assertThat(bench.storage.groupSnapshotHandles()).containsExactly("groupsnapshot-uid-g");
        assertThat(group(bench).status().ready()).isTrue();
        assertThat(group(bench).status().contentName()).isEqualTo("groupsnapcontent-uid-g");
        assertThat(members(bench)).hasSize(2).allSatisfy(member -> {
            assertThat(member.status().ready()).isTrue();
            assertThat(member.metadata().ownerReferences())
                    .extracting(owner -> owner.kind() + " " + owner.uid())
                    .containsExactly("VolumeGroupSnapshot uid-g");
            assertThat(member.metadata().finalizers()).contains(WellKnown.SNAPSHOT_GROUP_PROTECTION);
        });
        for (String claim : List.of("data", "log")) {
            assertThat(bench.claim(claim).metadata().finalizers()).doesNotContain(WellKnown.SNAPSHOTTED_PROTECTION);
        }
    }

    /** A namespace may have many groups and many claims, and its users can change these all the time. */
    @Test
    void aGroupIsVisitedOnlyIfAClaimThatItChoosesChanges() {
        ControlBench bench = bench();
        VisitedObjects visited = bench.visits(Kind.VOLUME_GROUP_SNAPSHOT);
        bench.startAndSettle();
        apply(bench, MORE);
        apply(bench, WANTED.replace("groupSnapshotClassName: all", "groupSnapshotClassName: none-yet"));
        bench.settle();
        assertThat(visited.take()).contains(GROUP);

        bench.patch(GivenClaim.key("other"), false, label("tier", "cold"));
        bench.patch(GivenClaim.key("data"), false, note());
        bench.patch(volumeOf(bench, "other"), false, note());
        bench.settle();
        assertThat(visited.take()).isEmpty();

        bench.patch(GivenClaim.key("other"), false, label("app", "db"));
        bench.settle();
        assertThat(visited.take()).contains(GROUP);
        bench.patch(GivenClaim.key("other"), false, label("app", "web"));
        bench.settle();
        assertThat(visited.take()).contains(GROUP);
        bench.patch(volumeOf(bench, "data"), false, note());
        bench.settle();
        assertThat(visited.take()).contains(GROUP);
    }

    private static ObjectKey volumeOf(ControlBench bench, String claim) {
        return ObjectKey.volume(bench.claim(claim).spec().volumeName());
    }

    private static FieldChange note() {
        return FieldChange.set("1", "metadata", "annotations", "note");
    }

    private static FieldChange label(String name, String value) {
        return FieldChange.set(value, "metadata", "labels", name);
    }

    /** Kubernetes' controllers decide by these fields that a member is not deleted alone, and that it may go behind its group. */
    @Test
    void membersAndTheirContentsNameTheirGroupInTheirStatus() {
        ControlBench bench = cut();

        assertThat(members(bench))
                .extracting(member -> member.status().groupName())
                .containsExactly("g", "g");
        assertThat(contents(bench))
                .extracting(
                        content -> ((VolumeSnapshotContent) content).status().groupHandle())
                .containsExactly("groupsnapshot-uid-g", "groupsnapshot-uid-g");
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {"TRANSIENT", "UNCERTAIN_BEFORE", "UNCERTAIN_AFTER", "FINAL"})
    void whateverGoesWrongOneGroupIsCutInTheEnd(FaultKind kind) {
        ControlBench bench = two();
        bench.plugin.faults().add(Fault.on("groupSnapshot").as(kind).times(2));
        apply(bench, WANTED);
        bench.settle();

        assertThat(bench.storage.groupSnapshotHandles()).containsExactly("groupsnapshot-uid-g");
        assertThat(members(bench)).hasSize(2);
    }

    @Test
    void aMemberCannotBeDeletedWhileTheGroupLives() {
        ControlBench bench = cut();
        ObjectKey member = members(bench).get(0).key();
        bench.cluster.remove(member);
        bench.settle();

        assertThat(bench.has(member)).isTrue();
        assertThat(bench.explain(member).text()).contains("part of group snapshot g");
        assertThat(calls(bench, "deleteSnapshot")).isEmpty();
        assertThat(bench.storage.snapshotHandles()).hasSize(2);
    }

    @Test
    void theGroupTakesItsMembersWithItInOneCall() {
        ControlBench bench = cut();
        bench.cluster.remove(GROUP);
        bench.settle();

        assertThat(bench.has(GROUP)).isFalse();
        assertThat(members(bench)).isEmpty();
        assertThat(contents(bench)).isEmpty();
        assertThat(bench.storage.snapshotHandles()).isEmpty();
        assertThat(calls(bench, "deleteGroupSnapshot", "deleteSnapshot")).containsExactly("deleteGroupSnapshot");
    }

    @Test
    void aClaimIsMadeFromAMemberAndTheGroupIsKeptMeanwhile() {
        ControlBench bench = cut();
        bench.plugin.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT).times(3));
        String member = members(bench).get(0).metadata().name();
        apply(bench, SnapshotBench.restored("2Gi").replace("name: s}}", "name: " + member + "}}"));
        bench.run();
        bench.cluster.remove(GROUP);
        bench.run();
        assertThat(bench.has(GROUP)).isTrue();

        bench.settle();
        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.has(GROUP)).isFalse();
        assertThat(bench.storage.groupSnapshotHandles()).isEmpty();
    }

    /** A filesystem that is read as a device, or a device that is mounted, would show or run what its user wrote. */
    @Test
    void aMemberKeepsTheModeOfItsVolumeAsAnySnapshotDoes() {
        ControlBench bench = cut();
        String member = members(bench).get(0).metadata().name();

        apply(
                bench,
                SnapshotBench.restored("2Gi")
                        .replace("name: s}}", "name: " + member + "}}")
                        .replace("spec: {", "spec: {volumeMode: Block, "));
        bench.settle();

        assertThat(contents(bench))
                .extracting(content -> ((VolumeSnapshotContent) content).spec().sourceVolumeMode())
                .containsExactly(VolumeMode.FILESYSTEM, VolumeMode.FILESYSTEM);
        assertThat(bench.claim("copy").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(bench.explain(ObjectKey.claim("ns", "copy")).text()).contains("the claim asks for Block");
    }

    @Test
    void aGroupOfNothingSaysSo() {
        ControlBench bench = two();
        apply(bench, WANTED.replace("app: db", "app: none"));
        bench.settle();

        assertThat(Objects.requireNonNull(group(bench).status().error()).message())
                .contains("chooses no claim");
        assertThat(calls(bench, "groupSnapshot")).isEmpty();
    }

    @Test
    void convergesAfterACrashBehindEveryWrite() {
        String alive = cut().endState();
        ControlBench undisturbed = cut();
        undisturbed.cluster.remove(GROUP);
        String gone = undisturbed.settle().endState();
        boolean finished = false;
        for (int write = 1; !finished; write++) {
            ControlBench bench = two();
            apply(bench, WANTED);
            bench.crashAfterWrite(write).settle();
            if (bench.crashed()) {
                bench.startAndSettle();
            }
            if (bench.everCrashed()) {
                assertThat(bench.endState()).as("crash behind write %d", write).isEqualTo(alive);
            }
            bench.cluster.remove(GROUP);
            bench.settle();
            if (bench.crashed()) {
                bench.startAndSettle();
            }
            assertThat(bench.endState()).as("crash behind write %d", write).isEqualTo(gone);
            finished = !bench.everCrashed();
        }
    }

    @Test
    void leaksNothingWhenTheGroupIsDeletedAtAnyPoint() {
        String expected = two().endState();
        boolean finished = false;
        for (int tasks = 0; !finished; tasks += 2) {
            ControlBench bench = two();
            bench.plugin.faults().add(Fault.on("groupSnapshot").as(FaultKind.UNCERTAIN_AFTER));
            apply(bench, WANTED);
            finished = bench.runTasks(tasks) < tasks;
            bench.cluster.remove(GROUP);
            bench.settle();
            assertThat(bench.endState()).as("deleted after %d tasks", tasks).isEqualTo(expected);
        }
    }

    /** A person takes the finalizers of the contents away, and deletes them. */
    @Test
    void makesTheContentsOfMembersAgainWhenTheyAreTakenAwayAtAnyPoint() {
        String expected = cut().endState();
        boolean finished = false;
        for (int tasks = 0; !finished; tasks++) {
            ControlBench bench = two();
            apply(bench, WANTED);
            finished = bench.runTasks(tasks) < tasks;
            contents(bench).forEach(content -> takeAway(bench, (VolumeSnapshotContent) content));
            bench.settle();
            assertThat(bench.endState()).as("taken away after %d tasks", tasks).isEqualTo(expected);
        }
    }

    private static void takeAway(ControlBench bench, VolumeSnapshotContent content) {
        bench.cluster.apply(new VolumeSnapshotContent(
                content.metadata().withFinalizers(List.of()), content.spec(), content.status(), content.unmodeled()));
        bench.cluster.remove(content.key());
    }
}
