package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** A safety net: visits all keys, a few each second, even if none is known to have changed. */
final class Resync<K> {
    private final EventLoop loop;
    private final Supplier<Iterator<K>> keys;
    private final DirtyKeys<K> dirty;
    private final int perSecond;
    private Iterator<K> next = List.<K>of().iterator();

    /** @param keys returns a new iterator over all keys */
    Resync(EventLoop loop, Supplier<Iterator<K>> keys, DirtyKeys<K> dirty, int perSecond) {
        this.loop = loop;
        this.keys = keys;
        this.dirty = dirty;
        this.perSecond = perSecond;
    }

    void schedule() {
        if (dirty.closed() || perSecond == 0) {
            return;
        }
        loop.schedule(Duration.ofSeconds(1), () -> {
            try {
                if (!next.hasNext()) {
                    next = keys.get();
                }
                for (int i = 0; i < perSecond && next.hasNext(); i++) {
                    dirty.add(next.next());
                }
            } finally {
                schedule();
            }
        });
    }
}
