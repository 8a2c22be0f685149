package io.volume4j.core.control.health;

import io.volume4j.spi.plugin.HealthReporter.Health;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin said last about a volume.
 *
 * @param at loop time of that, or of the last question that got no answer
 * @param missed whether a later list, which is said to be complete, does not have the volume: then it is probably well
 * @param unanswered how many questions for this volume got no answer since the last that did
 */
public record Reading(Health health, long at, boolean missed, int unanswered) {
    /** The answer to a question for the volume, or its entry in a list. */
    static Reading told(Health health, @Nullable Reading before, long at) {
        if (before == null) {
            return new Reading(health, at, false, health.reported() ? 0 : 1);
        }
        // What only the silence of a list said does not stand beside a question without an answer.
        boolean said = !before.missed || before.health.abnormal();
        int unanswered = health.reported() ? 0 : before.unanswered + 1;
        return new Reading(health.after(said ? before.health : null), at, false, unanswered);
    }

    /**
     * A list that is said to be complete does not have the volume. It ends no finding, and says nothing new about a volume that the
     * plugin could not answer for when asked by name.
     */
    static Reading absent(@Nullable Reading before, long at) {
        if (before == null || (before.unanswered == 0 && !before.health.abnormal())) {
            return new Reading(Health.well(), at, true, 0);
        }
        return before.unanswered > 0 ? before : new Reading(before.health, at, true, 0);
    }
}
