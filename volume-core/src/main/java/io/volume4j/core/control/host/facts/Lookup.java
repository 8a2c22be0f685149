package io.volume4j.core.control.host.facts;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge about an object to which another object refers. An object can be "not found" for several reasons;
 * only {@link State#ABSENT} proves that it does not exist.
 */
public record Lookup<T>(State state, @Nullable T value) {
    /** The kinds of knowledge. */
    public enum State {
        FOUND,
        /** The store itself said that the object does not exist, or this process saw the deletion of the object. */
        ABSENT,
        /**
         * A complete cache does not have the object. The watch of another kind may be ahead of this kind's watch, so
         * the library destroys nothing on this evidence.
         */
        MISSING,
        /** The cache is incomplete and does not have the object. The object may exist. */
        UNKNOWN,
        /** There is no reference to such an object. */
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

    /**
     * Whether the object is absent or missing. This is enough to wait and to report it to users. It is not enough to
     * destroy anything.
     */
    public boolean notThere() {
        return state == State.ABSENT || state == State.MISSING;
    }

    /** The object. Call this only if the state is {@link State#FOUND}. */
    public T get() {
        return Objects.requireNonNull(value, "not found");
    }
}
