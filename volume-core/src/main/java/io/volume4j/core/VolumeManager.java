package io.volume4j.core;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.HealthReporter.StorageHealth;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Reconciles the volumes of one machine with the volumes that its pods want, as long as it runs. The manager reads
 * and watches pods, claims and volumes in the host's {@link io.volume4j.spi.host.ClusterSource}; the host need not
 * report changes. A host without such objects states its wishes with {@link #desiredState()}. A host may use both.
 *
 * <p>All futures complete on the manager's event loop, which serves all volumes of the machine. Code that depends on
 * a future must not block. Code that blocks must use {@code thenApplyAsync} or a similar method, with its own
 * threads.
 *
 * <p>Thread-safe. Each root directory can have one manager: a second one, also in another process, refuses to start.
 * Closing leaves every mount as it is; the next start finds the mounts again.
 *
 * <p>{@link #builder()} makes the working implementation. A unit test of a host may implement or mock this interface.
 * Methods that later versions add have a default implementation.
 *
 * @since 0.1.0
 */
public interface VolumeManager extends AutoCloseable {
    /** A builder for a manager. Its documentation lists what a manager needs. */
    static VolumeManagerBuilder builder() {
        return new VolumeManagerBuilder();
    }

    /**
     * Reconstructs the state that an earlier run left, and begins to reconcile. Returns after the reconstruction, and
     * blocks for the disk and the mount table until then.
     *
     * <p>Call it once. The host may repeat a start that failed. It cannot start a manager that runs or was closed.
     *
     * @throws VolumeException if the manager cannot read the journal or the machine; the advice says what to do. Also
     *     if the manager is closed during the start
     * @throws IllegalStateException if it was started or closed before
     */
    void start();

    /**
     * For a node with a fixed set of pods. Starts, mounts the volumes of the pods that the cluster assigns to the
     * node now, then stops and leaves the mounts. The manager cannot be used afterwards.
     *
     * @param timeout the time limit for start and mounts together. It does not interrupt the start. The call then also
     *     waits for the close, at most for {@link VolumeManagerBuilder#closeTimeout}
     * @return the pods by their UIDs
     * @throws IllegalStateException if the manager was started or closed before. One that runs continues to run
     * @throws VolumeException if a pod's volumes could not be mounted, or not in time. The message says what each such
     *     pod lacks. Volumes that are mounted stay mounted
     */
    Map<String, MountedPod> runOnce(Duration timeout);

    /**
     * Completes when all volumes that the pod's containers use are mounted. The result says where they are. Fails
     * with a {@link VolumeException} after an error that does not resolve without a person, and if the pod has ended
     * or is deleted. After all other errors the future stays open, because the manager retries. The pod may be
     * unknown, and the manager not started, when this is called. Cancelling the future has no effect on the volumes.
     */
    CompletableFuture<MountedPod> whenMounted(String podUid);

    /**
     * The same as {@link #whenMounted}, but blocks for at most the timeout. With {@link Duration#ZERO} it asks the event
     * loop once: it returns if the volumes are mounted, and fails if not. The manager continues to reconcile after the
     * timeout.
     *
     * @throws VolumeException the failure of the future; after the timeout an uncertain failure with the
     *     {@linkplain #explainPod explanation} of what is missing
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if it is called on the event loop, for example by a listener
     */
    MountedPod awaitMounted(String podUid, Duration timeout);

    /** The current state of the pod: its volumes that are certainly mounted, and their paths for each container. */
    CompletableFuture<MountedPod> mountedVolumes(String podUid);

    /**
     * How full the pod's volumes are, in the order of the pod. A volume has figures if it is certainly mounted and
     * its plugin reports them; otherwise it has the reason why not. This call asks the plugins now. It completes when
     * every plugin has answered or {@linkplain VolumeManagerBuilder#statsDeadline its time} is over. A volume whose
     * storage hangs gets a failure, and delays neither other volumes nor its own unmount. Concurrent questions about
     * one volume share one answer. Volumes that could not be resolved are missing. The list is empty for an unknown
     * pod.
     */
    CompletableFuture<List<VolumeUsage>> stats(String podUid);

    /**
     * The health of the storage of all volumes of a plugin, as this node sees it, for example fewer paths or none.
     * This call asks the plugin now, with the limit of {@link VolumeManagerBuilder#statsDeadline}. Concurrent calls
     * share one answer. The manager makes no decision from it. The health of one volume comes with its
     * {@linkplain #stats figures}.
     *
     * @param plugin the name of the plugin, for example of a CSI driver
     * @return {@link StorageHealth#notReported()} if the plugin cannot report. Fails with a {@link VolumeException} if
     *     the manager could not ask the plugin; the previous report then stays valid
     */
    CompletableFuture<StorageHealth> storageHealth(String plugin);

    /**
     * The supplemental groups that the pod's processes need for its volumes, without those in the pod's own manifest.
     * They are the numbers in the annotation {@code pv.beta.kubernetes.io/gid} of its PersistentVolumes.
     */
    CompletableFuture<List<Long>> supplementalGroups(String podUid);

    /**
     * Completes when the pod wants no volume and certainly no volume is mounted for it. Fails before {@link #start()}
     * has returned, as {@link #whenEmpty()} does.
     */
    CompletableFuture<String> whenUnmounted(String podUid);

    /**
     * The same as {@link #whenUnmounted}, but blocks for at most the timeout.
     * @throws VolumeException as {@link #awaitMounted}
     * @throws IllegalStateException as {@link #awaitMounted}
     */
    void awaitUnmounted(String podUid, Duration timeout);

    /**
     * Completes when certainly no volume is attached or mounted on this node. Fails with a transient
     * {@link VolumeException} while the state is unknown: before {@link #start()} has returned, and after a start
     * that failed. All queries of the actual state fail in this way, because an unknown state is not an empty state.
     * The exception says why, and what to do.
     */
    CompletableFuture<Boolean> whenEmpty();

    /**
     * Fences this node by itself. For a node that cannot reach the cluster, so that a controller may soon treat it as
     * dead. The manager unmounts all volumes that a controller attached to this node, and mounts none of them again,
     * whatever their pods want. It needs neither the cluster nor its objects. The future completes when certainly
     * none of these volumes is mounted. If a plugin fails, or a process still uses a volume, the manager retries.
     * Fencing is final for this manager. When the node may have its volumes again, close this manager and start
     * another one, which then requests each volume again.
     *
     * <p>The host must stop the containers that use the volumes before it calls this. With a
     * {@linkplain VolumeManagerBuilder#podRuntime pod runtime}, a pod keeps its volumes until the runtime says that
     * its containers have stopped. Without one, this call means that the containers of all pods have stopped. Volumes
     * that the node itself attached stay mounted, and so do volumes that no controller attaches, such as directories
     * of the node.
     *
     * @return fails as {@link #whenEmpty()} does before {@link #start()} has returned
     * @throws IllegalStateException in {@code AttachMode.SELF}: no controller gives such a node's volumes to another
     *     node
     * @since 0.1.0
     */
    default CompletableFuture<Boolean> fence() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("this manager cannot fence itself"));
    }

    /**
     * Explains the state of the pod's volumes: current steps, next steps, reasons for waiting, and the last errors.
     */
    CompletableFuture<Explanation> explainPod(String podUid);

    /** The same for a pod by its name. The explanation is "not known" if no pod of this node has that name. */
    CompletableFuture<Explanation> explainPod(String namespace, String name);

    /** Explains the state of the volume on this node. */
    CompletableFuture<Explanation> explainVolume(VolumeId volume);

    /** Whether the volume is certainly attached to this node. False while the attachment is uncertain. */
    CompletableFuture<Boolean> isAttached(VolumeId volume);

    /**
     * The volumes that the control plane must not detach from this node, sorted: the attachable volumes that pods
     * want, and all volumes that are or may be attached.
     */
    CompletableFuture<List<VolumeId>> volumesInUse();

    /**
     * Registers a listener for {@link #volumesInUse()}, for hosts that write the node's status themselves. The
     * manager calls it as soon as the list is known (at once if {@link #start()} has returned), and after each
     * change, until the host closes the subscription. It calls the listener on the event loop; the listener must not
     * block. The manager logs what the listener throws.
     */
    Subscription listenVolumesInUse(Consumer<List<VolumeId>> listener);

    /**
     * For a host without a {@linkplain VolumeManagerBuilder#clusterWriter cluster writer} that writes
     * {@code status.volumesInUse} of its node itself. The host says here which volumes it has written. Each call
     * replaces the list of the previous call. In the status the host must write each volume with the name from
     * {@link NodeVolumeNames#of}. With {@code AttachMode.CONTROLLER} the node uses an attachment only while the
     * volume is in this list and in the status of the node's object. Before the host removes a volume from the
     * status, it must call this method without the volume, so that the manager does not mount while the status
     * changes. If the host never calls this method, only the node's status counts.
     *
     *
     * @return completes when the manager uses the new list
     * @throws IllegalStateException if there is a cluster writer: then the manager writes the status itself
     */
    CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes);

    /**
     * Whether both worlds are complete: the manager has reconstructed the state of an earlier run, and knows the
     * node's object and all its pods. It becomes false while the manager cannot list the cluster.
     */
    CompletableFuture<Boolean> statesSynced();

    /**
     * Whether the node works, for liveness and readiness probes. Live: the event loop answers within
     * {@link Health#PATIENCE}. Ready: the reconstruction is done and
     * {@linkplain #statesSynced() both worlds are complete}. Blocks for at most {@link Health#PATIENCE}; on the event
     * loop it answers at once.
     *
     * @since 0.1.0
     */
    Health health();

    /**
     * The steps for each volume whose actual state differs from the desired state, in their order, on the assumption
     * that all calls succeed and nothing else changes. With {@link VolumeManagerBuilder#dryRun()} the manager only
     * plans and takes no step.
     */
    CompletableFuture<List<VolumePlan>> plan();

    /**
     * The same for one volume. Without steps and waits if the volume is in its desired state or unknown.
     *
     * @since 0.1.0
     */
    CompletableFuture<VolumePlan> plan(VolumeId volume);

    /**
     * These volumes in both worlds, at one moment, in the given order. A volume that is in neither world has neither
     * part. Uses the event loop for a time proportional to the number of volumes: about one pass of the reconciler
     * for each. For hosts that show volumes while they change: {@link VolumeManagerBuilder#instrumentation} reports
     * which volumes the reconciler examined, and this method reads a few of them at a time.
     *
     * @since 0.1.0
     */
    CompletableFuture<List<VolumeReading>> read(Collection<VolumeId> volumes);

    /**
     * The size of the journal, and whether the manager can write to it. Fails before {@link #start()} has returned,
     * as {@link #whenEmpty()} does.
     *
     * @since 0.1.0
     */
    CompletableFuture<JournalReading> journal();

    /**
     * Both worlds at this moment, as data and as {@linkplain NodeSnapshot#toJson() JSON}. Takes time in proportion to
     * the number of all volumes.
     */
    CompletableFuture<NodeSnapshot> snapshot();

    /**
     * The recent history of the volume, oldest first. The manager keeps the last 64 entries of each of the 1024
     * volumes that changed most recently. The list is empty for other volumes.
     */
    CompletableFuture<List<TimelineEntry>> timeline(VolumeId volume);

    /**
     * Registers a listener for each step that begins or ends, until the host closes the subscription. The manager
     * calls it on the event loop; it must not block. The manager logs what the listener throws; the exception has no
     * other effect.
     */
    Subscription listen(Consumer<VolumeTransition> listener);

    /** The volumes that pods of this node want. The host also states direct wishes here. */
    DesiredStateOfWorld desiredState();

    /** The volumes that are, or may be, attached and mounted on this node. */
    ActualStateOfWorld actualState();

    /** The reconciler, which changes the actual state to match the desired state. */
    Reconciler<VolumeId, VolumePlan> reconciler();

    /** The executor of the reconciler's steps. */
    OperationExecutor<VolumeId> operationExecutor();

    /** A registration of a listener. Closing it removes the listener. Idempotent. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The volumes that are, or may be, attached or mounted on this node. Fails before {@link #start()} has returned,
     * as {@link #whenEmpty()} does.
     */
    CompletableFuture<List<VolumeId>> present();

    /**
     * Stops reconciling and cancels running operations. Returns within the close timeout, even if storage hangs.
     * Mounts stay as they are. Idempotent.
     */
    @Override
    void close();

    /** Closes, and returns the operations that did not end in time, with id and plugin. */
    List<String> closeReportingLeft();
}
