package io.volume4j.core.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of taken steps of a group. A taken step costs memory for its intent, its call and its place in
 * queues. After a start, tens of thousands of them would leave no memory for the first. Keys without a place are
 * visited again when a place is free. Each free place is offered to one key, and to the next one if the first was
 * visited and did not take it. Loop thread only.
 */
final class Intake<K> {
    /** Far more than run at the same time, so that no thread waits for work. */
    static final int MOST = 4096;

    private static final class Group<K> {
        private final String name;
        private int taken;
        /** Places that are offered to keys which have not been visited since. */
        private int offered;

        private final Set<K> held = new LinkedHashSet<>();

        Group(String name) {
            this.name = name;
        }

        boolean full() {
            return taken + offered >= MOST;
        }
    }

    private final Map<String, Group<K>> groups = new HashMap<>();
    /** The keys with an offered place, and their groups; nearly always empty. */
    private final Map<K, Group<K>> offers = new HashMap<>();

    /** Takes a place for a step. If there is none, {@link #left} or {@link #visited} returns the key later. */
    boolean take(String group, K key) {
        if (group.isEmpty()) {
            return true;
        }
        Group<K> of = groups.computeIfAbsent(group, Group::new);
        endOffer(key);
        if (of.full()) {
            of.held.add(key);
            return false;
        }
        of.taken++;
        return true;
    }

    /**
     * A step has ended.
     *
     * @return the keys to visit again: as many as there are free places
     */
    List<K> left(String group) {
        Group<K> of = groups.get(group);
        if (of == null) {
            return List.of();
        }
        of.taken--;
        return offer(of);
    }

    /**
     * The key was visited. If it did not take its place, the place is offered to another key.
     *
     * @return the keys to visit again
     */
    List<K> visited(K key) {
        Group<K> of = endOffer(key);
        return of == null ? List.of() : offer(of);
    }

    private @Nullable Group<K> endOffer(K key) {
        Group<K> of = offers.isEmpty() ? null : offers.remove(key);
        if (of != null) {
            of.offered--;
        }
        return of;
    }

    private List<K> offer(Group<K> of) {
        List<K> next = new ArrayList<>(0);
        while (!of.held.isEmpty() && !of.full()) {
            K first = of.held.iterator().next();
            of.held.remove(first);
            offers.put(first, of);
            of.offered++;
            next.add(first);
        }
        if (of.taken == 0 && of.offered == 0) {
            groups.remove(of.name);
        }
        return next;
    }
}
