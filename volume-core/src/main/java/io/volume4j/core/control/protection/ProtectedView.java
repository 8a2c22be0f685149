package io.volume4j.core.control.protection;

import io.volume4j.core.control.host.ClusterWork.Look;
import io.volume4j.spi.model.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to protect an object.
 *
 * @param finalizer that keeps it
 * @param usedBy who uses it, as far as is known, by name
 * @param usersKnown whether all possible users are known
 * @param at what the store must be asked for before the object is let go, null where the object itself tells of its use
 * @param seen whom the store showed using it when it was asked; null if it was not asked since the object was let go of
 * @param seenAt loop time when it had answered: asking may take longer than what it showed is believed
 * @param now loop time
 */
public record ProtectedView(
        ApiObject object,
        String finalizer,
        List<String> usedBy,
        boolean usersKnown,
        Look.@Nullable At at,
        @Nullable List<String> seen,
        long seenAt,
        long now) {
    /** Whether only a look at its users is missing to let it go. */
    public boolean awaitsLook() {
        return at != null
                && object.metadata().deleting()
                && object.metadata().finalizers().contains(finalizer)
                && usersKnown
                && usedBy.isEmpty()
                && !fresh();
    }

    boolean fresh() {
        return seen != null && now - seenAt < ProtectionPlanner.FRESH.toNanos();
    }
}
