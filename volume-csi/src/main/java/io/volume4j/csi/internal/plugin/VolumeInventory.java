package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.Inventory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The volumes that the driver lists, without inline volumes: nodes create and delete those, and a list does not show whether a
 * node still has one.
 */
public final class VolumeInventory implements Inventory {
    /** Limit for all handles together, in bytes: some 500,000 ordinary ones. */
    static final long MAX_KEPT_BYTES = 32L << 20;

    private final Driver driver;

    public VolumeInventory(Driver driver) {
        this.driver = driver;
    }

    @Override
    public Holdings list(CallContext context) {
        Map<String, Held> kept = new LinkedHashMap<>();
        long[] bytes = {0};
        boolean complete = each(
                held -> {
                    if (kept.put(held.handle(), held) == null) {
                        bytes[0] += held.handle().length();
                    }
                    return bytes[0] <= MAX_KEPT_BYTES;
                },
                context);
        return new Holdings(List.copyOf(kept.values()), complete);
    }

    @Override
    public boolean each(Predicate<Held> sink, CallContext context) {
        return Driver.translated(() -> driver.controller()
                .controller()
                .eachVolume(
                        entry -> {
                            Held held = new Held(
                                    entry.getVolume().getVolumeId(),
                                    entry.getVolume().getCapacityBytes());
                            return held.handle().isEmpty() || Handles.inline(held.handle()) || sink.test(held);
                        },
                        context));
    }
}
