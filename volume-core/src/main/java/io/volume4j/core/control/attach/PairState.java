package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.LastEvent;
import io.volume4j.core.control.attach.plan.PairView;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume on one node: the pods that want it there, and facts that are not in the objects. Loop thread only. */
final class PairState {
    final AttachKey.Pair key;
    final VolumeState volume;
    final NodeState node;

    /** UIDs of the pods that want it. Most volumes have one pod, so a single UID needs no mutable set. */
    private Set<String> pods = Set.of();

    /** VolumeAttachments for it; more than one only if other controllers create them too. */
    private List<ObjectKey> records = List.of();

    long unwantedSince;

    /** Loop time at which the last attach call of this process ended. Answers of the backend to earlier queries are out of date. */
    long attachEndedAt = Long.MIN_VALUE;

    /** Loop time until which an attach call without an answer may take effect here, also after a detach. */
    long attachSettledAt = Long.MIN_VALUE;

    /** An attach call of this process is under way. Answers of the backend do not show whether it takes effect. */
    boolean attaching;

    /** A step to store a record is planned or running. */
    boolean creating;

    /** Whether a create call without an answer may have stored a record. The pair counts as occupied while a pod wants it. */
    private boolean maybeCreated;

    /** The backend reported it here when it should be attached to another node. */
    boolean dangling;

    /** Loop time of that report. */
    long danglesSince;

    /** The backend reported that it is not here. */
    private boolean absent;

    /** It reported the same once more. One answer may come from an old list. */
    private boolean absentAgain;

    /** This process called the driver again after that report, so the volume may be here again. */
    private boolean mayBeBack;

    /** The node's status shows it attached. */
    boolean listed;

    /** It counts as one of the node's volumes. */
    boolean counted;

    /** It counts as wanted by pods. */
    boolean countedDesired;

    /** The node's object shows it attached; up to date only through {@link NodeState#shows}. */
    boolean shown;

    /** The use in the node's object; up to date only through {@link NodeState#use}. */
    PairView.Use use = PairView.Use.UNKNOWN;

    /** It waits until the node has room. */
    boolean waitsForRoom;

    /**
     * UID of the record for which no unknown grant can exist: this process stored it, or has read the node since it took it over.
     */
    String checkedUid = "";

    @Nullable
    LastEvent told;

    PairState(AttachKey.Pair key, VolumeState volume, NodeState node) {
        this.key = key;
        this.volume = volume;
        this.node = node;
    }

    boolean wanted() {
        return !pods.isEmpty();
    }

    /** False if the pod wants it already. */
    boolean addPod(String uid) {
        if (pods.contains(uid)) {
            return false;
        }
        if (pods.isEmpty()) {
            pods = Set.of(uid);
        } else {
            pods = pods.size() == 1 ? new LinkedHashSet<>(pods) : pods;
            pods.add(uid);
        }
        return true;
    }

    /** Does nothing if the pod does not want it: a pod that names one volume twice is removed twice. */
    void removePod(String uid) {
        if (!pods.contains(uid)) {
            return;
        }
        if (pods.size() == 1) {
            pods = Set.of();
        } else {
            pods.remove(uid);
            if (pods.size() == 1) {
                pods = Set.of(pods.iterator().next());
            }
        }
        maybeCreated = maybeCreated && wanted();
    }

    /** Sets whether a call may have stored a record that is not known. A later step finds it out. */
    void maybeCreated(boolean value) {
        maybeCreated = value && wanted();
    }

    /** Their UIDs; not a copy. */
    Set<String> pods() {
        return Collections.unmodifiableSet(pods);
    }

    boolean recorded() {
        return !records.isEmpty();
    }

    void addRecord(ObjectKey record) {
        if (records.isEmpty()) {
            records = List.of(record);
        } else if (!records.contains(record)) {
            List<ObjectKey> more = new ArrayList<>(records);
            more.add(record);
            more.sort(null);
            records = List.copyOf(more);
        }
    }

    void removeRecord(ObjectKey record) {
        if (records.contains(record)) {
            List<ObjectKey> left = new ArrayList<>(records);
            left.remove(record);
            records = List.copyOf(left);
        }
    }

    /** Sorted by name. */
    List<ObjectKey> records() {
        return records;
    }

    /** Whether the last answer of the backend was that it is not here. */
    boolean absent() {
        return absent;
    }

    /** Whether the backend reported twice in a row that it is not here, and no attach call was made since. */
    boolean certainlyAbsent() {
        return absentAgain && !mayBeBack;
    }

    /** The backend reported whether it is here. */
    void reported(boolean notHere) {
        absentAgain = notHere && absent && !mayBeBack;
        absent = notHere;
        mayBeBack = false;
    }

    /** An attach call begins. It may take effect also if it fails, so what the backend reported before it no longer counts. */
    void attachBegins() {
        attaching = true;
        mayBeBack = true;
    }

    /** It is attached here, or its record is gone, so what the backend reported before concerns the past. */
    void forgetReports() {
        absent = false;
        absentAgain = false;
        mayBeBack = false;
    }

    /** Whether the volume is or may be on the node, for limits and for other nodes. */
    boolean occupied() {
        return !records.isEmpty() || creating || maybeCreated || dangling || listed;
    }

    /** Whether the pair can be removed. */
    boolean empty() {
        return pods.isEmpty() && !occupied();
    }
}
