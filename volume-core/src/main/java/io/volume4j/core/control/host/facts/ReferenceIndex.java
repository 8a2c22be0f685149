package io.volume4j.core.control.host.facts;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An index of references: it finds the objects that refer to a target. Loop thread only. */
public final class ReferenceIndex<T, F> {
    /** Most targets have one reference, for which a small immutable set is enough. */
    private final Map<T, Set<F>> byTarget = new HashMap<>();

    /** Updates the targets of one object. */
    public void move(F from, Set<T> before, Set<T> after) {
        for (T target : before) {
            if (!after.contains(target)) {
                byTarget.computeIfPresent(target, (key, all) -> without(from, all));
            }
        }
        for (T target : after) {
            if (!before.contains(target)) {
                byTarget.merge(target, Set.of(from), (all, one) -> with(from, all));
            }
        }
    }

    private static <F> Set<F> with(F from, Set<F> all) {
        if (all.contains(from)) {
            return all;
        }
        Set<F> more = all.size() == 1 ? new LinkedHashSet<>(all) : all;
        more.add(from);
        return more;
    }

    private static <F> @Nullable Set<F> without(F from, Set<F> all) {
        if (all.size() == 1) {
            return all.contains(from) ? null : all;
        }
        all.remove(from);
        return all.size() == 1 ? Set.of(all.iterator().next()) : all;
    }

    /**
     * All objects that refer to the target, in the order in which their references began. Do not change the index
     * while you iterate over the result.
     */
    public Set<F> naming(T target) {
        return byTarget.getOrDefault(target, Set.of());
    }
}
