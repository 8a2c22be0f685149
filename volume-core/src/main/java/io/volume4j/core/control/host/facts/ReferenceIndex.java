package io.volume4j.core.control.host.facts;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who names what, looked up by what is named. Loop thread only. */
public final class ReferenceIndex<T, F> {
    /** Most things are named by one, and that one alone takes no set that can grow. */
    private final Map<T, Set<F>> byTarget = new HashMap<>();

    /** The object named these before, and names those now. */
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

    /** All that name it, in the order in which they began to; not to be walked while that changes. */
    public Set<F> naming(T target) {
        return byTarget.getOrDefault(target, Set.of());
    }
}
