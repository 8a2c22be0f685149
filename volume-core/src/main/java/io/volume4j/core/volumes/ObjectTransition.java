package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step of a claim or volume began or ended on the control plane.
 *
 * @param object for which it is done
 * @param action in the field's words: {@code provision}, {@code delete}, {@code recycle}, {@code write} …
 * @param description for people: {@code provision volume pvc-1 with loop.volume4j.io}
 * @param attempt from 1, counting the tries since the step last succeeded
 * @param ended whether it ended; otherwise it began
 * @param took since the step was taken; zero when it begins
 * @param failure why it failed, null otherwise
 * @since 0.1.0
 */
public record ObjectTransition(
        ObjectKey object,
        String action,
        String description,
        int attempt,
        boolean ended,
        Duration took,
        @Nullable VolumeException failure) {}
