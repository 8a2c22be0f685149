package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.VolumeException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts write conflicts: writes whose object another writer had changed. After a conflict the controller checks the
 * object and tries again at once. The sixth conflict in a row fails the step, and the controller waits as after any
 * failed step. Loop thread only, except for {@link #judged}.
 *
 * @param <K> the engine's key
 */
public final class WriteConflicts<K> {
    private static final int TIMES = 5;

    private final Map<K, Integer> inRow = new HashMap<>();

    /** Whether a write for the key may still end as {@link Written#STALE} without failing. */
    public boolean patient(K key) {
        return inRow.getOrDefault(key, 0) < TIMES;
    }

    public void ended(K key, Outcome outcome) {
        if (outcome.succeeded() && outcome.value() == Written.STALE) {
            inRow.merge(key, 1, Integer::sum);
        } else {
            inRow.remove(key);
        }
    }

    public void forget(K key) {
        inRow.remove(key);
    }

    /**
     * Returns the result of a write.
     * @throws VolumeException transient, if the write is stale and the step was not {@link #patient}
     */
    public static @Nullable Object judged(@Nullable Object result, boolean patient) {
        if (result == Written.STALE && !patient) {
            throw VolumeException.transientFailure("another program changed an object of this step before each of "
                            + (TIMES + 1) + " writes, so that nothing was written")
                    .withAdvice("see in the object's metadata.managedFields which program writes it all the time");
        }
        return result;
    }
}
