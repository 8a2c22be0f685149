package io.volume4j.core.control.host;

import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Objects that the controller cannot write to the cluster, and since when. An object that waits for its own durable record would
 * otherwise have no event. Loop thread only.
 */
public final class FailingWrites {
    /** Shorter outages affect all objects in the same way, and end before a user could react. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    static final Duration AGAIN = Duration.ofMinutes(30);

    /** @param told loop time of the last event about this; meaningful only if {@code everTold} */
    private record Failing(long since, long told, boolean everTold) {}

    private final Map<ObjectKey, Failing> failing = new HashMap<>();

    /** The text of an event about the object after the end of the step; empty for none. */
    public Optional<String> ended(ObjectKey key, ClusterWork step, Outcome outcome, long now) {
        if (!writes(step)) {
            return Optional.empty();
        }
        if (outcome.succeeded()) {
            failing.remove(key);
            return Optional.empty();
        }
        @Nullable Failing known = failing.get(key);
        Failing state = known == null ? new Failing(now, 0, false) : known;
        boolean due =
                state.everTold() ? now - state.told() >= AGAIN.toNanos() : now - state.since() >= PATIENCE.toNanos();
        failing.put(key, due ? new Failing(state.since(), now, true) : state);
        return due
                ? Optional.of(outcome.requireFailure().getMessage() + "; this has failed for "
                        + Duration.ofNanos(now - state.since()).toMinutes() + " min and is tried again")
                : Optional.empty();
    }

    public void forget(ObjectKey key) {
        failing.remove(key);
    }

    private static boolean writes(ClusterWork step) {
        return switch (step.kind()) {
            case WRITE, CREATE, REMOVE -> true;
            default -> false;
        };
    }
}
