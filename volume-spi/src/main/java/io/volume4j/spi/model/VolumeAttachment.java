package io.volume4j.spi.model;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The intent that a volume be attached to a node, and how far that is.
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
     * What is to be attached where.
     *
     * @param attacher the driver that does it
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

        /** Of a volume that has an object. */
        public static Spec ofVolume(String attacher, String nodeName, String persistentVolumeName) {
            return new Spec(attacher, nodeName, persistentVolumeName, null);
        }

        /** Of a volume that only a pod names. */
        public static Spec ofInline(String attacher, String nodeName, PersistentVolume.Spec volume) {
            return new Spec(attacher, nodeName, "", volume);
        }

        /** The source of the volume that only a pod names, null if the volume has an object. */
        public @Nullable VolumeSource inlineSource() {
            return inlineVolumeSpec == null ? null : inlineVolumeSpec.source();
        }
    }

    /** How far it is; the errors are those of the last attempts, null after a success. */
    public record Status(
            boolean attached,
            Map<String, String> attachmentMetadata,
            @Nullable Failure attachError,
            @Nullable Failure detachError) {
        public Status {
            attachmentMetadata = Copies.map(attachmentMetadata);
        }

        /** Whether attaching was refused for want of room, and has not succeeded since. */
        public boolean refusedForRoom() {
            return !attached && attachError != null && attachError.exhausted();
        }
    }

    /**
     * Why an attempt failed.
     *
     * @param time when, as in RFC 3339
     * @param errorCode the status code of gRPC that stands for the failure, 0 if it is not known. {@link #RESOURCE_EXHAUSTED} says that
     *     the node has as many volumes of the driver as it can: its agent asks the driver for the limit again, and pods with further
     *     volumes of the driver are not for this node
     */
    public record Failure(String time, String message, int errorCode) {
        /** The code of gRPC for a limit that is reached. */
        public static final int RESOURCE_EXHAUSTED = 8;

        public Failure {
            time = Copies.text(time);
            message = Copies.text(message);
        }

        /** Without a code. */
        public Failure(String time, String message) {
            this(time, message, 0);
        }

        /** Whether the driver refused for want of room, for example because the node has as many volumes as it can. */
        public boolean exhausted() {
            return errorCode == RESOURCE_EXHAUSTED;
        }
    }
}
