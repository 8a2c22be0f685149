package io.volume4j.core.control.host.facts;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an object that another one names. Not finding something is three different facts, and only one of them
 * is evidence of absence.
 */
public record Lookup<T>(State state, @Nullable T value) {
    /** How much is known. */
    public enum State {
        FOUND,
        /** The store itself said that it is not there, or the object was seen deleted. */
        ABSENT,
        /** Not in a complete cache. Another kind's watch may be ahead of this one's, so nothing is destroyed on it. */
        MISSING,
        /** The cache is not complete: nothing is known. */
        UNKNOWN,
        /** Nothing names such an object. */
        UNNAMED
    }

    public static <T> Lookup<T> found(T value) {
        return new Lookup<>(State.FOUND, Objects.requireNonNull(value, "value"));
    }

    public static <T> Lookup<T> absent() {
        return new Lookup<>(State.ABSENT, null);
    }

    public static <T> Lookup<T> missing() {
        return new Lookup<>(State.MISSING, null);
    }

    public static <T> Lookup<T> unknown() {
        return new Lookup<>(State.UNKNOWN, null);
    }

    public static <T> Lookup<T> unnamed() {
        return new Lookup<>(State.UNNAMED, null);
    }

    public boolean found() {
        return state == State.FOUND;
    }

    /** Absent or missing: enough for waiting and for telling people, not for destroying anything. */
    public boolean notThere() {
        return state == State.ABSENT || state == State.MISSING;
    }

    /** The object; only where it was found. */
    public T get() {
        return Objects.requireNonNull(value, "not found");
    }
}
