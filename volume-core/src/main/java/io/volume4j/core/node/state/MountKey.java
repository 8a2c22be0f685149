package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * One volume for one pod.
 *
 * @param podUid {@code ""} for the volume itself
 */
public record MountKey(VolumeId id, String podUid) {
    // Written out because each step calls these: a record's generated methods use slower method handles.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MountKey key && id.equals(key.id) && podUid.equals(key.podUid);
    }

    @Override
    public int hashCode() {
        return id.hashCode() * 31 + podUid.hashCode();
    }
}
