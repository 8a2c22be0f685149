package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** A safety net: has all keys looked at, a few each second, whether or not anything is known to have changed. */
final class Resync<K> {
    private final EventLoop loop;
    private final Supplier<Iterator<K>> keys;
    private final DirtyKeys<K> dirty;
    private final int perSecond;
    private Iterator<K> next = List.<K>of().iterator();

    /** @param keys begins anew with all keys */
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
