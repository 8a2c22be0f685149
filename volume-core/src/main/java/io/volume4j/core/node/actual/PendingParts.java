package io.volume4j.core.node.actual;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods for whose ephemeral containers parts of a volume are to be bound, and why the last try failed. Nearly no volume has any, and
 * then there is none of these. Loop thread only.
 */
final class PendingParts {
    private PendingRemounts pods = PendingRemounts.none();
    private final Map<String, String> failures = new HashMap<>(1);

    boolean wanted(String podUid) {
        return pods.wanted(podUid);
    }

    /** Why they are not bound: {@code ""} before the first try has ended; null if none is to be bound. */
    @Nullable
    String failure(String podUid) {
        return pods.wanted(podUid) ? failures.getOrDefault(podUid, "") : null;
    }

    /** There is a container that waits for its first try. */
    void want(String podUid) {
        pods = pods.asked(podUid);
        failures.remove(podUid);
    }

    void binding(String podUid) {
        pods = pods.begun(podUid);
    }

    /** @param failure {@code ""} for a success */
    void ended(String podUid, String failure) {
        pods = pods.ended(podUid);
        if (failure.isEmpty()) {
            failures.remove(podUid);
        } else if (!pods.wanted(podUid)) {
            pods = pods.asked(podUid);
            failures.put(podUid, failure);
        }
    }

    void forget(String podUid) {
        pods = pods.answered(podUid).ended(podUid);
        failures.remove(podUid);
    }

    boolean isEmpty() {
        return pods.equals(PendingRemounts.none());
    }
}
