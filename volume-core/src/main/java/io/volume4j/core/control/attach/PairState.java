package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.LastEvent;
import io.volume4j.core.control.attach.plan.PairView;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume on one node: who wants it there, and what is known beside the objects. Loop thread only. */
final class PairState {
    final AttachKey.Pair key;
    final VolumeState volume;
    final NodeState node;

    /** UIDs of the pods that want it. Most volumes have one, which is kept without a set. */
    private Set<String> pods = Set.of();

    /** VolumeAttachments for it; more than one only where others make them too. */
    private List<ObjectKey> records = List.of();

    long unwantedSince;

    /** Loop time of the last successful attach call of this process; what the backend was asked before is out of date. */
    long attachedAt = Long.MIN_VALUE;

    /** A record is about to be stored. */
    boolean creating;

    /** Whether a record may have been made whose maker heard no answer; it keeps its place as long as it is wanted. */
    private boolean maybeCreated;

    /** The backend said that it is here, when it was to be attached elsewhere. */
    boolean dangling;

    /** The backend said that it is not here. */
    boolean absent;

    /** The node's status shows it attached. */
    boolean listed;

    /** It is counted among what the node has. */
    boolean counted;

    /** It is counted among what pods want. */
    boolean countedDesired;

    /** The node's object shows it attached; up to date only through {@link NodeState#shows}. */
    boolean shown;

    /** What the node's object says of its use; up to date only through {@link NodeState#use}. */
    PairView.Use use = PairView.Use.UNKNOWN;

    /** It waits until the node has room. */
    boolean waitsForRoom;

    /** UID of the record that was stored by this process, or since whose taking over the node was looked at. */
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

    /** False if it was known to want it. */
    boolean addPod(String uid) {
        if (pods.contains(uid)) {
            return false;
        }
        if (pods.size() < 2) {
            pods = new LinkedHashSet<>(pods);
        }
        pods.add(uid);
        pods = pods.size() == 1 ? Set.of(uid) : pods;
        return true;
    }

    void removePod(String uid) {
        if (pods.size() == 1) {
            pods = pods.contains(uid) ? Set.of() : pods;
        } else {
            pods.remove(uid);
            if (pods.size() == 1) {
                pods = Set.of(pods.iterator().next());
            }
        }
        maybeCreated = maybeCreated && wanted();
    }

    /** Says whether a record may have been made of which nothing was seen. A later step finds that out anew. */
    void maybeCreated(boolean value) {
        maybeCreated = value && wanted();
    }

    List<String> pods() {
        return List.copyOf(pods);
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

    /** Whether the volume is or may be on the node, as far as limits and other nodes are concerned. */
    boolean occupied() {
        return !records.isEmpty() || creating || maybeCreated || dangling || listed;
    }

    /** Whether nothing of it is worth remembering. */
    boolean empty() {
        return pods.isEmpty() && !occupied();
    }
}
