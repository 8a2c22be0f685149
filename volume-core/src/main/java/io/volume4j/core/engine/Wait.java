package io.volume4j.core.engine;

import java.util.Objects;

/**
 * A reason for waiting.
 * @param why the reason, for people: {@code waiting for pod default/p to stop using the volume}
 * @param wakeOn the event that makes the engine visit the key again, for people
 * @param notBeforeNanos loop time of the next visit at the latest, {@link #NO_TIME} if only the event counts
 * @param routine whether there is nothing to do, and the next visit only checks that this is still so
 */
public record Wait(String why, String wakeOn, long notBeforeNanos, boolean routine) {
    public static final long NO_TIME = Long.MAX_VALUE;

    public Wait {
        Objects.requireNonNull(why, "why");
        Objects.requireNonNull(wakeOn, "wakeOn");
    }

    public static Wait on(String wakeOn, String why) {
        return on(wakeOn, why, NO_TIME);
    }

    public static Wait on(String wakeOn, String why, long notBeforeNanos) {
        return new Wait(why, wakeOn, notBeforeNanos, false);
    }

    public static Wait until(long notBeforeNanos, String why) {
        return on("time", why, notBeforeNanos);
    }

    public static Wait routinely(long notBeforeNanos, String why) {
        return new Wait(why, "time", notBeforeNanos, true);
    }
}
