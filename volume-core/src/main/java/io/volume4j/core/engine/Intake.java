package io.volume4j.core.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many steps of a group are taken at a time, whatever is wanted: a step that is taken costs memory for its intent, its call and
 * its place in queues, and tens of thousands of them, as after a start, would leave none to do the first. Keys for which there is
 * no room are visited again when there is: each free place is offered to one of them, and to the next if that one was visited and
 * did not take it. Loop thread only.
 */
final class Intake<K> {
    /** Far more than run at once, so that no thread waits for work. */
    static final int MOST = 4096;

    private static final class Group<K> {
        private final String name;
        private int taken;
        /** Places that are kept for keys which have not been visited since. */
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
    /** The keys to which a place is offered, with their groups; nearly always none. */
    private final Map<K, Group<K>> offers = new HashMap<>();

    /** Takes a place for a step; if there is none, the key is given back by {@link #left} or {@link #visited} later. */
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
     * @return keys that may be visited again: as many as there are places
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
     * The key was visited. It may want nothing any more, and then holds up none of the others.
     *
     * @return likewise
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
