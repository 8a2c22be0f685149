package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep.Look.At;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a look at the store, and what looks found. A look serves all that asked before it began, and nobody else. Loop
 * thread only.
 */
final class Looks {
    /** Of one kind of look. */
    private static final class Shelf {
        private final Set<String> asking = new LinkedHashSet<>();
        private final Map<String, Users> found = new HashMap<>();
    }

    private final Map<At, Shelf> shelves = new EnumMap<>(At.class);

    void ask(At at, String uid) {
        shelf(at).asking.add(uid);
    }

    /** Whom a look serves that begins now. */
    List<String> asking(At at) {
        return new ArrayList<>(shelf(at).asking);
    }

    /**
     * What a look found, for those of whom it was to find it and who still want it.
     *
     * @param then told of each
     */
    void found(At at, List<String> asked, Users users, Consumer<String> then) {
        Shelf shelf = shelf(at);
        for (String uid : asked) {
            if (shelf.asking.remove(uid)) {
                shelf.found.put(uid, users);
                then.accept(uid);
            }
        }
    }

    @Nullable
    Users peek(At at, String uid) {
        return shelf(at).found.get(uid);
    }

    @Nullable
    Users take(At at, String uid) {
        return shelf(at).found.remove(uid);
    }

    /** Whether there was something to forget that was found. */
    boolean forget(At at, String uid) {
        @Nullable Shelf shelf = shelves.get(at);
        if (shelf == null || (shelf.asking.isEmpty() && shelf.found.isEmpty())) {
            return false;
        }
        shelf.asking.remove(uid);
        return shelf.found.remove(uid) != null;
    }

    void forget(String uid) {
        for (At at : At.values()) {
            forget(at, uid);
        }
    }

    private Shelf shelf(At at) {
        return shelves.computeIfAbsent(at, a -> new Shelf());
    }
}
