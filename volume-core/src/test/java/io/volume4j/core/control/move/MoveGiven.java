package io.volume4j.core.control.move;

import static io.volume4j.core.control.PlanRow.object;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMove;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What is known of a move of claim {@code c} from volume {@code old} to a volume {@code pvc-u-copy} of class {@code fast}. */
final class MoveGiven {
    /** Made for the copy. */
    static final String NEW = "pvc-u-copy";

    private String phase = "";
    private String message = "";
    private String spec = "";
    private String meta = "";
    private boolean kept = true;
    private boolean recorded;
    private Lookup<PersistentVolumeClaim> claim = Lookup.found(bound("c", "u-c", "old", ""));
    private Lookup<PersistentVolumeClaim> oldClaim = Lookup.unnamed();
    private Lookup<PersistentVolumeClaim> copy = Lookup.missing();
    private Lookup<PersistentVolume> source = Lookup.found(volume("old", "Delete", "c", "u-c"));
    private Lookup<PersistentVolume> target = Lookup.unnamed();
    private Lookup<StorageClass> storageClass = Lookup.found(type("Immediate"));
    private Lookup<Node> node = Lookup.unnamed();
    private OptionalLong nodePause = OptionalLong.empty();
    private String copyRefusal = "";
    private boolean clones = true;
    private List<String> users = List.of();
    private boolean usersKnown = true;
    private Set<At> unread = Set.of();
    private List<String> seen = List.of();

    static MoveGiven move() {
        return new MoveGiven();
    }

    /** The claim is held, and nothing uses it. */
    static MoveGiven copying() {
        MoveGiven given = move();
        given.phase = "Copying";
        given.oldClaim = Lookup.found(bound("c", "u-c", "old", "m/u-m"));
        return given;
    }

    /** The copy is complete, and both claims are there. */
    static MoveGiven switching() {
        MoveGiven given = copying().copied();
        given.phase = "Switching";
        given.recorded = true;
        return given;
    }

    /** Both claims are gone, and the new volume is released. */
    static MoveGiven free() {
        return switching()
                .claim(Lookup.missing())
                .oldClaim(Lookup.absent())
                .copy(Lookup.absent())
                .target(Lookup.found(reserved("u-m")))
                .source(Lookup.found(volume("old", "Retain", "c", "u-c")));
    }

    /** The claim was made anew and is bound. */
    static MoveGiven anew() {
        return free().claim(Lookup.found(bound("c", "u-c2", NEW, "m/u-m")))
                .target(Lookup.found(volume(NEW, "Retain", "c", "u-c2")));
    }

    MoveGiven phase(String value) {
        phase = value;
        return this;
    }

    MoveGiven message(String value) {
        message = value;
        return this;
    }

    MoveGiven spec(String more) {
        spec += ", " + more;
        return this;
    }

    MoveGiven deleting() {
        meta += ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    MoveGiven notKept() {
        kept = false;
        return this;
    }

    MoveGiven claim(Lookup<PersistentVolumeClaim> value) {
        claim = value;
        return this;
    }

    MoveGiven oldClaim(Lookup<PersistentVolumeClaim> value) {
        oldClaim = value;
        return this;
    }

    MoveGiven copy(Lookup<PersistentVolumeClaim> value) {
        copy = value;
        return this;
    }

    MoveGiven source(Lookup<PersistentVolume> value) {
        source = value;
        return this;
    }

    MoveGiven target(Lookup<PersistentVolume> value) {
        target = value;
        return this;
    }

    MoveGiven storageClass(Lookup<StorageClass> value) {
        storageClass = value;
        return this;
    }

    /** The copy has lost the node that the user named. */
    MoveGiven nodeless(Lookup<Node> named) {
        node = named;
        return spec("nodeName: n1").copy(Lookup.found(copyClaim("Pending", "", "u-m")));
    }

    MoveGiven nodePause(long until) {
        nodePause = OptionalLong.of(until);
        return this;
    }

    MoveGiven copyRefused(String why) {
        copyRefusal = why;
        return this;
    }

    MoveGiven clonesNot() {
        clones = false;
        return this;
    }

    MoveGiven users(String... names) {
        users = List.of(names);
        return this;
    }

    MoveGiven usersUnknown() {
        usersKnown = false;
        return this;
    }

    MoveGiven seen(String... names) {
        seen = List.of(names);
        return this;
    }

    MoveGiven unread(At... reads) {
        unread = new TreeSet<>(List.of(reads));
        return this;
    }

    /** The copy's claim is bound to the new volume. */
    MoveGiven copied() {
        copy = Lookup.found(copyClaim("Bound", NEW, "u-m"));
        target = Lookup.found(volume(NEW, "Delete", "move-u-m", "u-copy"));
        return this;
    }

    MoveView view() {
        String finalizers = kept ? ", finalizers: [volume4j.io/volume-move]" : "";
        boolean begun = !phase.isEmpty();
        boolean switched = recorded;
        String status = begun
                ? "{phase: " + phase + ", message: \"" + message + "\", claimUID: u-c, sourceVolume: old, claim: '"
                        + CLAIM + "'"
                        + (switched
                                ? ", copyUID: u-copy, targetVolume: " + NEW
                                        + ", targetPolicy: Delete, sourcePolicy: Delete"
                                : "")
                        + "}"
                : "{}";
        return new MoveView(
                object(
                        VolumeMove.class,
                        "{apiVersion: volume4j.io/v1alpha1, kind: VolumeMove, metadata: {name: m, uid: u-m" + finalizers
                                + meta + "}, spec: {claimName: c, storageClassName: fast" + spec + "}, status: "
                                + status + "}"),
                claim,
                oldClaim,
                copy,
                source,
                target,
                storageClass,
                node,
                nodePause,
                copyRefusal,
                clones,
                users,
                usersKnown,
                unread,
                seen,
                99,
                LastEvents.nothing());
    }

    /** How the switch stores the claim. */
    static final String CLAIM = claimWith("\"app\":\"shop\"");

    static String claimWith(String labels) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"c\",\"namespace\":\"default\",\"labels\":{"
                + labels
                + "}},\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":\"1Gi\"}},"
                + "\"storageClassName\":\"fast\"},\"status\":{\"phase\":\"Pending\"}}";
    }

    static PersistentVolumeClaim bound(String name, String uid, String volume, String hold) {
        String annotations = hold.isEmpty() ? "" : ", annotations: {volume4j.io/held-by-move: " + hold + "}";
        return object(
                PersistentVolumeClaim.class,
                "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name + ", uid: " + uid
                        + ", labels: {app: shop}" + annotations
                        + "}, spec: {accessModes: [ReadWriteOnce], storageClassName: slow,"
                        + " volumeName: " + volume
                        + ", resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}");
    }

    static PersistentVolumeClaim copyClaim(String phase, String volume, String move) {
        return object(
                PersistentVolumeClaim.class,
                "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: move-u-m, uid: u-copy, labels: {volume4j.io/move: "
                        + move + "}}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast,"
                        + " dataSourceRef: {kind: PersistentVolumeClaim, name: c}, volumeName: \""
                        + volume
                        + "\", resources: {requests: {storage: 1Gi}}}, status: {phase: " + phase + "}}");
    }

    static PersistentVolume volume(String name, String policy, String claim, String claimUid) {
        return object(
                PersistentVolume.class,
                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name + ", uid: u-" + name
                        + "}, spec: {capacity: {storage: 2Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: "
                        + policy
                        + ", claimRef: {namespace: default, name: " + claim + ", uid: \"" + claimUid
                        + "\"}, csi: {driver: mem, volumeHandle: h-" + name + "}}}");
    }

    static PersistentVolume ofUnknownPolicy(String name, String claim, String claimUid) {
        PersistentVolume volume = volume(name, "Retain", claim, claimUid);
        return new PersistentVolume(
                volume.metadata(),
                volume.spec().toBuilder().reclaimPolicy(ReclaimPolicy.UNKNOWN).build(),
                volume.status(),
                volume.unmodeled());
    }

    /** The new volume, reserved for the name by the move of that UID. */
    static PersistentVolume reserved(String move) {
        PersistentVolume volume = volume(NEW, "Retain", "c", "");
        return new PersistentVolume(
                volume.metadata().withAnnotation("volume4j.io/move", move),
                volume.spec(),
                volume.status(),
                volume.unmodeled());
    }

    static StorageClass type(String bindingMode) {
        return object(
                StorageClass.class,
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem, volumeBindingMode: "
                        + bindingMode + "}");
    }

    static Node node() {
        return object(Node.class, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
    }

    static PersistentVolumeClaim labelled(PersistentVolumeClaim claim, Map<String, String> labels) {
        return new PersistentVolumeClaim(
                claim.metadata().toBuilder().labels(labels).build(), claim.spec(), claim.status(), claim.unmodeled());
    }

    static PersistentVolumeClaim deleting(PersistentVolumeClaim claim) {
        return new PersistentVolumeClaim(
                claim.metadata().toBuilder().deletionTimestamp(Instant.EPOCH).build(),
                claim.spec(),
                claim.status(),
                claim.unmodeled());
    }
}
