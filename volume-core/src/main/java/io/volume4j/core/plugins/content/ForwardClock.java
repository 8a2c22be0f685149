package io.volume4j.core.plugins.content;

import io.volume4j.spi.plugin.PluginHost;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time for the ages of tokens and certificates, which must also have a meaning after a restart. It follows the wall clock
 * forward: the machine may have slept. It does not follow it back: a token would look younger than it is, and a pod would keep it
 * after its end. Meanwhile it advances by the elapsed time. Thread-safe.
 */
final class ForwardClock {
    private final PluginHost host;
    private @Nullable Instant last;
    private long readAt;

    ForwardClock(PluginHost host) {
        this.host = host;
    }

    synchronized Instant instant() {
        long nanos = host.nanoTime();
        Instant wall = host.clock().instant();
        Instant before = last;
        Instant elapsed = before == null ? wall : before.plusNanos(nanos - readAt);
        Instant now = wall.isAfter(elapsed) ? wall : elapsed;
        last = now;
        readAt = nanos;
        return now;
    }
}
