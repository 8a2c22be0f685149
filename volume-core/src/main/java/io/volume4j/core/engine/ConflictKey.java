package io.volume4j.core.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that a step uses while it runs. Two steps may run at the same time unless they name the same thing and
 * one of them needs it exclusively. {@code docs/conflict-keys.md} lists the keys of each step.
 */
public final class ConflictKey {
    /** The kinds of things that a key can name. */
    public enum Scope {
        VOLUME,
        VOLUME_NODE,
        VOLUME_POD,
        /** The content of a volume. */
        VOLUME_CONTENT,
        OBJECT
    }

    private final Scope scope;
    private final Object first;
    private final String second;
    private final boolean exclusive;
    /**
     * Computed once. The hash is used several times during a step, and most of its cost is the hash of {@code first}.
     */
    private final int hash;

    private final ConflictKey thing;

    private ConflictKey(Scope scope, Object first, String second, boolean exclusive) {
        this.scope = Objects.requireNonNull(scope, "scope");
        this.first = Objects.requireNonNull(first, "first");
        this.second = Objects.requireNonNull(second, "second");
        this.exclusive = exclusive;
        this.hash = (scope.name().hashCode() * 31 + first.hashCode()) * 31 + second.hashCode();
        this.thing = exclusive ? this : new ConflictKey(scope, first, second, true);
    }

    /**
     * A key for something that no other operation may use at the same time.
     * @param scope the kind of thing
     * @param first the thing, such as a volume's id: a value with its own equality
     */
    public static ConflictKey exclusive(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", true);
    }

    /**
     * The same for a part of the thing.
     *
     * @param second the part, such as a pod's UID; {@code ""} for the whole
     */
    public static ConflictKey exclusive(Scope scope, Object first, String second) {
        return new ConflictKey(scope, first, second, true);
    }

    /** A key for something that other operations may share. */
    public static ConflictKey shared(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", false);
    }

    public Scope scope() {
        return scope;
    }

    /** The thing that the key names. */
    Object first() {
        return first;
    }

    /** Whether no other operation may use the thing at the same time. */
    public boolean exclusive() {
        return exclusive;
    }

    /** The exclusive key of the same thing, with which the conflict table finds its holder. */
    public ConflictKey thing() {
        return thing;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ConflictKey key
                        && hash == key.hash
                        && scope == key.scope
                        && exclusive == key.exclusive
                        && first.equals(key.first)
                        && second.equals(key.second));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return (exclusive ? "" : "shared ") + scope + " " + first + (second.isEmpty() ? "" : " " + second);
    }
}
