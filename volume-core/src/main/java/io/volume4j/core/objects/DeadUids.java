package io.volume4j.core.objects;

import java.util.HashSet;
import java.util.Set;

/**
 * UIDs of objects that were seen deleted. A UID never comes back, so whatever arrives with one of these is late: the
 * answer to a write that was overtaken by the deletion, or a listing older than the watch. Forgotten by generations, so
 * that memory is bounded by the deletions of two of them.
 */
final class DeadUids {
    private Set<String> young = new HashSet<>();
    private Set<String> old = new HashSet<>();

    void add(String uid) {
        if (!uid.isEmpty()) {
            young.add(uid);
        }
    }

    boolean contains(String uid) {
        return young.contains(uid) || old.contains(uid);
    }

    boolean isEmpty() {
        return young.isEmpty() && old.isEmpty();
    }

    void age() {
        old = young;
        young = new HashSet<>();
    }
}
