package io.volume4j.core.control.snapshot;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;

import io.volume4j.core.control.PlanRow;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How claims are kept while others are made from them, row by row. */
class SourcePlannerTest {
    private static final String SNAPSHOTTED = "snapshot.storage.kubernetes.io/pvc-as-source-protection";
    private static final String CLONED = "provisioner.storage.kubernetes.io/cloning-protection";
    private static final String OTHER = "example.com/other";
    private static final boolean DELETING = true;
    private static final @Nullable List<String> NOT_KNOWN = null;
    private static final List<String> NONE = List.of();

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<SourceView> row) {
        row.check(SourcePlanner::plan);
    }

    static Stream<PlanRow<SourceView>> decides() {
        return Stream.of(
                row("does nothing about a claim that nothing is made from", view(!DELETING, NONE, NONE)),
                // snapshots: the finalizer comes with the snapshot's own, and goes here
                row("does not add the finalizer of snapshots", view(!DELETING, List.of("s"), NONE)),
                row("keeps it while a snapshot is cut", view(!DELETING, List.of("s"), NONE, SNAPSHOTTED)),
                row("takes it away when none is cut any more", view(!DELETING, NONE, NONE, SNAPSHOTTED), writes()),
                row("takes it away from a claim that is deleted", view(DELETING, NONE, NONE, SNAPSHOTTED), writes()),
                row("leaves it where it is not known what is cut", view(DELETING, NOT_KNOWN, NONE, SNAPSHOTTED)),
                row("says what a deleted claim is kept for", view(DELETING, List.of("s", "t"), NONE, SNAPSHOTTED))
                        .waits("deleted, but kept while a snapshot of it is created for s, t"),
                // clones: the finalizer comes and goes here
                row(
                        "adds the finalizer of clones before a clone is begun",
                        view(!DELETING, NONE, List.of("d")),
                        writes(CLONED)),
                row("adds it once", view(!DELETING, NONE, List.of("d"), CLONED)),
                row("does not add it to a claim that is deleted", view(DELETING, NONE, List.of("d"))),
                row("takes it away when no clone is under way", view(!DELETING, NONE, NONE, CLONED), writes()),
                row(
                        "takes it away from a claim that is deleted and cloned no more",
                        view(DELETING, NONE, NONE, CLONED),
                        writes()),
                row("leaves it where it is not known what is cloned", view(!DELETING, NONE, NOT_KNOWN, CLONED)),
                row("adds none where it is not known what is cloned", view(!DELETING, NONE, NOT_KNOWN)),
                row("says which clones a deleted claim is kept for", view(DELETING, NONE, List.of("d", "e"), CLONED))
                        .waits("deleted, but kept while d, e is cloned from it"),
                // both, and those of others
                row(
                        "keeps the finalizers of others",
                        view(!DELETING, NONE, List.of("d"), OTHER),
                        writes(OTHER, CLONED)),
                row(
                        "changes both in one write",
                        view(!DELETING, NONE, List.of("d"), SNAPSHOTTED, OTHER),
                        writes(OTHER, CLONED)),
                row(
                                "takes one away and keeps the other",
                                view(DELETING, NONE, List.of("d"), SNAPSHOTTED, CLONED),
                                writes(CLONED))
                        .waits("deleted, but kept while d is cloned from it"));
    }

    private static String writes(String... finalizers) {
        return "write PersistentVolumeClaim c: metadata.finalizers=" + List.of(finalizers);
    }

    private static SourceView view(
            boolean deleting, @Nullable List<String> cutBy, @Nullable List<String> clonedBy, String... finalizers) {
        return new SourceView(
                object(PersistentVolumeClaim.class, """
                        {apiVersion: v1, kind: PersistentVolumeClaim,
                         metadata: {name: c, namespace: ns, uid: u-c, finalizers: [%s]%s},
                         spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                        """.formatted(
                                String.join(", ", finalizers),
                                deleting ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : "")),
                cutBy,
                clonedBy);
    }
}
