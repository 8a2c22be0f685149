package io.volume4j.core.control;

/**
 * Expands the volumes of one plugin and changes their attributes, in its own process or together with other
 * controllers. It communicates with the binding controller and the nodes (of volume4j or of Kubernetes) only by the
 * cluster's objects. Before it acts, it writes its intent to the claim's {@code status.allocatedResources} and
 * {@code status.modifyVolumeStatus}. Afterwards it writes there what the nodes must do next.
 *
 * <p>A crash at any point loses nothing: after the next start the resizer requests the same size or class again,
 * until the outcome is certain. Run one resizer for each plugin, or give all of them one
 * {@link io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ExternalResizer extends Controller {
    /** A builder for a resizer. */
    static ExternalResizerBuilder builder() {
        return new ExternalResizerBuilder();
    }
}
