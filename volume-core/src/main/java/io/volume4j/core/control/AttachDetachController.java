package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.ObjectKey;
import java.util.concurrent.CompletableFuture;

/**
 * Attaches volumes to the nodes whose pods want them and detaches them again, for nodes that say so with the annotation
 * {@code volumes.kubernetes.io/controller-managed-attach-detach: "true"}. Everything is read from and written to the host's
 * cluster; nothing has to be called when objects change.
 *
 * <p>Thread-safe. Several may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one of them works and
 * the others stand by. A volume that one node may have is granted to one, whatever the others do: the cluster stores only
 * one VolumeAttachment of it, or reserves the volume for one.
 *
 * @since 0.1.0
 */
public interface AttachDetachController extends Controller {
    /** Begins a controller; see the builder for what it needs. */
    static AttachDetachControllerBuilder builder() {
        return new AttachDetachControllerBuilder();
    }

    /**
     * Gives evidence that a node is cut off from its volumes: those that no pod wants there are taken away without the
     * node's word, until it is ready again. Each is told as an event and counted. Completes with whether that was taken
     * over: false if this process does not lead or knows of no such node.
     */
    CompletableFuture<Boolean> fence(Fence fence);

    /**
     * Why a volume or a node is as it is: what is done, what comes next, what is waited for, the last errors.
     *
     * @param object a PersistentVolume or a Node; {@link #reconciler()} looks at VolumeAttachments, too
     * @throws IllegalArgumentException for another kind of object
     */
    @Override
    CompletableFuture<Explanation> explain(ObjectKey object);

    /** The same for a volume of which there may be no object. */
    CompletableFuture<Explanation> explain(VolumeId volume);

    /**
     * What pods want attached to which nodes.
     *
     * @since 0.1.0
     */
    AttachDesiredStateOfWorld desiredState();

    /**
     * What is, or may be, attached to which nodes.
     *
     * @since 0.1.0
     */
    AttachActualStateOfWorld actualState();
}
