package io.volume4j.core.volumes;

import java.time.Duration;
import java.time.Instant;

/**
 * One entry in the history of a volume on a node.
 *
 * @param podUid {@code ""} for a step that concerns the volume itself
 * @param description for people: {@code mount volume v for pod default/p}
 * @param attempt the number of the try, from 1
 * @param took the duration of the step; zero for its beginning
 * @param error why it failed, with advice; {@code ""} if it did not
 * @since 0.1.0
 */
public record TimelineEntry(
        Instant at,
        VolumeTransition.Action action,
        Moment moment,
        String podUid,
        String description,
        int attempt,
        Duration took,
        String error) {
    /** What happened to the step. */
    public enum Moment {
        BEGAN,
        SUCCEEDED,
        FAILED
    }

    /** One line for a person. */
    public String text() {
        StringBuilder line = new StringBuilder();
        line.append(at).append(' ').append(description);
        switch (moment) {
            case BEGAN -> line.append(": began");
            case SUCCEEDED -> line.append(": done in ").append(took.toMillis()).append(" ms");
            case FAILED ->
                line.append(": failed after ")
                        .append(took.toMillis())
                        .append(" ms: ")
                        .append(error);
        }
        return attempt > 1
                ? line.append(" (attempt ").append(attempt).append(')').toString()
                : line.toString();
    }
}
