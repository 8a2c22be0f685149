package io.volume4j.core.engine;

import java.util.Objects;

/**
 * Why nothing is done about something yet.
 *
 * @param why for a person: {@code waiting for pod default/p to stop using the volume}
 * @param wakeOn the event that will bring the key back, for a person
 * @param notBeforeNanos loop time at which to look again at the latest, {@link #NO_TIME} if only the event matters
 * @param routine whether all is done, and the look only makes sure from time to time that it stays so
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
