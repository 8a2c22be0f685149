package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The keys that are to be looked at, each visited once for whatever happened to it before. Loop thread only. */
final class DirtyKeys<K> {
    /** Until a key is looked at again that could not be looked at. */
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(10);

    /** Keys visited in one task of the loop, so that outcomes and timers are not kept waiting by many of them. */
    private static final int BATCH = 64;

    /** So many keys in a row are more than the usual. */
    private static final int FLOOD = 4096;

    private final EventLoop loop;
    private final Consumer<K> visitor;
    private Set<K> dirty = new LinkedHashSet<>();
    /** Keys visited since none was dirty. */
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

    /** No key is visited from now on. */
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
     * Worlds ask plugins and hosts, whose bugs are told by the loop. The key that met one is looked at again later, and the
     * others go on at once.
     */
    private void visitGuarded(K key) {
        try {
            visitor.accept(key);
        } catch (RuntimeException | Error bug) {
            loop.schedule(AFTER_A_BUG, () -> add(key));
            loop.execute(this::visitDirty);
            throw bug;
        }
    }

    /** A set keeps the room that it once needed, be it for all keys of a start. */
    private void letGoOfRoom() {
        if (visited > FLOOD) {
            dirty = new LinkedHashSet<>();
        }
        visited = 0;
    }
}
