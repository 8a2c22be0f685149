package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists the volumes of a backend.
 *
 * @since 0.1.0
 */
public interface Inventory {
    /**
     * All volumes in one list. An implementation limits the memory for the list. If there are more volumes, it
     * returns an incomplete list.
     */
    Holdings list(CallContext context);

    /**
     * Passes each volume to the sink while the backend lists them, so that a caller keeps only the volumes that it
     * needs. The same volume may come more than once. A volume that was deleted during the call may come too. The
     * default uses {@link #list}.
     *
     * @param sink returns whether to continue
     * @return whether the backend said that the list is complete and the sink accepted every volume
     */
    default boolean each(Predicate<Held> sink, CallContext context) {
        Holdings holdings = list(context);
        return holdings.volumes().stream().allMatch(sink) && holdings.complete();
    }

    /**
     * The volumes that the backend listed.
     *
     * @param complete whether the backend said that the list is complete. Even a complete list may lack volumes that
     *     were created or deleted during the call, so a list never proves absence
     */
    record Holdings(List<Held> volumes, boolean complete) {
        public Holdings {
            volumes = List.copyOf(volumes);
        }
    }

    /** One volume. A capacity of 0 means that the size is unknown. */
    record Held(String handle, long capacityBytes) {}
}
