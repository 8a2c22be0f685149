package io.volume4j.spi.model;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The intent to attach a volume to a node, with the state of the attachment.
 *
 * @since 0.1.0
 */
public record VolumeAttachment(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public VolumeAttachment {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? new Status(false, Map.of(), null, null) : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_ATTACHMENT;
    }

    /**
     * The volume to attach, and the node.
     * @param attacher the driver that attaches the volume
     * @param persistentVolumeName {@code ""} for a pod's inline volume, which {@code inlineVolumeSpec} then describes
     */
    public record Spec(
            String attacher,
            String nodeName,
            String persistentVolumeName,
            PersistentVolume.@Nullable Spec inlineVolumeSpec) {
        public Spec {
            attacher = Copies.text(attacher);
            nodeName = Copies.text(nodeName);
            persistentVolumeName = Copies.text(persistentVolumeName);
        }

        /** An attachment of a volume that has a PersistentVolume object. */
        public static Spec ofVolume(String attacher, String nodeName, String persistentVolumeName) {
            return new Spec(attacher, nodeName, persistentVolumeName, null);
        }

        /** An attachment of a pod's inline volume. */
        public static Spec ofInline(String attacher, String nodeName, PersistentVolume.Spec volume) {
            return new Spec(attacher, nodeName, "", volume);
        }

        /** The source of the pod's inline volume, null if the volume has a PersistentVolume object. */
        public @Nullable VolumeSource inlineSource() {
            return inlineVolumeSpec == null ? null : inlineVolumeSpec.source();
        }
    }

    /** The state of the attachment. The errors are those of the last attempts, null after a success. */
    public record Status(
            boolean attached,
            Map<String, String> attachmentMetadata,
            @Nullable Failure attachError,
            @Nullable Failure detachError) {
        public Status {
            attachmentMetadata = Copies.map(attachmentMetadata);
        }

        /**
         * Whether the driver refused the last attempt to attach because a limit is reached, and has not attached the
         * volume since.
         */
        public boolean refusedForRoom() {
            return !attached && attachError != null && attachError.exhausted();
        }
    }

    /**
     * Why an attempt failed.
     *
     * @param time the time, in RFC 3339
     * @param errorCode the gRPC status code of the failure, 0 if unknown. {@link #RESOURCE_EXHAUSTED} means that the
     *     node has as many volumes of the driver as it can. The node's agent then asks the driver for the limit again,
     *     and the scheduler gives the node no further pods with volumes of the driver
     */
    public record Failure(String time, String message, int errorCode) {
        /** The gRPC status code for a reached limit. */
        public static final int RESOURCE_EXHAUSTED = 8;

        public Failure {
            time = Copies.text(time);
            message = Copies.text(message);
        }

        /** A failure without a code. */
        public Failure(String time, String message) {
            this(time, message, 0);
        }

        /**
         * Whether the driver refused because a limit is reached, for example the maximum number of volumes of the
         * node.
         */
        public boolean exhausted() {
            return errorCode == RESOURCE_EXHAUSTED;
        }
    }
}
