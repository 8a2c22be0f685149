package io.volume4j.core.ownership;

import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.VolumeSpec;
import org.jspecify.annotations.Nullable;

/**
 * The request that the files of a volume belong to a pod's group.
 *
 * @param group the pod's {@code fsGroup}
 * @param onlyIfRootDiffers whether a topmost directory that fits says that all below it does
 *     ({@code OnRootMismatch}); it is always changed last
 */
public record Ownership(long group, boolean onlyIfRootDiffers) {
    /**
     * The request of the pod for the volume, null for none: no group, a raw device, a read-only volume, or content
     * that the library must not change, such as the machine's own files of a hostPath.
     *
     * @param mounter null if the plugin that mounts it is gone; then nothing can be said, and nothing is done
     */
    public static @Nullable Ownership wanted(Pod pod, VolumeSpec spec, boolean readOnly, @Nullable Mounter mounter) {
        Pod.SecurityContext context = pod.spec().securityContext();
        Long group = context.fsGroup();
        if (group == null
                || mounter == null
                || !mounter.managesContent()
                || !spec.groupByLibrary()
                || readOnly
                || spec.volumeMode() != VolumeMode.FILESYSTEM) {
            return null;
        }
        return new Ownership(group, context.fsGroupChangePolicy().equals("OnRootMismatch"));
    }
}
