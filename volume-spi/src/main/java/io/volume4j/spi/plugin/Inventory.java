package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.List;

/** Lists what a backend holds. */
public interface Inventory {
    Holdings list(CallContext context);

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
