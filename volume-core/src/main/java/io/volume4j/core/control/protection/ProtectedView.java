package io.volume4j.core.control.protection;

import io.volume4j.core.control.host.ClusterWork.Look;
import io.volume4j.spi.model.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts for protecting an object.
 *
 * @param finalizer that keeps it
 * @param usedBy its known users, by name
 * @param usersKnown whether all possible users are known
 * @param at the read of the store that is necessary before the release, null if the object itself shows its use
 * @param seen the users according to that read; null if there was no read since the object was deleted
 * @param seenAt loop time of the end of that read; a read may take longer than its result is valid
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
    /** Whether only a read of its users is missing for its release. */
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
