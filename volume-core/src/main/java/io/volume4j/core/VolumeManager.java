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
 * Makes the volumes of one machine match what its pods want, and keeps doing so. Pods, claims and volumes are read from the
 * host's {@link io.volume4j.spi.host.ClusterSource}; nothing has to be called when they change. A host without such objects states
 * its wishes by {@link #desiredState()} instead, or beside them.
 *
 * <p>Its futures complete on its event loop, which serves all volumes of the machine: what depends on them must not block, or
 * asks for a thread of its own with {@code thenApplyAsync} and the like.
 *
 * <p>Thread-safe. One manager for each root directory: a second one, also in another process, refuses to start. Closing
 * leaves every mount as it is; the next start finds them again.
 *
 * <p>{@link #builder()} makes the one that works. A unit test of a host may implement or mock this interface instead; a method that is
 * added later has a default.
 *
 * @since 0.1.0
 */
public interface VolumeManager extends AutoCloseable {
    /** Begins a manager; see the builder for what it needs. */
    static VolumeManagerBuilder builder() {
        return new VolumeManagerBuilder();
    }

    /**
     * Finds out what an earlier run left and begins to reconcile. Returns when that is known; blocks for the disk and the
     * mount table until then.
     *
     * <p>Once: a start that failed may be tried again, a manager that runs or was closed is not started again.
     *
     * @throws VolumeException if the journal or the machine cannot be read, with what to do about it; if the manager is
     *     closed meanwhile
     * @throws IllegalStateException if it was started or closed before
     */
    void start();

    /**
     * For a node with a fixed set of pods: starts, has the volumes mounted of the pods that the cluster gives the node now,
     * stops, and leaves the mounts. The manager cannot be used any more afterwards.
     *
     * @param timeout for all of it
     * @return the pods by their UIDs
     * @throws VolumeException if a pod's volumes could not be mounted, or not in time, then with what each such pod lacks; what
     *     is mounted stays mounted
     */
    Map<String, MountedPod> runOnce(Duration timeout);

    /**
     * Completes when all volumes that the pod's containers use are mounted, with where they are. Fails with a {@link
     * VolumeException} as soon as something happened that will not mend itself; everything else is waited out, because it
     * may. The pod need not be known yet, nor the manager have started; that the pod has ended or is gone fails it. Cancelling the future changes nothing but the
     * future.
     */
    CompletableFuture<MountedPod> whenMounted(String podUid);

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException as the future fails; after the timeout uncertain, with the {@linkplain #explainPod
     *     explanation} of what is missing
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if it is called on the event loop, as by a listener
     */
    MountedPod awaitMounted(String podUid, Duration timeout);

    /** The pod as it is now, with those of its volumes that are certainly mounted, and what its containers find where. */
    CompletableFuture<MountedPod> mountedVolumes(String podUid);

    /**
     * How full the pod's volumes are, in the order of the pod: figures for those that are certainly mounted and whose plugin
     * tells them, for each other one why there are none. Asked of the plugins now; nothing is asked by itself. Completes
     * when every volume has answered or has had {@linkplain VolumeManagerBuilder#statsDeadline its time}: one whose storage
     * hangs has a failure instead, and keeps neither other volumes nor its own unmount waiting. Who asks while the same volume
     * is being asked gets that answer. Volumes that could not be resolved are missing; empty for a pod that is not known.
     */
    CompletableFuture<List<VolumeUsage>> stats(String podUid);

    /**
     * How the storage behind all volumes of a plugin is, as this node sees it: fewer paths, say, or none. Asked now, once however
     * many ask at that time, and with {@linkplain VolumeManagerBuilder#statsDeadline its time}; nothing is decided by it. What
     * the node says of one volume comes with its {@linkplain #stats figures}.
     *
     * @param plugin its name, such as that of a CSI driver
     * @return {@link StorageHealth#notReported()} from a plugin that cannot tell; fails with a {@link VolumeException} if it
     *     could not be asked, after which what was known before still stands
     */
    CompletableFuture<StorageHealth> storageHealth(String plugin);

    /**
     * The groups that the pod's processes need for its volumes beside those that it asks for itself: the numbers in the
     * annotation {@code pv.beta.kubernetes.io/gid} of its PersistentVolumes.
     */
    CompletableFuture<List<Long>> supplementalGroups(String podUid);

    /**
     * Completes when no volume is mounted for the pod any more, and none may be, and it wants none. Fails before {@link #start()} has
     * returned, as {@link #whenEmpty()} does.
     */
    CompletableFuture<String> whenUnmounted(String podUid);

    /**
     * The same, blocking for at most the timeout.
     *
     * @throws VolumeException as {@link #awaitMounted}
     * @throws IllegalStateException as {@link #awaitMounted}
     */
    void awaitUnmounted(String podUid, Duration timeout);

    /**
     * Completes when no volume is, or may be, attached or mounted on this node. Fails, as every question does that is about what
     * there is, with a transient {@link VolumeException} while that is not known: before {@link #start()} has returned, and for as long
     * as it has failed. The exception says why and what to do. Unknown is not empty.
     */
    CompletableFuture<Boolean> whenEmpty();

    /**
     * For a node that may soon be taken for dead, because it cannot reach the cluster: from now on no volume that a controller attached
     * to this node is mounted, and those that are mounted are unmounted, whatever their pods want. Needs neither the cluster nor its
     * objects. Completes when none of them is, or may be, mounted; what a plugin, or a process that still uses it, keeps from being
     * unmounted is tried again. There is no way back for this manager: close it, and start another one when the node may have its
     * volumes again. It then asks for each volume anew.
     *
     * <p>The host stops the containers that use the volumes before it calls this. Where there is a {@linkplain
     * VolumeManagerBuilder#podRuntime pod runtime}, a pod keeps its volumes until the runtime says that its containers have stopped;
     * where there is none, the call itself says so of all pods. Volumes that the node attached by itself stay, as do those that no
     * controller attaches, such as directories of the node.
     *
     * @return fails as {@link #whenEmpty()} does before {@link #start()} has returned
     * @throws IllegalStateException in {@code AttachMode.SELF}: no controller gives such a node's volumes to another node
     * @since 0.1.0
     */
    default CompletableFuture<Boolean> fence() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("this manager cannot fence itself"));
    }

    /** Why the pod's volumes are as they are: what is done, what comes next, what is waited for, the last errors. */
    CompletableFuture<Explanation> explainPod(String podUid);

    /** The same for a pod by its name; not known if no pod of this node has it. */
    CompletableFuture<Explanation> explainPod(String namespace, String name);

    /** Why the volume is as it is on this node. */
    CompletableFuture<Explanation> explainVolume(VolumeId volume);

    /** Whether the volume certainly is attached to this node; one that may be is not. */
    CompletableFuture<Boolean> isAttached(VolumeId volume);

    /**
     * Volumes that the control plane must not take from this node, sorted: attachable ones that pods want, and all that are
     * or may be attached.
     */
    CompletableFuture<List<VolumeId>> volumesInUse();

    /**
     * Has the listener hear of {@link #volumesInUse()} as soon as it is known, which is now once {@link #start()} has returned, and
     * whenever it has changed, until the returned subscription is closed: for hosts that write the node's status themselves. Called on the event loop; must not block. What it throws is
     * logged.
     */
    Subscription listenVolumesInUse(Consumer<List<VolumeId>> listener);

    /**
     * For a host that gives no {@linkplain VolumeManagerBuilder#clusterWriter cluster writer} and writes {@code
     * status.volumesInUse} of its node itself: says for which volumes it has done so, in place of all that it said
     * before. In the status the host writes each volume under the name that {@link NodeVolumeNames#of} gives it. With {@code AttachMode.CONTROLLER} an attachment counts for
     * the node only while both the host says so here and the node's object shows it; what the host is about to take out of the
     * status it first leaves out here, so that nothing is mounted on the word of a status that is being changed. A host that
     * never says anything has its node's status believed alone.
     *
     * @return completes when it counts
     * @throws IllegalStateException if there is a cluster writer: then the manager reports by itself
     */
    CompletableFuture<Boolean> markReportedInUse(Collection<VolumeId> volumes);

    /**
     * Whether both worlds are whole: what an earlier run left was read, and the node's object and all its pods are known. It
     * becomes false again while the cluster cannot be listed.
     */
    CompletableFuture<Boolean> statesSynced();

    /**
     * Whether the node works, for the probes of whatever runs the process: live if its event loop answers within {@link
     * Health#PATIENCE}, ready once what an earlier run left is known and {@linkplain #statesSynced() both worlds are whole}.
     * Waits no longer than that; on the loop it answers at once.
     *
     * @since 0.1.0
     */
    Health health();

    /**
     * What would be done about each volume that is not as it should be, in the order of steps, if all calls succeeded and
     * nothing else changed. With {@link VolumeManagerBuilder#dryRun()} that is all that ever happens.
     */
    CompletableFuture<List<VolumePlan>> plan();

    /**
     * The same for one volume; no steps and no waits if the volume is as it should be or not known.
     *
     * @since 0.1.0
     */
    CompletableFuture<VolumePlan> plan(VolumeId volume);

    /**
     * These volumes in both worlds, all at one moment, in the order in which they are given; one that is in neither world has neither
     * part. Costs the event loop time in proportion to the volumes that are given: about as much as one look of the reconciler at each.
     * For hosts that show volumes while they change: {@link VolumeManagerBuilder#instrumentation} tells which were looked at, and this
     * reads some of them at a time.
     *
     * @since 0.1.0
     */
    CompletableFuture<List<VolumeReading>> read(Collection<VolumeId> volumes);

    /**
     * How large the journal is and whether it can be written. Fails before {@link #start()} has returned, as {@link #whenEmpty()} does.
     *
     * @since 0.1.0
     */
    CompletableFuture<JournalReading> journal();

    /** Both worlds at this moment, as data and as {@linkplain NodeSnapshot#toJson() JSON}. Costs time in proportion to all volumes. */
    CompletableFuture<NodeSnapshot> snapshot();

    /**
     * What happened to the volume lately, oldest first: the last 64 moments of each of the 1024 volumes about which
     * something happened last; others have none.
     */
    CompletableFuture<List<TimelineEntry>> timeline(VolumeId volume);

    /**
     * Has the listener hear of every step that begins or ends from now on, until the returned subscription is closed. Called
     * on the event loop; must not block. What it throws is logged and has no other effect.
     */
    Subscription listen(Consumer<VolumeTransition> listener);

    /** What pods of this node want, and the door for wishes that the host states directly. */
    DesiredStateOfWorld desiredState();

    /** What is, or may be, attached and mounted on this node. */
    ActualStateOfWorld actualState();

    /** What makes the actual state match the desired one. */
    Reconciler<VolumeId, VolumePlan> reconciler();

    /** What carries out the reconciler's steps. */
    OperationExecutor<VolumeId> operationExecutor();

    /** Ends what it was given for. Closing is idempotent. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Volumes that are, or may be, attached or mounted here. Fails before {@link #start()} has returned, as {@link #whenEmpty()}
     * does.
     */
    CompletableFuture<List<VolumeId>> present();

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout whatever storage does. Mounts stay
     * as they are. Idempotent.
     */
    @Override
    void close();

    /** Closes and returns the operations that did not end in time, by id and plugin. */
    List<String> closeReportingLeft();
}
