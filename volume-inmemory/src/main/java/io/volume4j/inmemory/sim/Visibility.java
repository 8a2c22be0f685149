package io.volume4j.inmemory.sim;

import io.volume4j.spi.model.Kind;
import java.util.EnumSet;
import java.util.Set;

/** The kinds whose objects processes cannot fully see. */
final class Visibility {
    private final Set<Kind> incomplete = EnumSet.noneOf(Kind.class);
    private final Set<Kind> late = EnumSet.noneOf(Kind.class);

    /** Whether the kind cannot be listed, so that not all objects are known. */
    boolean incomplete(Kind kind) {
        return incomplete.contains(kind);
    }

    void incomplete(Kind kind, boolean value) {
        put(incomplete, kind, value);
    }

    /** Whether no watch reports changes of the kind. */
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
