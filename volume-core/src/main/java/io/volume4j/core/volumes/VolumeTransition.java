package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step of a volume began or ended.
 *
 * @param podUid {@code ""} for a step that concerns the volume itself
 * @param description for people: {@code mount volume v for pod default/p}
 * @param attempt from 1, counting the tries since the step last succeeded
 * @param ended whether it ended; otherwise it began
 * @param took since the step was taken, making its intent durable included; zero when it begins
 * @param failure why it failed, null otherwise
 * @since 0.1.0
 */
public record VolumeTransition(
        Action action,
        VolumeId volume,
        String podUid,
        String description,
        int attempt,
        boolean ended,
        Duration took,
        @Nullable VolumeException failure) {
    /** What was done. */
    public enum Action {
        ATTACH,
        /** The control plane attached it: verified with the cluster's store. */
        CONFIRM_ATTACHED,
        /** A part of {@link #MOUNT_DEVICE}, told apart because it takes long and happens once in a volume's life. */
        FORMAT,
        MOUNT_DEVICE,
        MOUNT,
        /** What is mounted is given to the pod's {@code fsGroup}. */
        APPLY_FS_GROUP,
        /** The parts that single containers see, by {@code subPath}, are bound. */
        BIND_SUBPATHS,
        REMOUNT,
        EXPAND,
        /** The claim's status is told how large the volume is, or that it cannot grow. */
        TELL_SIZE,
        UNMOUNT,
        UNMOUNT_DEVICE,
        DETACH,
        /** Nothing of the volume is on this node any more; ends at once. */
        FORGET
    }
}
