package io.volume4j.core.control;

/**
 * The life of snapshots: binds {@code VolumeSnapshot}s to their contents, has plugins cut them, watches them until they are ready, keeps
 * claims and snapshots that are still needed, and destroys what the deletion policy says. What Kubernetes divides into a common
 * controller and a sidecar for each driver is one here; both meet it only in the cluster's objects, so it also runs beside either.
 *
 * <p>Beside a {@link PersistentVolumeController} of the same process it is easier to have that one do it, see {@link
 * PersistentVolumeControllerBuilder#takesSnapshots()}. Claims are restored by that controller in any case.
 *
 * <p>A crash at any point loses nothing: what may be being cut stands in the content before the backend is called, and the next start
 * makes the same call again until it is sure what came of it. Run one, or give all of them one {@link
 * io.volume4j.spi.host.LeaderEpoch}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SnapshotController extends Controller {
    /** Begins a controller; see the builder for what it needs. */
    static SnapshotControllerBuilder builder() {
        return new SnapshotControllerBuilder();
    }
}
