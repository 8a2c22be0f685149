package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches and detaches volumes of one driver as VolumeAttachments ask for it, apart from the controller that stores and
 * deletes these: for hosts whose drivers run in a process of their own. It keeps each VolumeAttachment, and its
 * PersistentVolume, by the finalizer {@code external-attacher/<driver>} before it asks the driver for anything, writes
 * {@code status.attached}, {@code attachmentMetadata}, {@code attachError} and {@code detachError}, and lets a deleted
 * VolumeAttachment go only after the driver has detached.
 *
 * <p>Thread-safe. The controller must know of it: {@link AttachDetachControllerBuilder#externalAttacher}. Attachments that a
 * controller carries out itself are left alone. It explains VolumeAttachments only; its reconciler also looks at PersistentVolumes that
 * go.
 *
 * @since 0.1.0
 */
public interface ExternalAttacher extends Controller {
    /**
     * Begins an attacher; see the builder for what it needs.
     *
     * @param driver the {@code spec.attacher} of its VolumeAttachments and the name of the plugin that does it
     */
    static ExternalAttacherBuilder builder(String driver) {
        return new ExternalAttacherBuilder(driver);
    }

    /** Why the VolumeAttachment of that name is as it is. */
    CompletableFuture<Explanation> explain(String attachment);
}
