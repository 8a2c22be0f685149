package io.volume4j.core.node.actual;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The pods whose mount the node must set up again, and those for which such a call is under way. Immutable. Usually
 * both are empty, and then all volumes share one instance.
 *
 * @param asked by pod UID
 * @param underWay by pod UID
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

    /** A call begins that covers all earlier requests. */
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
