package io.volume4j.core.node.actual;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods with ephemeral containers that wait for subPaths of a volume, and why the last try failed. Exists only for
 * the few volumes with such pods. Loop thread only.
 */
final class PendingParts {
    private PendingRemounts pods = PendingRemounts.none();
    private final Map<String, String> failures = new HashMap<>(1);

    boolean wanted(String podUid) {
        return pods.wanted(podUid);
    }

    /** Why the subPaths are not bound: {@code ""} before the first try has ended; null if there is nothing to bind. */
    @Nullable
    String failure(String podUid) {
        return pods.wanted(podUid) ? failures.getOrDefault(podUid, "") : null;
    }

    /** A container waits for its first try. */
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
