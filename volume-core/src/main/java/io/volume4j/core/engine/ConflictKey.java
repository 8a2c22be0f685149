package io.volume4j.core.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a step needs for itself while it is carried out. Two steps may be under way together unless they name the same
 * thing and one of them needs it exclusively. The table of who needs what stands in {@code docs/conflict-keys.md}.
 *
 * @param scope what kind of thing
 * @param first what it is, such as a volume's id or text: a value, equal to itself wherever it is named
 * @param second its part, such as a pod's UID; {@code ""} for the whole
 * @param exclusive whether nobody else may use it meanwhile
 */
public record ConflictKey(Scope scope, Object first, String second, boolean exclusive) {
    /** What a key can name. */
    public enum Scope {
        VOLUME,
        VOLUME_NODE,
        VOLUME_POD,
        /** What a volume holds. */
        VOLUME_CONTENT,
        OBJECT,
        TARGET_PATH
    }

    public ConflictKey {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
    }

    public static ConflictKey exclusive(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", true);
    }

    public static ConflictKey exclusive(Scope scope, Object first, String second) {
        return new ConflictKey(scope, first, second, true);
    }

    public static ConflictKey shared(Scope scope, Object first) {
        return new ConflictKey(scope, first, "", false);
    }

    // Written out, because every step asks these for each of its keys.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConflictKey key
                && scope == key.scope
                && exclusive == key.exclusive
                && first.equals(key.first)
                && second.equals(key.second);
    }

    @Override
    public int hashCode() {
        return ((scope.name().hashCode() * 31 + first.hashCode()) * 31 + second.hashCode()) * 2 + (exclusive ? 1 : 0);
    }
}
