package io.volume4j.core.control.run;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Who names what, looked up by what is named. Loop thread only. */
final class ReferenceIndex<T, F> {
    private final Map<T, Set<F>> byTarget = new HashMap<>();

    /** The object named these before, and names those now. */
    void move(F from, Set<T> before, Set<T> after) {
        for (T target : before) {
            if (!after.contains(target)) {
                byTarget.computeIfPresent(target, (key, all) -> {
                    all.remove(from);
                    return all.isEmpty() ? null : all;
                });
            }
        }
        for (T target : after) {
            byTarget.computeIfAbsent(target, key -> new LinkedHashSet<>()).add(from);
        }
    }

    /** All that name it, in the order in which they began to. A live view. */
    Set<F> naming(T target) {
        return byTarget.getOrDefault(target, Set.of());
    }
}
