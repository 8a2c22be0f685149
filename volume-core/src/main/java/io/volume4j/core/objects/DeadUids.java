package io.volume4j.core.objects;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * UIDs of objects that were seen deleted, each with the latest revision at which the object is known to be deleted. An
 * event with one of these UIDs is late: the answer to a write before the deletion, or a listing older than the watch.
 * Only a store that was restored from a backup has such an object again. The UIDs are dropped by generations, so
 * memory is bounded by the deletions of two generations.
 */
final class DeadUids {
    private final Comparator<String> revisions;
    private Map<String, String> young = new HashMap<>();
    private Map<String, String> old = new HashMap<>();

    DeadUids(Comparator<String> revisions) {
        this.revisions = revisions;
    }

    /** @param revision of the store when it did not have the object, {@code ""} if unknown */
    void add(String uid, String revision) {
        if (!uid.isEmpty()) {
            young.put(uid, later(revision, goneAt(uid)));
        }
    }

    void remove(String uid) {
        young.remove(uid);
        old.remove(uid);
    }

    boolean contains(String uid) {
        return young.containsKey(uid) || old.containsKey(uid);
    }

    /**
     * Whether that revision of the object is certainly older than its deletion. A missing revision counts as older.
     */
    boolean late(String uid, String revision) {
        String gone = goneAt(uid);
        return revision.isEmpty() || (!gone.isEmpty() && revisions.compare(revision, gone) <= 0);
    }

    private String goneAt(String uid) {
        return young.getOrDefault(uid, old.getOrDefault(uid, ""));
    }

    private String later(String left, String right) {
        if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() ? right : left;
        }
        return revisions.compare(left, right) >= 0 ? left : right;
    }

    boolean isEmpty() {
        return young.isEmpty() && old.isEmpty();
    }

    void age() {
        old = young;
        young = new HashMap<>();
    }
}
