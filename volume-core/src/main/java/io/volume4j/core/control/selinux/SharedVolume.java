package io.volume4j.core.control.selinux;

import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A volume that pods can share: through a claim, or an inline volume.
 *
 * @param claim null for an inline volume
 * @param described the plugin and its name of the inline volume, {@code ""} for a claim
 */
record SharedVolume(@Nullable ObjectKey claim, String described) {
    static SharedVolume of(ObjectKey claim) {
        return new SharedVolume(claim, "");
    }

    static SharedVolume described(String plugin, String volumeName) {
        return new SharedVolume(null, plugin + " " + volumeName);
    }

    /** A text for users. */
    String text() {
        return claim == null ? "volume " + described : "claim " + claim.name();
    }
}
