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
 * @param onlyIfRootDiffers whether a topmost directory with the right group means that all files have it
 *     ({@code OnRootMismatch}); the walk always changes that directory last
 */
public record Ownership(long group, boolean onlyIfRootDiffers) {
    /**
     * The request of the pod for the volume, null for none: no group, a raw device, a read-only volume, or content
     * that the library must not change, such as the machine's own files of a hostPath.
     *
     * @param mounter null if the plugin that mounts it is not registered any more; then the result is null
     * @param owed whether the volume is mounted and waits for its group
     */
    public static @Nullable Ownership wanted(
            Pod pod, VolumeSpec spec, boolean readOnly, @Nullable Mounter mounter, boolean owed) {
        Pod.SecurityContext context = pod.spec().securityContext();
        Long group = context.fsGroup();
        if (group == null
                || mounter == null
                || !(owed ? mounter.managedContent() : mounter.managesContent())
                || !spec.groupByLibrary()
                || readOnly
                || spec.volumeMode() != VolumeMode.FILESYSTEM) {
            return null;
        }
        return new Ownership(group, context.fsGroupChangePolicy().equals("OnRootMismatch"));
    }
}
