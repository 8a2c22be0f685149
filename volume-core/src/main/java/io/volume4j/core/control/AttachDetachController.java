package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.ObjectKey;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches volumes to the nodes whose pods want them, and detaches them when no pod on the node wants them any more.
 * It serves nodes with the annotation {@code volumes.kubernetes.io/controller-managed-attach-detach: "true"}. The
 * controller reads, watches and writes the objects in the host's cluster; the host need not report changes.
 *
 * <p>Thread-safe. Several controllers may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one
 * of them works and the others stand by. A volume that only one node may have is never granted to two nodes, even
 * without a leader: the cluster stores only one VolumeAttachment of it, or reserves the volume for one node.
 *
 * @since 0.1.0
 */
public interface AttachDetachController extends Controller {
    /** A builder for a controller. */
    static AttachDetachControllerBuilder builder() {
        return new AttachDetachControllerBuilder();
    }

    /**
     * Gives the controller evidence that a node can no longer reach its volumes. Until the node is ready again, the
     * controller then detaches volumes that no pod wants there, without waiting for the node to release them. It
     * reports each such detach as an event and counts it. Completes with true if the controller accepted the
     * evidence, and with false if this process does not lead or does not know the node.
     */
    CompletableFuture<Boolean> fence(Fence fence);

    /**
     * Explains the state of a volume or a node: current steps, next steps, reasons for waiting, and the last errors.
     * @param object a PersistentVolume or a Node; the {@code reconcile} of its {@link #reconciler()} also accepts VolumeAttachments
     * @throws IllegalArgumentException for another kind of object
     */
    @Override
    CompletableFuture<Explanation> explain(ObjectKey object);

    /** The same for a volume, which need not have a PersistentVolume object. */
    CompletableFuture<Explanation> explain(VolumeId volume);

    /**
     * The volumes that pods want attached to nodes.
     *
     * @since 0.1.0
     */
    AttachDesiredStateOfWorld desiredState();

    /**
     * The volumes that are, or may be, attached to nodes.
     *
     * @since 0.1.0
     */
    AttachActualStateOfWorld actualState();
}
