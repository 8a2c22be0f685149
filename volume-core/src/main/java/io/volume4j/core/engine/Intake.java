package io.volume4j.core.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many steps of a group are taken at a time, whatever is wanted: a step that is taken costs memory for its intent, its call and
 * its place in queues, and tens of thousands of them, as after a start, would leave none to do the first. Keys for which there is
 * no room are visited again when there is. Loop thread only.
 */
final class Intake<K> {
    /** Far more than run at once, so that no thread waits for work. */
    static final int MOST = 4096;

    private static final class Group<K> {
        private int taken;
        private final Set<K> held = new LinkedHashSet<>();

        /** As many as there are places. */
        List<K> next() {
            List<K> next = new ArrayList<>();
            for (Iterator<K> rest = held.iterator(); rest.hasNext() && taken + next.size() < MOST; ) {
                next.add(rest.next());
                rest.remove();
            }
            return next;
        }
    }

    private final Map<String, Group<K>> groups = new HashMap<>();

    /** Takes a place for a step; if there is none, the key is given back by {@link #left} later. */
    boolean take(String group, K key) {
        if (group.isEmpty()) {
            return true;
        }
        Group<K> of = groups.computeIfAbsent(group, name -> new Group<>());
        if (of.taken >= MOST) {
            of.held.add(key);
            return false;
        }
        of.taken++;
        return true;
    }

    /**
     * A step has ended.
     *
     * @return keys that may be visited again: as many as there are places, so that those which want nothing any more hold up
     *     none of the others
     */
    List<K> left(String group) {
        Group<K> of = groups.get(group);
        if (of == null) {
            return List.of();
        }
        of.taken--;
        List<K> next = of.held.isEmpty() ? List.of() : of.next();
        if (of.taken == 0 && of.held.isEmpty()) {
            groups.remove(group);
        }
        return next;
    }
}
