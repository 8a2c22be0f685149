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
        /** What is mounted is shown with the IDs that the pod's users have on this machine. */
        MAP_IDS,
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

    /** The beginning of a first try that concerns the volume itself. */
    public static Builder builder(Action action, VolumeId volume) {
        return new Builder(action, volume);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(action, volume);
        builder.podUid = podUid;
        builder.description = description;
        builder.attempt = attempt;
        builder.ended = ended;
        builder.took = took;
        builder.failure = failure;
        return builder;
    }

    /** Builds a {@link VolumeTransition}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private Action action;
        private VolumeId volume;
        private String podUid = "";
        private String description = "";
        private int attempt = 1;
        private boolean ended;
        private Duration took = Duration.ZERO;
        private @Nullable VolumeException failure;

        private Builder(Action action, VolumeId volume) {
            this.action = action;
            this.volume = volume;
        }

        public Builder action(Action value) {
            action = value;
            return this;
        }

        public Builder volume(VolumeId value) {
            volume = value;
            return this;
        }

        public Builder podUid(String value) {
            podUid = value;
            return this;
        }

        public Builder description(String value) {
            description = value;
            return this;
        }

        public Builder attempt(int value) {
            attempt = value;
            return this;
        }

        public Builder ended(boolean value) {
            ended = value;
            return this;
        }

        public Builder took(Duration value) {
            took = value;
            return this;
        }

        public Builder failure(@Nullable VolumeException value) {
            failure = value;
            return this;
        }

        public VolumeTransition build() {
            return new VolumeTransition(action, volume, podUid, description, attempt, ended, took, failure);
        }
    }
}
