package io.volume4j.core.control.binding.plan;

import static io.volume4j.core.control.PlanRow.object;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the tables of volumes begin from: volume {@code v}, 1 GiB, made here by the plugin {@code mem} and kept by our finalizer,
 * of a claim {@code ns/c} with UID {@code u-c}, of which nothing is known yet. Not thread-safe.
 */
final class VolumeGiven {
    static final Self SELF = new Self(7, "p");
    static final String OURS = "1 delete 7 p";

    private static final CsiMigration MIGRATION = CsiMigration.standard();

    private final List<String> annotations = new ArrayList<>();
    private String finalizers = Annotation.EXTERNAL_FINALIZER;
    private String deleted = "";
    private String claimRef = ", claimRef: {namespace: ns, name: c, uid: u-c}";
    private String policy = "Delete";
    private String mode = "Filesystem";
    private String source = "csi: {driver: mem, volumeHandle: v}";
    private String status = "Bound";
    private Lookup<PersistentVolumeClaim> claim = Lookup.missing();
    private boolean confirmed;
    private boolean reused;
    private List<String> attachedTo = List.of();
    private List<String> sharedWith = List.of();
    private List<String> usedBy = List.of();
    private boolean complete = true;
    private ReclaimerInfo reclaimer = new ReclaimerInfo("mem", "", true, true, true);
    private ReclaimMemory memory = ReclaimMemory.nothing();
    private OptionalLong left = OptionalLong.empty();

    static VolumeGiven volume() {
        return new VolumeGiven();
    }

    /** Whose it is: no claim's for {@code ""}, else the fields of its claimRef. */
    VolumeGiven of(String fields) {
        claimRef = fields.isEmpty() ? "" : ", claimRef: {namespace: ns, " + fields + "}";
        return this;
    }

    VolumeGiven policy(String word) {
        policy = word;
        return this;
    }

    VolumeGiven phase(String word) {
        status = word;
        return this;
    }

    VolumeGiven failed(String reason, String message) {
        status = "Failed, reason: " + reason + ", message: \"" + message + "\"";
        return this;
    }

    VolumeGiven annotated(String key, String value) {
        annotations.add("\"" + key + "\": \"" + value + "\"");
        return this;
    }

    VolumeGiven intent(String text) {
        return annotated(Annotation.RECLAIM_INTENT, text);
    }

    VolumeGiven chosenByController() {
        return annotated("pv.kubernetes.io/bound-by-controller", "yes");
    }

    VolumeGiven madeBy(String driver) {
        return annotated("pv.kubernetes.io/provisioned-by", driver);
    }

    VolumeGiven finalizers(String... names) {
        finalizers = String.join(", ", names);
        return this;
    }

    VolumeGiven deleting() {
        deleted = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
        return this;
    }

    VolumeGiven block() {
        mode = "Block";
        return this;
    }

    VolumeGiven source(String fields) {
        source = fields;
        return this;
    }

    VolumeGiven claimIs(Lookup.State state) {
        claim = new Lookup<>(state, null);
        return this;
    }

    VolumeGiven claimGone() {
        return claimIs(Lookup.State.ABSENT);
    }

    /** The claim is there and names that volume, none for {@code ""}. */
    VolumeGiven claimNames(String volume) {
        claim = Lookup.found(object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: u-c},
                 spec: {accessModes: [ReadWriteOnce], volumeName: "%s", resources: {requests: {storage: 1Gi}}}}
                """.formatted(volume)));
        return this;
    }

    VolumeGiven confirmed() {
        confirmed = true;
        return this;
    }

    VolumeGiven nameReused() {
        reused = true;
        return this;
    }

    VolumeGiven attachedTo(String... nodes) {
        attachedTo = List.of(nodes);
        return this;
    }

    VolumeGiven sharedWith(String... volumes) {
        sharedWith = List.of(volumes);
        return this;
    }

    VolumeGiven usedBy(String... pods) {
        usedBy = List.of(pods);
        return this;
    }

    VolumeGiven usersUnknown() {
        complete = false;
        return this;
    }

    VolumeGiven reclaimer(ReclaimerInfo info) {
        reclaimer = info;
        return this;
    }

    VolumeGiven looked() {
        memory = memory.afterLook();
        return this;
    }

    VolumeGiven storageDeleted() {
        memory = memory.afterDelete();
        return this;
    }

    VolumeGiven emptied() {
        memory = memory.afterRecycle();
        return this;
    }

    VolumeGiven callFailed(FailureKind kind, String message) {
        memory = memory.failed(VolumeException.of(kind, message));
        return this;
    }

    VolumeGiven callFailed(VolumeException failure) {
        memory = memory.failed(failure);
        return this;
    }

    VolumeGiven leftUntil(long nanos) {
        left = OptionalLong.of(nanos);
        return this;
    }

    VolumeView view() {
        return view(LastEvents.nothing());
    }

    VolumeView view(LastEvents told) {
        PersistentVolume volume = object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume,
                 metadata: {name: v, uid: u-v, finalizers: [%s], annotations: {%s}%s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: %s,
                   volumeMode: %s, %s%s},
                 status: {phase: %s}}
                """.formatted(
                        finalizers, String.join(", ", annotations), deleted, policy, mode, source, claimRef, status));
        return new VolumeView(
                volume,
                claim,
                confirmed,
                reused,
                attachedTo,
                sharedWith,
                usedBy,
                complete,
                reclaimer,
                memory,
                MIGRATION.current(volume.metadata().annotation(WellKnown.PROVISIONED_BY)),
                MIGRATION.driverFor(volume.spec().source()).orElse(""),
                left,
                SELF,
                told);
    }
}
