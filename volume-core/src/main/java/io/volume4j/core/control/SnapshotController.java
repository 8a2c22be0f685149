package io.volume4j.core.control;

/**
 * Manages snapshots. It binds {@code VolumeSnapshot}s to their contents, creates snapshots with plugins, and watches
 * them until they are ready. It protects claims and snapshots that are in use, and deletes snapshots as their
 * deletion policy says. Kubernetes divides this work between a common controller and a sidecar for each driver. This
 * controller does both. It communicates only by the cluster's objects, so it can also run together with one of these
 * two programs.
 *
 * <p>If the same process has a {@link PersistentVolumeController}, that controller can do this work, see
 * {@link PersistentVolumeControllerBuilder#takesSnapshots()}. It also creates claims' volumes from snapshots; this
 * controller does not.
 *
 * <p>A crash at any point loses nothing: before the controller calls the backend, it writes its intent to the
 * content. After the next start it repeats the same call until the outcome is certain. Run one controller, or give
 * all of them one {@link io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SnapshotController extends Controller {
    /** A builder for a controller. */
    static SnapshotControllerBuilder builder() {
        return new SnapshotControllerBuilder();
    }
}
