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
 * @param attempt the number of the try, from 1, since the step last succeeded
 * @param ended true if the step ended, false if it began
 * @param took the time since the step began, with the write of its intent; zero when it begins
 * @param failure why it failed, null if it did not
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
    /** The kind of step. */
    public enum Action {
        ATTACH,
        /** The node verifies with the cluster's store that the control plane attached the volume. */
        CONFIRM_ATTACHED,
        /**
         * The format within {@link #MOUNT_DEVICE}. It has its own action because it takes long and happens once in a
         * volume's life.
         */
        FORMAT,
        MOUNT_DEVICE,
        MOUNT,
        /** The node applies the pod's {@code fsGroup} to the mounted files. */
        APPLY_FS_GROUP,
        /** The node mounts the files with the IDs that the pod's users have on this machine. */
        MAP_IDS,
        /** The node makes the bind mounts of the containers' {@code subPath}s. */
        BIND_SUBPATHS,
        REMOUNT,
        EXPAND,
        /** The node writes the size of the volume, or that it cannot expand, to the claim's status. */
        TELL_SIZE,
        UNMOUNT,
        UNMOUNT_DEVICE,
        DETACH,
        /** No part of the volume is left on this node. The step ends at once. */
        FORGET
    }

    /** A builder for the beginning of a first try that concerns the volume itself. */
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
