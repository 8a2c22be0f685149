package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step of a claim or volume began or ended on the control plane.
 *
 * @param object the claim or volume of the step
 * @param action the kind of step: {@code provision}, {@code delete}, {@code recycle}, {@code write} …
 * @param description for people: {@code provision volume pvc-1 with loop.volume4j.io}
 * @param attempt the number of the try, from 1, since the step last succeeded
 * @param ended true if the step ended, false if it began
 * @param took the time since the step began; zero when it begins
 * @param failure why it failed, null if it did not
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
