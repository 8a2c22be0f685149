package io.volume4j.core.control.health;

import io.volume4j.spi.plugin.HealthReporter.Health;
import org.jspecify.annotations.Nullable;

/**
 * The plugin's last answer about a volume.
 *
 * @param at loop time of that answer, or of the last question without an answer
 * @param missed whether a later, complete list does not have the volume: then it is probably healthy
 * @param unanswered how many questions for this volume had no answer since the last answer
 */
public record Reading(Health health, long at, boolean missed, int unanswered) {
    /** The answer to a question for the volume, or its entry in a list. */
    static Reading told(Health health, @Nullable Reading before, long at) {
        if (before == null) {
            return new Reading(health, at, false, health.reported() ? 0 : 1);
        }
        // A healthy state that only follows from a list's silence does not count after a question without an answer.
        boolean said = !before.missed || before.health.abnormal();
        int unanswered = health.reported() ? 0 : before.unanswered + 1;
        return new Reading(health.after(said ? before.health : null), at, false, unanswered);
    }

    /**
     * A complete list does not have the volume. It does not end a problem. It changes nothing if the plugin had no answer to the
     * last question for this volume.
     */
    static Reading absent(@Nullable Reading before, long at) {
        if (before == null || (before.unanswered == 0 && !before.health.abnormal())) {
            return new Reading(Health.well(), at, true, 0);
        }
        return before.unanswered > 0 ? before : new Reading(before.health, at, true, 0);
    }
}
