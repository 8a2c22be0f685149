package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists what a backend holds.
 *
 * @since 0.1.0
 */
public interface Inventory {
    /**
     * All volumes at once. An implementation bounds the memory that this takes and says that the list is not complete
     * beyond that bound.
     */
    Holdings list(CallContext context);

    /**
     * Gives each volume to the sink as the backend lists it, so that a caller of a large backend keeps only what it needs.
     * A volume may come more than once, and one that was deleted meanwhile may come too. By default as {@link #list}.
     *
     * @param sink says whether to go on
     * @return whether the backend said that this is all and the sink took all
     */
    default boolean each(Predicate<Held> sink, CallContext context) {
        Holdings holdings = list(context);
        return holdings.volumes().stream().allMatch(sink) && holdings.complete();
    }

    /**
     * What the backend listed.
     *
     * @param complete whether the backend said that this is all. What is made or destroyed meanwhile may be missing even
     *     then, so a list never proves absence
     */
    record Holdings(List<Held> volumes, boolean complete) {
        public Holdings {
            volumes = List.copyOf(volumes);
        }
    }

    /** One volume; a capacity of 0 is not known. */
    record Held(String handle, long capacityBytes) {}
}
