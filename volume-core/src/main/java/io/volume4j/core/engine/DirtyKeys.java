package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The keys to visit. Each is visited once, however often it was marked before. Loop thread only. */
final class DirtyKeys<K> {
    /** The delay before the next visit of a key whose visit failed. */
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(10);

    /**
     * The maximum number of keys visited in one task of the loop, so that many keys do not delay outcomes and timers.
     */
    private static final int BATCH = 64;

    /** More keys in a row than usual. */
    private static final int FLOOD = 4096;

    private final EventLoop loop;
    private final Consumer<K> visitor;
    private Set<K> dirty = new LinkedHashSet<>();
    /** Keys visited since the set was last empty. */
    private int visited;

    private boolean visiting;
    private boolean closed;

    DirtyKeys(EventLoop loop, Consumer<K> visitor) {
        this.loop = loop;
        this.visitor = visitor;
    }

    void add(K key) {
        if (closed) {
            return;
        }
        dirty.add(key);
        if (!visiting) {
            visiting = true;
            loop.execute(this::visitDirty);
        }
    }

    boolean none() {
        return dirty.isEmpty();
    }

    /** Stops all visits. */
    void close() {
        closed = true;
        dirty.clear();
    }

    boolean closed() {
        return closed;
    }

    private void visitDirty() {
        for (int i = 0; i < BATCH && !dirty.isEmpty() && !closed; i++) {
            Iterator<K> first = dirty.iterator();
            K key = first.next();
            first.remove();
            visited++;
            visitGuarded(key);
        }
        visiting = !dirty.isEmpty() && !closed;
        if (visiting) {
            loop.execute(this::visitDirty);
        } else {
            letGoOfRoom();
        }
    }

    /**
     * Visits a key. A world calls plugins and hosts, which may have defects; the loop logs these. The key is visited
     * again later, and the others are visited at once.
     */
    private void visitGuarded(K key) {
        try {
            visitor.accept(key);
        } catch (Throwable bug) {
            loop.schedule(AFTER_A_BUG, () -> add(key));
            loop.execute(this::visitDirty);
            throw bug;
        }
    }

    /** Replaces the set after a flood of keys: a set never shrinks by itself. */
    private void letGoOfRoom() {
        if (visited > FLOOD) {
            dirty = new LinkedHashSet<>();
        }
        visited = 0;
    }
}
