package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches and detaches the volumes of one driver as VolumeAttachments request. Another controller, possibly in
 * another process, stores and deletes the VolumeAttachments. Before it calls the driver, the attacher adds the
 * finalizer {@code external-attacher/<driver>} to the VolumeAttachment and its PersistentVolume. It writes
 * {@code status.attached}, {@code attachmentMetadata}, {@code attachError} and {@code detachError}. It removes the
 * finalizer of a deleted VolumeAttachment only after the driver has detached the volume.
 *
 * <p>Thread-safe. Configure the controller for it with {@link AttachDetachControllerBuilder#externalAttacher}. The
 * attacher ignores VolumeAttachments that a controller executes itself. It explains VolumeAttachments only; its
 * reconciler also handles PersistentVolumes that are being deleted.
 *
 * @since 0.1.0
 */
public interface ExternalAttacher extends Controller {
    /**
     * A builder for an attacher.
     * @param driver the {@code spec.attacher} of its VolumeAttachments, which is also the name of the plugin that
     *     attaches
     */
    static ExternalAttacherBuilder builder(String driver) {
        return new ExternalAttacherBuilder(driver);
    }

    /** Explains the state of the VolumeAttachment with that name. */
    CompletableFuture<Explanation> explain(String attachment);
}
