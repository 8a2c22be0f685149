package io.volume4j.core.engine;

import io.volume4j.core.tables.DenseMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The holder of each conflict key, and the engine keys that wait for one. Loop thread only. */
final class ConflictTable<K> {
    /** By held thing, as its exclusive key. */
    private final Map<ConflictKey, Holding<K>> holdings = new DenseMap<>();

    /** The first of the keys that is not free now. */
    Optional<ConflictKey> firstBusy(List<ConflictKey> keys) {
        for (ConflictKey key : keys) {
            if (!free(key)) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    /** Takes all keys, which must be free. */
    void take(List<ConflictKey> keys, String operationId) {
        for (ConflictKey key : keys) {
            Holding<K> holding = holdings.computeIfAbsent(key.thing(), thing -> new Holding<>());
            if (key.exclusive()) {
                holding.exclusive = operationId;
            } else {
                holding.shared++;
            }
        }
    }

    /** Registers the engine key for a visit when the conflict key is free. */
    void await(ConflictKey busy, K waiter) {
        Holding<K> holding = holdings.get(busy.thing());
        if (holding != null) {
            if (holding.waiters.isEmpty()) {
                holding.waiters = new LinkedHashSet<>(2);
            }
            holding.waiters.add(waiter);
        }
    }

    /** Releases the keys. Returns the engine keys to visit. */
    List<K> release(List<ConflictKey> keys) {
        List<K> wake = new ArrayList<>(0);
        for (ConflictKey key : keys) {
            ConflictKey thing = key.thing();
            Holding<K> holding = holdings.get(thing);
            if (holding == null) {
                continue;
            }
            if (key.exclusive()) {
                holding.exclusive = "";
            } else {
                holding.shared--;
            }
            if (!holding.waiters.isEmpty()) {
                wake.addAll(holding.waiters);
                holding.waiters = Set.of();
            }
            if (holding.exclusive.isEmpty() && holding.shared == 0) {
                holdings.remove(thing);
            }
        }
        return wake;
    }

    int size() {
        return holdings.size();
    }

    private boolean free(ConflictKey key) {
        Holding<K> holding = holdings.get(key.thing());
        return holding == null || (holding.exclusive.isEmpty() && (!key.exclusive() || holding.shared == 0));
    }

    private static final class Holding<K> {
        /** In the order of their registration; nearly always empty. */
        private Set<K> waiters = Set.of();

        private String exclusive = "";
        private int shared;
    }
}
