package io.volume4j.core.node;

import static io.volume4j.core.engine.ConflictKey.Scope.OBJECT;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME_CONTENT;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME_POD;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import io.volume4j.spi.VolumeId;
import java.util.List;

/**
 * What the node planner may want done. Whatever touches the volume itself needs it exclusively; unmounts for different
 * pods go side by side, and exclude everything else on the volume.
 *
 * @param podUid {@code ""} for steps that concern the volume itself
 * @param subject the volume and the pod, for people
 */
public record NodeStep(Kind kind, VolumeId volume, String podUid, String subject) implements Step {
    /** The kinds of steps, with the words for them. */
    public enum Kind {
        ATTACH("attach", "volume_attach", "SuccessfulAttachVolume", "FailedAttachVolume"),
        /** The control plane says that it is attached: ask the store itself, and how the device is reached. */
        CONFIRM_ATTACHED("confirm attachment of", "verify_controller_attached_volume", "", "FailedAttachVolume"),
        MOUNT_DEVICE("mount device of", "mount_device", "", "FailedMount"),
        MOUNT("mount", "volume_mount", "", "FailedMount"),
        /** Give what is mounted to the pod's group. */
        APPLY_FS_GROUP("give to its group", "volume_apply_access_control", "", "FailedMount"),
        /** Show what is mounted with the IDs that the pod's users have on this machine. */
        MAP_IDS("map the IDs of", "volume_map_ids", "", "FailedMount"),
        /** Bind the parts of the volume that single containers see. */
        BIND_SUBPATHS("bind subPaths of", "volume_bind_subpaths", "", "FailedMount"),
        /** Set up again what is mounted, because its content may have changed. */
        REMOUNT("remount", "volume_remount", "", "FailedMount"),
        /** Make what this node sees of the volume as large as the volume has become. */
        EXPAND("expand", "volume_fs_resize", "FileSystemResizeSuccessful", "VolumeResizeFailed"),
        /** Write to the claim's status what is known of the volume's size. */
        TELL_SIZE("tell the size of", "tell_size", "", ""),
        UNMOUNT("unmount", "volume_unmount", "", ""),
        UNMOUNT_DEVICE("unmount device of", "unmount_device", "", ""),
        DETACH("detach", "volume_detach", "", ""),
        /** Forget a volume of which nothing is here any more, or of which the control plane does the rest. */
        FORGET("forget", "forget_volume", "", "");

        private final String words;
        private final String operation;
        private final String success;
        private final String failure;

        /**
         * A kind.
         *
         * @param operation its name in metrics, for volumes of files
         * @param success reason of the event for its success, {@code ""} for none
         * @param failure reason of the event for its failure, for volumes of files; {@code ""} for none
         */
        Kind(String words, String operation, String success, String failure) {
            this.words = words;
            this.operation = operation;
            this.success = success;
            this.failure = failure;
        }

        /** Its name in metrics; raw devices are mapped where files are mounted. */
        public String operation(boolean raw) {
            if (!raw) {
                return operation;
            }
            return switch (this) {
                case MOUNT_DEVICE -> "map_device";
                case MOUNT -> "map_volume";
                case UNMOUNT -> "unmap_volume";
                case UNMOUNT_DEVICE -> "unmap_device";
                default -> operation;
            };
        }

        public String success() {
            return success;
        }

        public String failure(boolean raw) {
            return raw && failure.equals("FailedMount") ? "FailedMapVolume" : failure;
        }
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        return switch (kind) {
            case TELL_SIZE -> List.of(ConflictKey.exclusive(OBJECT, volume));
            case APPLY_FS_GROUP ->
                List.of(
                        ConflictKey.shared(VOLUME, volume),
                        ConflictKey.exclusive(VOLUME_POD, volume, podUid),
                        ConflictKey.exclusive(VOLUME_CONTENT, volume));
            case UNMOUNT, MAP_IDS, BIND_SUBPATHS ->
                List.of(ConflictKey.shared(VOLUME, volume), ConflictKey.exclusive(VOLUME_POD, volume, podUid));
            default -> List.of(ConflictKey.exclusive(VOLUME, volume));
        };
    }

    @Override
    public boolean internal() {
        return kind == Kind.FORGET;
    }

    /**
     * A remount changes nothing that a restart must know, and a look or a report has no effects here. The journal says that a mount
     * waits for its group, its IDs or its subPaths before such a step begins, and views and subPaths are found by their places.
     */
    @Override
    public boolean needsIntent() {
        return switch (kind) {
            case REMOUNT, CONFIRM_ATTACHED, TELL_SIZE, APPLY_FS_GROUP, MAP_IDS, BIND_SUBPATHS -> false;
            default -> !internal();
        };
    }

    @Override
    public boolean progress() {
        return kind != Kind.TELL_SIZE;
    }

    /** The node cancels a walk over many files when no pod wants the volume any more. */
    @Override
    public boolean cancelledWhenUnwanted() {
        return kind == Kind.APPLY_FS_GROUP;
    }

    /** Only what sets up: what takes down is wanted again soon, and what it takes down is in doubt or there. */
    @Override
    public boolean withdrawnWhenUnwanted() {
        return switch (kind) {
            case ATTACH, MOUNT_DEVICE, MOUNT -> true;
            default -> false;
        };
    }

    @Override
    public String retryKey() {
        return podUid.isEmpty() ? kind.name() : kind.name() + " " + podUid;
    }

    @Override
    public String describe() {
        return kind.words + " " + subject;
    }
}
