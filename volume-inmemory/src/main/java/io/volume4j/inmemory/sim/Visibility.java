package io.volume4j.inmemory.sim;

import io.volume4j.spi.model.Kind;
import java.util.EnumSet;
import java.util.Set;

/** Objects of which kinds processes can see. */
final class Visibility {
    private final Set<Kind> incomplete = EnumSet.noneOf(Kind.class);
    private final Set<Kind> late = EnumSet.noneOf(Kind.class);

    /** Whether not all of them are known, so that they cannot be listed. */
    boolean incomplete(Kind kind) {
        return incomplete.contains(kind);
    }

    void incomplete(Kind kind, boolean value) {
        put(incomplete, kind, value);
    }

    /** Whether no watch shows what happens to them. */
    boolean late(Kind kind) {
        return late.contains(kind);
    }

    void late(Kind kind, boolean value) {
        put(late, kind, value);
    }

    private static void put(Set<Kind> kinds, Kind kind, boolean value) {
        if (value) {
            kinds.add(kind);
        } else {
            kinds.remove(kind);
        }
    }
}
