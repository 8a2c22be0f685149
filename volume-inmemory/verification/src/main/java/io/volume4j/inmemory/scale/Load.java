package io.volume4j.inmemory.scale;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The amount of each {@link Measure}. Immutable. */
public final class Load {
    private final Map<Measure, Long> amounts = new EnumMap<>(Measure.class);

    private Load(ToLongFunction<Measure> amount) {
        for (Measure measure : Measure.values()) {
            amounts.put(measure, amount.applyAsLong(measure));
        }
    }

    /** Zero for all measures. */
    public static Load none() {
        return new Load(measure -> 0);
    }

    /** The amounts from the function. */
    public static Load of(ToLongFunction<Measure> amount) {
        return new Load(amount);
    }

    public long of(Measure measure) {
        return amounts.getOrDefault(measure, 0L);
    }

    public Load plus(Load other) {
        return of(measure -> of(measure) + other.of(measure));
    }

    public Load minus(Load other) {
        return of(measure -> of(measure) - other.of(measure));
    }
}
