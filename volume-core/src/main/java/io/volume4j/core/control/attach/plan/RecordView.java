package io.volume4j.core.control.attach.plan;

/**
 * The facts for carrying out a VolumeAttachment, or for releasing a volume's object that attachments no longer need.
 *
 * @param record name of the object
 * @param volume the text of the volume's id
 * @param ours whether this process holds the record: it has our finalizer and our generation
 * @param held whether our finalizer is there
 * @param attached from the status
 * @param lost whether the backend has since reported that it is not attached
 * @param answered whether an attach call of this process succeeded and is not recorded yet
 * @param reserved whether the volume's object is reserved for the record, or need not be
 * @param left whether another controller, which this process replaced, carried the record out before
 * @param detached whether a detach call of this process succeeded
 * @param mayAttach why it must not be attached now, {@code ""} if it may
 * @param mayDetach why it must not be detached now, {@code ""} if it may
 * @param mayDetachAt loop time at which that may change by itself, {@code Long.MAX_VALUE} if only events change it
 * @param error of the last failed call that the record does not show yet, {@code ""} for none
 * @param settledAt loop time before which an earlier call without an answer may still take effect; only an attach call if the record
 *     is being deleted, because a detach may be repeated
 */
public record RecordView(
        Subject subject,
        String record,
        String uid,
        String revision,
        String volume,
        String node,
        boolean oneNodeOnly,
        boolean ours,
        boolean held,
        boolean attached,
        boolean deleting,
        boolean lost,
        boolean answered,
        boolean reserved,
        boolean left,
        boolean detached,
        String mayAttach,
        String mayDetach,
        long mayDetachAt,
        String error,
        long settledAt,
        long now) {
    /** The kind of object. */
    public enum Subject {
        ATTACHMENT,
        /** A PersistentVolume that is being deleted and has no attachment any more. */
        FREED_VOLUME
    }

    /** The view of a PersistentVolume whose finalizer can be removed. */
    public static RecordView freedVolume(String name, String uid, String revision, String volume, long now) {
        return new RecordView(
                Subject.FREED_VOLUME,
                name,
                uid,
                revision,
                volume,
                "",
                true,
                true,
                true,
                false,
                true,
                false,
                false,
                true,
                false,
                true,
                "",
                "",
                Long.MAX_VALUE,
                "",
                Long.MIN_VALUE,
                now);
    }
}
