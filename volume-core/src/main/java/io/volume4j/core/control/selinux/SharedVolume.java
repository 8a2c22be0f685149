package io.volume4j.core.control.selinux;

import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * What pods can share: a claim, or a volume that pods describe themselves.
 *
 * @param claim null for a volume that pods describe
 * @param described the plugin and its name of the volume, {@code ""} for a claim
 */
record SharedVolume(@Nullable ObjectKey claim, String described) {
    static SharedVolume of(ObjectKey claim) {
        return new SharedVolume(claim, "");
    }

    static SharedVolume described(String plugin, String volumeName) {
        return new SharedVolume(null, plugin + " " + volumeName);
    }

    /** For people. */
    String text() {
        return claim == null ? "volume " + described : "claim " + claim.name();
    }
}
