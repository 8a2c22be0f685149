package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.rpc.Rpc;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Time limits of RPCs that differ from {@link Rpc#deadline()}. */
public record Deadlines(Map<Rpc, Duration> changed) {
    private static final Deadlines DEFAULTS = new Deadlines(Map.of());

    /** @throws IllegalArgumentException if a limit is not positive */
    public Deadlines {
        Map<Rpc, Duration> copy = new EnumMap<>(Rpc.class);
        copy.putAll(changed);
        copy.forEach((rpc, limit) -> {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("deadline of %s must be positive, not %s".formatted(rpc, limit));
            }
        });
        changed = Collections.unmodifiableMap(copy);
    }

    public static Deadlines defaults() {
        return DEFAULTS;
    }

    /** The same with another limit for one RPC. */
    public Deadlines with(Rpc rpc, Duration limit) {
        Map<Rpc, Duration> more = new EnumMap<>(Rpc.class);
        more.putAll(changed);
        more.put(rpc, limit);
        return new Deadlines(more);
    }

    Duration of(Rpc rpc) {
        return changed.getOrDefault(rpc, rpc.deadline());
    }
}
