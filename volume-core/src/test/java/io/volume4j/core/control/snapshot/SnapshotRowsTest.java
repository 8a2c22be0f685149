package io.volume4j.core.control.snapshot;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided about a snapshot that is not being deleted: its content is made, taken or followed. */
class SnapshotRowsTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final String KEPT = "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";
    private static final String SOURCE = "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";
    private static final String CUT = "snapshot.storage.kubernetes.io/pvc-as-source-protection";
    private static final ClassFacts QUICK =
            new ClassFacts("quick", "mem", DeletionPolicy.DELETE, Map.of("tier", "cold"), false);

    @ParameterizedTest
    @MethodSource
    void decides(PlanRow<SnapshotView> row) {
        row.check(SnapshotPlanner::plan);
    }

    static Stream<PlanRow<SnapshotView>> decides() {
        return Stream.of(
                row(
                                "waits while it is not known which contents there are",
                                dynamic().content(Lookup.unknown()).view())
                        .waits("the contents of the cluster are not known completely"),
                row(
                        "takes the content that it would make, if it is there already",
                        dynamic(KEPT).content(made("u-s", "")).view(),
                        "write VolumeSnapshot/status s: status.boundVolumeSnapshotContentName=snapcontent-u-s"),
                fails(
                        "refuses a content of that name that is for another snapshot",
                        dynamic(KEPT).content(made("u-other", "")).view(),
                        "SnapshotContentMisbound",
                        "snapcontent-u-s has the name that the snapshot's content would get, but is not for this snapshot"),
                row(
                        "keeps itself and its claim before it makes a content",
                        dynamic().sources(claim("data", "mem", "v1", false)).view(),
                        "write VolumeSnapshot s: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]; write PersistentVolumeClaim data: metadata.finalizers=[snapshot.storage.kubernetes.io/pvc-as-source-protection]"),
                row(
                        "makes the content once everything is kept",
                        dynamic(KEPT).view(),
                        "tell Normal CreatingSnapshot: waiting for the driver mem to create the snapshot",
                        "CREATE create VolumeSnapshotContent//snapcontent-u-s"),
                row(
                        "makes it also where the content was not asked for live",
                        dynamic(KEPT).content(Lookup.missing()).view(),
                        "tell Normal CreatingSnapshot: waiting for the driver mem to create the snapshot",
                        "CREATE create VolumeSnapshotContent//snapcontent-u-s"),
                row(
                                "waits for claims that are not known",
                                dynamic().claimsUnknown().view())
                        .waits("the claims of the cluster are not known completely"),
                fails(
                        "says that no claim was chosen",
                        dynamic().sources().view(),
                        "SnapshotCreationFailed",
                        "the selector chooses no claim"),
                fails(
                        "says that its claim does not exist",
                        dynamic().sources(missing("data")).view(),
                        "SnapshotContentCreationFailed",
                        "claim a/data does not exist"),
                fails(
                        "cuts no claim that is being deleted",
                        dynamic().sources(claim("data", "mem", "v1", true)).view(),
                        "SnapshotContentCreationFailed",
                        "claim a/data is being deleted"),
                row(
                        "cuts a claim that is being deleted and kept for snapshots",
                        dynamic(KEPT)
                                .sources(claim("data", "mem", "v1", true, CUT))
                                .view(),
                        "tell Normal CreatingSnapshot: waiting for the driver mem to create the snapshot",
                        "CREATE create VolumeSnapshotContent//snapcontent-u-s"),
                fails(
                        "says that its claim is not bound",
                        dynamic().sources(unbound("data")).view(),
                        "SnapshotContentCreationFailed",
                        "claim a/data is not bound to a volume"),
                fails(
                        "says that the volume is not one of a driver",
                        dynamic().sources(claim("data", "mem", "", false)).view(),
                        "SnapshotContentCreationFailed",
                        "the volume of claim a/data is not one of a CSI driver"),
                fails(
                        "cuts no claims of two drivers",
                        dynamic()
                                .sources(claim("data", "mem", "v1", false), claim("more", "far", "v2", false))
                                .view(),
                        "SnapshotContentCreationFailed",
                        "the volume of claim a/more is one of driver far, that of the first claim one of mem, and one driver creates a group"),
                row(
                        "cuts two claims of one driver",
                        dynamic(KEPT)
                                .sources(claim("data", "mem", "v1", false, CUT), claim("more", "mem", "v2", false))
                                .view(),
                        "write PersistentVolumeClaim more: metadata.finalizers=[snapshot.storage.kubernetes.io/pvc-as-source-protection]"),
                row(
                                "waits for classes that are not known",
                                dynamic().type(Lookup.unknown()).view())
                        .waits("the snapshot classes of the cluster are not known completely"),
                fails(
                        "says that its class does not exist",
                        dynamic().type(Lookup.absent()).view(),
                        "SnapshotContentCreationFailed",
                        "VolumeSnapshotClass \"quick\" does not exist"),
                fails(
                        "says that its class is one of another driver",
                        dynamic()
                                .type(Lookup.found(
                                        new ClassFacts("slow", "far", DeletionPolicy.DELETE, Map.of(), false)))
                                .view(),
                        "SnapshotContentCreationFailed",
                        "VolumeSnapshotClass \"slow\" is one of driver far, the volume is one of mem"),
                fails(
                        "says that there is no default class",
                        classless().type(Lookup.absent()).view(),
                        "SetDefaultSnapshotClassFailed",
                        "the snapshot names no class, and no VolumeSnapshotClass of driver mem is the default one"),
                fails(
                        "says that there are two default classes",
                        classless().defaults(2).view(),
                        "SetDefaultSnapshotClassFailed",
                        "the snapshot names no class, and 2 classes of driver mem are marked as default"),
                row(
                        "writes the default class down",
                        classless(KEPT).defaults(1).view(),
                        "write VolumeSnapshot s: spec.volumeSnapshotClassName=quick"),
                row(
                                "waits for the content that it names to be known",
                                given().content(Lookup.unknown()).view())
                        .waits("the contents of the cluster are not known completely"),
                fails(
                        "says that the content that it names is not there",
                        given().content(Lookup.absent()).view(),
                        "SnapshotContentMissing",
                        "VolumeSnapshotContent \"c1\" does not exist"),
                fails(
                        "does not take a content that names another snapshot",
                        given(KEPT).content(found("t", "", "")).view(),
                        "SnapshotContentMisbound",
                        "content c1 is for the snapshot a/t"),
                fails(
                        "does not take a content that names another snapshot by its UID",
                        given(KEPT).content(found("s", "u-other", "")).view(),
                        "SnapshotContentMisbound",
                        "content c1 is for the snapshot a/s of UID u-other"),
                fails(
                        "does not take a content that was made for a snapshot",
                        given(KEPT)
                                .content(content("c1", "s", "u-s", "volumeHandle: v1", ""))
                                .view(),
                        "SnapshotContentMismatch",
                        "content c1 was made for another snapshot and cannot be taken"),
                row(
                        "keeps itself before it takes a content",
                        given().content(found("s", "", "")).view(),
                        "write VolumeSnapshot s: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]"),
                row(
                        "reserves the content that names it without a UID",
                        given(KEPT).content(found("s", "", "")).view(),
                        "write VolumeSnapshotContent c1: spec.volumeSnapshotRef.uid=u-s"),
                row(
                        "binds the content that is reserved for it",
                        given(KEPT).content(found("s", "u-s", "")).view(),
                        "write VolumeSnapshot/status s: status.boundVolumeSnapshotContentName=c1"),
                row(
                                "waits for the content that it is bound to to be known",
                                bound("").content(Lookup.unknown()).view())
                        .waits("the contents of the cluster are not known completely"),
                fails(
                        "says that the content that it is bound to is gone",
                        bound("").content(Lookup.absent()).view(),
                        "SnapshotContentMissing",
                        "content snapcontent-u-s, which the snapshot is bound to, is gone"),
                fails(
                        "says that the content that it is bound to is for another one",
                        bound("").content(made("u-other", "")).view(),
                        "SnapshotContentMisbound",
                        "content snapcontent-u-s, which the snapshot is bound to, is for another one"),
                row(
                        "asks the store for the content before it says that it is gone",
                        bound("").content(Lookup.missing()).view(),
                        "VERIFY read VolumeSnapshotContent//snapcontent-u-s from the store"),
                row(
                        "asks the store for the content of a snapshot that is ready before it says that it is gone",
                        bound("readyToUse: true").content(Lookup.missing()).view(),
                        "VERIFY read VolumeSnapshotContent//snapcontent-u-s from the store"),
                row(
                                "says that it is not ready any more when its content is gone",
                                bound("readyToUse: true")
                                        .content(Lookup.absent())
                                        .view(),
                                "write VolumeSnapshot/status s: status.error={time=" + NOW
                                        + ", message=content snapcontent-u-s, which the snapshot is bound to, is gone},"
                                        + " status.readyToUse=false",
                                "tell Warning SnapshotContentMissing: content snapcontent-u-s, which the snapshot is bound to, is gone")
                        .waits("content snapcontent-u-s, which the snapshot is bound to, is gone"),
                row(
                        "keeps itself also where another program bound it",
                        new Given(
                                        new String[0],
                                        "source: {persistentVolumeClaimName: data}",
                                        "boundVolumeSnapshotContentName: snapcontent-u-s")
                                .content(made("u-s", ""))
                                .view(),
                        "write VolumeSnapshot s: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]"),
                row(
                                "waits until it is cut",
                                bound("readyToUse: false")
                                        .content(made("u-s", "readyToUse: false"))
                                        .view())
                        .waits("the driver mem is to create the snapshot"),
                row(
                                "says that it was cut and is not ready",
                                bound("readyToUse: false, creationTime: \"2026-01-31T11:00:00Z\"")
                                        .content(
                                                made(
                                                        "u-s",
                                                        "snapshotHandle: h1, creationTime: 1769857200000000000, readyToUse: false"))
                                        .view(),
                                "tell Normal SnapshotCreated: the snapshot was created; the driver mem is still working on it")
                        .waits("the snapshot was created; the driver mem is still working on it"),
                row(
                        "says that it is ready",
                        bound("readyToUse: false")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .view(),
                        "write VolumeSnapshot/status s: status.readyToUse=true",
                        "tell Normal SnapshotReady: volumes can be made from the snapshot"),
                row(
                        "does nothing more about one that is ready",
                        bound("readyToUse: true")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .view()),
                row(
                        "makes what is missing of its members",
                        bound("readyToUse: true")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .member(
                                        object(
                                                VolumeSnapshot.class,
                                                "{apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: m, namespace: a}, spec: {source: {volumeSnapshotContentName: m}}}"))
                                .view(),
                        "CREATE create VolumeSnapshot/a/m"),
                row(
                                "passes on what went wrong",
                                bound(
                                                "readyToUse: false, error: {message: \"no room\", time: \"2026-01-31T11:00:00Z\"}")
                                        .content(
                                                made(
                                                        "u-s",
                                                        "readyToUse: false, error: {message: \"no room\", time: \"2026-01-31T11:00:00Z\"}"))
                                        .view(),
                                "tell Warning SnapshotCreationFailed: no room")
                        .waits("its content says: no room"),
                row(
                        "keeps itself as a source while claims are made from it",
                        bound("readyToUse: true")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .restoring("c")
                                .view(),
                        "write VolumeSnapshot s: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshot-bound-protection, snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection]"),
                row(
                        "is kept as a source no longer than claims are made from it",
                        new Given(
                                        new String[] {KEPT, SOURCE},
                                        "source: {persistentVolumeClaimName: data}",
                                        "boundVolumeSnapshotContentName: snapcontent-u-s, readyToUse: true")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .view(),
                        "write VolumeSnapshot s: metadata.finalizers=[snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]"),
                row(
                        "is kept as a source while it is not known whether claims are made from it",
                        new Given(
                                        new String[] {KEPT, SOURCE},
                                        "source: {persistentVolumeClaimName: data}",
                                        "boundVolumeSnapshotContentName: snapcontent-u-s, readyToUse: true")
                                .content(made("u-s", "snapshotHandle: h1, readyToUse: true"))
                                .restoringUnknown()
                                .view()));
    }

    /** What is wrong is told in the status and as an event, and nothing is tried before an object changes. */
    private static PlanRow<SnapshotView> fails(String rule, SnapshotView view, String reason, String why) {
        return row(
                        rule,
                        view,
                        "write VolumeSnapshot/status s: status.error={time=" + NOW + ", message=" + why + "}",
                        "tell Warning " + reason + ": " + why)
                .waits(why);
    }

    private static Given dynamic(String... finalizers) {
        return new Given(finalizers, "source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick", "");
    }

    private static Given classless(String... finalizers) {
        return new Given(finalizers, "source: {persistentVolumeClaimName: data}", "");
    }

    private static Given given(String... finalizers) {
        return new Given(finalizers, "source: {volumeSnapshotContentName: c1}", "");
    }

    private static Given bound(String status) {
        return new Given(
                new String[] {KEPT},
                "source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick",
                "boundVolumeSnapshotContentName: snapcontent-u-s" + (status.isEmpty() ? "" : ", " + status));
    }

    private static final class Given {
        private final SnapshotFacts snapshot;
        private Lookup<ContentFacts> content = Lookup.absent();
        private Lookup<ClassFacts> type = Lookup.found(QUICK);
        private int defaults;
        private List<SnapshotView.Source> sources = List.of(claim("data", "mem", "v1", false, CUT));
        private boolean known = true;
        private List<String> restoring = List.of();
        private boolean restoringKnown = true;
        private List<SnapshotView.Member> members = List.of();

        Given(String[] finalizers, String spec, String status) {
            snapshot = SnapshotFacts.of(
                    object(VolumeSnapshot.class, """
                    {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                     metadata: {name: s, namespace: a, uid: u-s, resourceVersion: "3", finalizers: [%s]},
                     spec: {%s}, status: {%s}}
                    """.formatted(String.join(", ", finalizers), spec, status)));
        }

        Given content(Lookup<ContentFacts> value) {
            content = value;
            return this;
        }

        Given type(Lookup<ClassFacts> value) {
            type = value;
            return this;
        }

        Given defaults(int value) {
            defaults = value;
            return this;
        }

        Given sources(SnapshotView.Source... value) {
            sources = List.of(value);
            return this;
        }

        Given claimsUnknown() {
            known = false;
            return this;
        }

        Given restoring(String... claims) {
            restoring = List.of(claims);
            return this;
        }

        Given restoringUnknown() {
            restoringKnown = false;
            return this;
        }

        Given member(ApiObject missing) {
            members = List.of(new SnapshotView.Member(List.of(missing), Optional.empty()));
            return this;
        }

        SnapshotView view() {
            return new SnapshotView(
                    snapshot,
                    content,
                    type,
                    defaults,
                    sources,
                    known,
                    restoring,
                    restoringKnown,
                    SnapshotView.Group.none(snapshot.key()),
                    members,
                    List.of(),
                    NOW,
                    LastEvents.nothing());
        }
    }

    private static SnapshotView.Source claim(
            String name, String driver, String handle, boolean deleted, String... finalizers) {
        PersistentVolumeClaim claim = object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: %s, namespace: a, uid: u-%s, finalizers: [%s]%s},
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                """.formatted(
                        name,
                        name,
                        String.join(", ", finalizers),
                        deleted ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : ""));
        PersistentVolume volume =
                object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], csi: {driver: %s, volumeHandle: "%s"}}}
                """.formatted(driver, handle.isEmpty() ? "x" : handle));
        return new SnapshotView.Source(claim.key(), Lookup.found(claim), Lookup.found(volume), driver, handle);
    }

    private static SnapshotView.Source missing(String name) {
        return new SnapshotView.Source(ObjectKey.claim("a", name), Lookup.absent(), Lookup.unnamed(), "", "");
    }

    private static SnapshotView.Source unbound(String name) {
        SnapshotView.Source source = claim(name, "mem", "v1", false);
        return new SnapshotView.Source(source.key(), source.claim(), Lookup.unnamed(), "", "");
    }

    /** A content for the snapshot of that UID, made from a volume. */
    private static Lookup<ContentFacts> made(String uid, String status) {
        return content("snapcontent-u-s", "s", uid, "volumeHandle: v1", status);
    }

    /** A content that a person made, of what is in the backend already. */
    private static Lookup<ContentFacts> found(String name, String uid, String status) {
        return content("c1", name, uid, "snapshotHandle: h1", status);
    }

    private static Lookup<ContentFacts> content(
            String name, String snapshot, String uid, String source, String status) {
        return Lookup.found(ContentFacts.of(
                object(VolumeSnapshotContent.class, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: %s, uid: u-c, resourceVersion: "7"},
                 spec: {volumeSnapshotRef: {namespace: a, name: %s, uid: "%s"}, driver: mem, deletionPolicy: Delete,
                        volumeSnapshotClassName: quick, source: {%s}},
                 status: {%s}}
                """.formatted(name, snapshot, uid, source, status))));
    }
}
