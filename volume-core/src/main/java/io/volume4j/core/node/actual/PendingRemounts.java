package io.volume4j.core.node.actual;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The pods for which a mount must be set up again, and those for which that is under way. Immutable. Nearly always both are
 * empty, and then all volumes share one instance.
 *
 * @param asked by the pods' UIDs
 * @param underWay likewise
 */
record PendingRemounts(Set<String> asked, Set<String> underWay) {
    private static final PendingRemounts NONE = new PendingRemounts(Set.of(), Set.of());

    static PendingRemounts none() {
        return NONE;
    }

    boolean wanted(String podUid) {
        return asked.contains(podUid) || underWay.contains(podUid);
    }

    PendingRemounts asked(String podUid) {
        return new PendingRemounts(with(asked, podUid), underWay);
    }

    /** What was asked so far is answered by what begins now. */
    PendingRemounts answered(String podUid) {
        return asked.contains(podUid) ? of(without(asked, podUid), underWay) : this;
    }

    PendingRemounts begun(String podUid) {
        return new PendingRemounts(without(asked, podUid), with(underWay, podUid));
    }

    PendingRemounts ended(String podUid) {
        return underWay.contains(podUid) ? of(asked, without(underWay, podUid)) : this;
    }

    private static PendingRemounts of(Set<String> asked, Set<String> underWay) {
        return asked.isEmpty() && underWay.isEmpty() ? NONE : new PendingRemounts(asked, underWay);
    }

    private static Set<String> with(Set<String> set, String podUid) {
        Set<String> more = new LinkedHashSet<>(set);
        more.add(podUid);
        return Collections.unmodifiableSet(more);
    }

    private static Set<String> without(Set<String> set, String podUid) {
        Set<String> less = new LinkedHashSet<>(set);
        less.remove(podUid);
        return Collections.unmodifiableSet(less);
    }
}
