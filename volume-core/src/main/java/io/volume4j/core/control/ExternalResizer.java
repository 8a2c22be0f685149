package io.volume4j.core.control;

/**
 * Expands the volumes of one plugin and changes their attributes, in a process of its own or beside other controllers. It
 * meets the binding controller and the nodes, ours or Kubernetes' own, only in the cluster's objects: what it is about to do
 * stands in the claim's {@code status.allocatedResources} and {@code status.modifyVolumeStatus} before it does it, and what
 * nodes are to do next stands there afterwards.
 *
 * <p>A crash at any point loses nothing: the next start asks for the same size, or the same class, until it is sure what came of
 * it. Run one of them for a plugin, or give all of them one {@link io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ExternalResizer extends Controller {
    /** Begins a resizer; see the builder for what it needs. */
    static ExternalResizerBuilder builder() {
        return new ExternalResizerBuilder();
    }
}
