package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Objects by a name in one of their fields. Not thread-safe. */
final class KeysByName {
    private final Map<String, Set<ObjectKey>> index = new HashMap<>();

    /** The objects with this name; a copy, which later changes do not affect. */
    List<ObjectKey> of(String name) {
        return new ArrayList<>(index.getOrDefault(name, Set.of()));
    }

    /** Updates the index for a change of the object; {@code ""} is no name. */
    void move(@Nullable ApiObject before, String was, @Nullable ApiObject after, String is) {
        if (before != null && !was.isEmpty() && !was.equals(is)) {
            index.computeIfPresent(was, (name, all) -> {
                all.remove(before.key());
                return all.isEmpty() ? null : all;
            });
        }
        if (after != null && !is.isEmpty()) {
            index.computeIfAbsent(is, name -> new LinkedHashSet<>()).add(after.key());
        }
    }
}
