package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.AttachCalls.Written;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.VolumeException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who finds an object changed is to look at it and try again at once; after so many times in a row the step fails, so that
 * it is put off like any that fails. Loop thread only, but for {@link #judged}.
 */
final class Patience<K> {
    private static final int TIMES = 5;

    private final Map<K, Integer> stale = new HashMap<>();

    /** Whether a step for the key may still find somebody else first without failing. */
    boolean left(K key) {
        return stale.getOrDefault(key, 0) < TIMES;
    }

    void ended(K key, Outcome outcome) {
        if (outcome.succeeded() && outcome.value() == Written.STALE) {
            stale.merge(key, 1, Integer::sum);
        } else {
            stale.remove(key);
        }
    }

    /** The result of a write; a failure if it is stale and no patience was left. */
    static @Nullable Object judged(@Nullable Object result, boolean patient) {
        if (result == Written.STALE && !patient) {
            throw VolumeException.transientFailure("the object was changed by somebody else each time");
        }
        return result;
    }
}
