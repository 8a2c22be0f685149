package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep.Look.At;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a look at the store, and what looks found. A look serves all that asked before it began, and nobody else. Loop
 * thread only.
 */
final class Looks {
    private final Map<At, Set<String>> asking = new EnumMap<>(At.class);
    private final Map<At, Map<String, Users>> found = new EnumMap<>(At.class);

    void ask(At at, String uid) {
        asking.computeIfAbsent(at, a -> new LinkedHashSet<>()).add(uid);
    }

    /** Whom a look serves that begins now. */
    List<String> asking(At at) {
        return new ArrayList<>(asking.getOrDefault(at, Set.of()));
    }

    /**
     * What a look found, for those of whom it was to find it and who still want it.
     *
     * @param then told of each
     */
    void found(At at, List<String> asked, Users users, BiConsumer<String, Users> then) {
        for (String uid : asked) {
            if (asking.getOrDefault(at, Set.of()).remove(uid)) {
                found.computeIfAbsent(at, a -> new HashMap<>()).put(uid, users);
                then.accept(uid, users);
            }
        }
    }

    @Nullable
    Users peek(At at, String uid) {
        return found.getOrDefault(at, Map.of()).get(uid);
    }

    @Nullable
    Users take(At at, String uid) {
        Map<String, Users> all = found.get(at);
        return all == null ? null : all.remove(uid);
    }

    boolean forget(At at, String uid) {
        asking.getOrDefault(at, new LinkedHashSet<>()).remove(uid);
        return take(at, uid) != null;
    }

    void forget(String uid) {
        for (At at : At.values()) {
            forget(at, uid);
        }
    }
}
