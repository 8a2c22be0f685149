package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a step.
 * @param value the result of a successful call
 * @param failure the failure, null for a success
 * @param writtenOff whether the call missed its deadline and may still be running
 */
public record Outcome(@Nullable Object value, @Nullable VolumeException failure, boolean writtenOff) {
    public static Outcome success(@Nullable Object value) {
        return new Outcome(value, null, false);
    }

    public static Outcome failure(VolumeException failure) {
        return new Outcome(null, failure, false);
    }

    static Outcome writtenOff(VolumeException failure) {
        return new Outcome(null, failure, true);
    }

    public boolean succeeded() {
        return failure == null;
    }

    /** The failure. Only for a failed step. */
    public VolumeException requireFailure() {
        return Objects.requireNonNull(failure, "a success has no failure");
    }

    /** The result. Only for a success with a value of that type. */
    public <T> T requireValue(Class<T> type) {
        return type.cast(Objects.requireNonNull(value, "no value"));
    }
}
