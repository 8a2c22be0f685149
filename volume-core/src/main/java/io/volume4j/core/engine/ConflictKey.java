package io.volume4j.core.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a step needs for itself while it is carried out. Two steps may be under way together unless they name the same
 * thing and one of them needs it exclusively. The table of who needs what stands in {@code docs/conflict-keys.md}.
 */
public final class ConflictKey {
    /** What a key can name. */
    public enum Scope {
        VOLUME,
        VOLUME_NODE,
        VOLUME_POD,
        /** What a volume holds. */
        VOLUME_CONTENT,
        OBJECT
    }

    private final Scope scope;
    private final Object first;
    private final String second;
    private final boolean exclusive;
    /** Asked for several times while a step is under way, and most of it is that of what the key names. */
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
     * Of what no other operation may use meanwhile.
     *
     * @param scope what kind of thing
     * @param first what it is, such as a volume's id or text: a value, equal to itself wherever it is named
     */
    public static ConflictKey exclusive(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", true);
    }

    /**
     * The same of a part of it.
     *
     * @param second the part, such as a pod's UID; {@code ""} for the whole
     */
    public static ConflictKey exclusive(Scope scope, Object first, String second) {
        return new ConflictKey(scope, first, second, true);
    }

    /** Of what others may share. */
    public static ConflictKey shared(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", false);
    }

    public Scope scope() {
        return scope;
    }

    /** What it names. */
    Object first() {
        return first;
    }

    /** Whether no other operation may use it meanwhile. */
    public boolean exclusive() {
        return exclusive;
    }

    /** The key of the same thing that needs it exclusively, by which it is known who holds it. */
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
