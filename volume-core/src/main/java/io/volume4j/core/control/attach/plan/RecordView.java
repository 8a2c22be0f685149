package io.volume4j.core.control.attach.plan;

/**
 * A VolumeAttachment, or a volume's object that is kept for its sake, as far as carrying it out is concerned.
 *
 * @param record name of the object
 * @param volume the text of the volume's id
 * @param ours whether this process holds the record: our finalizer is there and our generation
 * @param held whether our finalizer is there
 * @param attached as the status says
 * @param lost whether the backend has since said that it is not attached
 * @param answered whether an attach call of this process succeeded and is not recorded yet
 * @param reserved whether the volume's object is reserved for the record, or need not be
 * @param left whether a controller carried it out before in whose place this process was put
 * @param detached whether a detach call of this process succeeded
 * @param mayAttach why it must not be attached now, {@code ""} if it may
 * @param mayDetach why it must not be detached now, {@code ""} if it may
 * @param mayDetachAt loop time at which that may change by itself, {@code Long.MAX_VALUE} if only events change it
 * @param error of the last failed call that the record does not show yet, {@code ""} for none
 * @param settledAt loop time before which an earlier call without an answer may still take effect
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
    /** What it is about. */
    public enum Subject {
        ATTACHMENT,
        /** A PersistentVolume that is being deleted, and of which no attachment is left. */
        FREED_VOLUME
    }

    /** Of a PersistentVolume that may go. */
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
