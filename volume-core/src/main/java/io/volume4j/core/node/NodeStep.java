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
 * A step of the node planner. A step on the volume itself needs the volume exclusively. Unmounts for different pods
 * may run at the same time, but exclude every other step on the volume.
 *
 * @param podUid {@code ""} for steps that concern the volume itself
 * @param name the volume's, for people
 * @param pod its namespace and name, for people; {@code ""} for steps that concern the volume itself
 */
public record NodeStep(Kind kind, VolumeId volume, String podUid, String name, String pod) implements Step {
    /** A step that concerns the volume itself. */
    public static NodeStep ofVolume(Kind kind, VolumeId volume, String name) {
        return new NodeStep(kind, volume, "", name, "");
    }

    /** The kinds of steps, with the words for them. */
    public enum Kind {
        ATTACH("attach", "volume_attach", NodeReason.ATTACHED, NodeReason.FAILED_ATTACH),
        /** The control plane says that the volume is attached: verify it with the store, and read the device path. */
        CONFIRM_ATTACHED("confirm attachment of", "verify_controller_attached_volume", "", NodeReason.FAILED_ATTACH),
        MOUNT_DEVICE("mount device of", "mount_device", "", NodeReason.FAILED_MOUNT),
        MOUNT("mount", "volume_mount", "", NodeReason.FAILED_MOUNT),
        /** Apply the pod's fsGroup to the mounted files. */
        APPLY_FS_GROUP("apply fsGroup to", "volume_apply_access_control", "", NodeReason.FAILED_MOUNT),
        /** Mount the files with the IDs that the pod's users have on this machine. */
        MAP_IDS("map the IDs of", "volume_map_ids", "", NodeReason.FAILED_MOUNT),
        /** Make the bind mounts of the containers' subPaths. */
        BIND_SUBPATHS("bind subPaths of", "volume_bind_subpaths", "", NodeReason.FAILED_MOUNT),
        /** Set a mounted volume up again, because its content may have changed. */
        REMOUNT("remount", "volume_remount", "", NodeReason.FAILED_MOUNT),
        /** Expand the volume on this node to its new size. */
        EXPAND("expand", "volume_fs_resize", NodeReason.EXPANDED, NodeReason.FAILED_EXPANSION),
        /** Write the volume's size to the claim's status. */
        TELL_SIZE("report the size of", "tell_size", "", ""),
        UNMOUNT("unmount", "volume_unmount", "", ""),
        UNMOUNT_DEVICE("unmount device of", "unmount_device", "", ""),
        DETACH("detach", "volume_detach", "", ""),
        /** Forget a volume of which nothing is left on this node, or that the control plane will detach. */
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

        /** The name of the operation in metrics; for raw devices the name contains "map" instead of "mount". */
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
            return raw && failure.equals(NodeReason.FAILED_MOUNT) ? NodeReason.FAILED_MAP : failure;
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
     * False for a remount, which changes nothing that a restart must know, and for verifications and reports, which
     * have no effects on the machine. Also false for steps after a mount: before they begin, the journal already says
     * that the mount waits for its group, IDs or subPaths.
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

    /** True for a walk over many files, which the node cancels when no pod wants the volume any more. */
    @Override
    public boolean cancelledWhenUnwanted() {
        return kind == Kind.APPLY_FS_GROUP;
    }

    /** True only for steps that set up. A step that tears down would soon be wanted again. */
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
        String forPod = pod.isEmpty() ? "" : (kind == Kind.UNMOUNT ? " from pod " : " for pod ") + pod;
        return kind.words + " volume " + name + forPod;
    }
}
