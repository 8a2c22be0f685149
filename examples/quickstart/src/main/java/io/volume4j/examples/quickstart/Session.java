package io.volume4j.examples.quickstart;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** One run of the orchestrator on a machine. Continues from an earlier run, and tears everything down or leaves it for the next run. */
final class Session implements AutoCloseable {
    private static final Duration CLEAN_UP = Duration.ofSeconds(60);

    private final Options options;
    private final Machine machine;
    private final Journey journey;
    private final StopSignal stop;
    private final Configs configs = new Configs(InstantSource.system());
    private final SavedCluster cluster;
    private final Orchestrator orchestrator;

    Session(Options options, Machine machine, Journey journey, StopSignal stop) {
        this.options = options;
        this.machine = machine;
        this.journey = journey;
        this.stop = stop;
        machine.backend().files().createRoot(options.root());
        cluster = new SavedCluster(machine.backend().files(), options.root(), InstantSource.system());
        boolean earlier = cluster.load();
        orchestrator = new Orchestrator(machine, options, cluster, configs, journey);
        orchestrator.start();
        orchestrator.link().ifPresent(link -> journey.say("live view: " + link));
        if (earlier) {
            journey.say("an earlier run left something: going on from there");
            finishDeletions();
        }
    }

    SavedCluster cluster() {
        return cluster;
    }

    Configs configs() {
        return configs;
    }

    /** Whether everything on the machine ends with this process. */
    boolean inMemory() {
        return machine.inMemory();
    }

    /** Creates the objects that do not exist. Does not change existing objects. */
    void create(List<ApiObject> manifests) {
        machine.offerExports(manifests);
        manifests.forEach(cluster::createMissing);
        orchestrator.schedule();
    }

    /** Creates the object, or changes the existing object as the manifest says. */
    void apply(ApiObject manifest) {
        machine.offerExports(List.of(manifest));
        journey.say(manifest.key() + (cluster.apply(manifest) ? " created" : " applied"));
        orchestrator.schedule();
    }

    void schedule() {
        orchestrator.schedule();
    }

    String why(ApiObject object) {
        return orchestrator.why(object);
    }

    /** All pods: first those of the manifests, in the order of the manifests. */
    List<Pod> podsInOrder(List<ApiObject> manifests) {
        List<ObjectKey> order = manifests.stream().map(ApiObject::key).toList();
        List<Pod> pods = new ArrayList<>(orchestrator.pods());
        pods.sort(Comparator.comparingInt(pod -> order.contains(pod.key()) ? order.indexOf(pod.key()) : order.size()));
        return pods;
    }

    MountedPod awaitMounted(Pod pod) {
        return await(pod, orchestrator.whenMounted(pod), "mounted");
    }

    /** Waits until all claims are bound, except claims that wait for their first consumer, and all snapshots are ready. */
    void awaitAll() {
        for (PersistentVolumeClaim claim : cluster.all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class)) {
            if (claim.status().phase() != ClaimPhase.BOUND && !orchestrator.waitsForConsumer(claim)) {
                await(claim, orchestrator.whenBound(claim), "bound");
            }
        }
        cluster.all(Kind.VOLUME_SNAPSHOT, VolumeSnapshot.class).forEach(this::awaitWell);
    }

    /** Fails if no CSI driver answers at a socket that the user named: without a pod that uses it, nothing else would tell. */
    void requireDrivers() {
        List<CsiEndpoint> silent;
        try {
            silent = stop.await(orchestrator.silentDrivers(), options.timeout());
        } catch (TimeoutException late) {
            silent = options.csi();
        }
        if (!silent.isEmpty()) {
            throw VolumeException.transientFailure("no CSI driver is registered from "
                            + silent.stream().map(CsiEndpoint::toString).collect(Collectors.joining(", ")))
                    .withAdvice("check that the driver runs and serves this socket");
        }
    }

    /** Waits until the pod is mounted, the claim is bound and large enough, the snapshot is ready, or the move has ended. */
    void awaitWell(ApiObject object) {
        if (object instanceof Pod pod) {
            awaitMounted(pod);
        } else if (object instanceof PersistentVolumeClaim) {
            await(
                    object,
                    cluster.when(object.key(), Session::boundAndLargeEnough),
                    "bound with the size that it asks for");
        } else if (object instanceof VolumeSnapshot) {
            await(
                    object,
                    cluster.when(
                            object.key(),
                            now -> now instanceof VolumeSnapshot it
                                    && it.status().ready()),
                    "ready");
        } else if (object instanceof VolumeMove) {
            await(object, cluster.when(object.key(), Session::ended), "ended");
        }
    }

    private static boolean ended(ApiObject object) {
        return object instanceof VolumeMove move
                && (move.status().phase() == VolumeMove.Phase.MOVED
                        || move.status().phase() == VolumeMove.Phase.FAILED);
    }

    private static boolean boundAndLargeEnough(ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim) || claim.status().phase() != ClaimPhase.BOUND) {
            return false;
        }
        Quantity has = claim.status().capacity();
        Quantity asked = claim.spec().request();
        return asked == null || (has != null && has.compareTo(asked) >= 0);
    }

    /** Waits until the object does not exist. */
    void awaitGone(ApiObject object) {
        await(object, cluster.whenGone(object.key()), "gone");
    }

    /** Writes through one pod's path and reads through the paths of the others. */
    void share(Map<Pod, MountedPod> mounted) {
        new SharedFiles(machine.backend().files(), options.root(), journey).share(mounted);
    }

    /** Tears everything down and deletes the saved objects. False if something remains; then the next run continues. */
    boolean down() {
        journey.say("");
        boolean gone = true;
        List<Pod> pods = orchestrator.pods();
        pods.forEach(pod -> cluster.remove(pod.key()));
        for (Pod pod : pods) {
            gone &= awaitDown(pod, orchestrator.whenUnmounted(pod.metadata().uid()));
        }
        gone &= awaitNothingPresent();
        cluster.all(Kind.VOLUME_MOVE, VolumeMove.class).forEach(this::dropOldVolume);
        for (Kind kind : List.of(
                Kind.VOLUME_MOVE, Kind.VOLUME_GROUP_SNAPSHOT, Kind.VOLUME_SNAPSHOT, Kind.PERSISTENT_VOLUME_CLAIM)) {
            gone &= removeAll(kind);
        }
        for (PersistentVolume volume : cluster.all(Kind.PERSISTENT_VOLUME, PersistentVolume.class)) {
            if (volume.spec().reclaimPolicy() == ReclaimPolicy.DELETE
                    && volume.spec().claimRef() != null) {
                gone &= awaitDown(volume, orchestrator.whenGone(volume.key()));
            }
        }
        if (gone) {
            cluster.discard();
        }
        return gone;
    }

    /** Deletes the former volume of a moved claim: a move keeps it, but a complete teardown must not. */
    private void dropOldVolume(VolumeMove move) {
        ObjectKey volume = ObjectKey.volume(move.status().sourceVolume());
        if (move.status().phase() == VolumeMove.Phase.MOVED
                && cluster.get(volume).isPresent()) {
            FieldChange delete =
                    FieldChange.set(ReclaimPolicy.DELETE.apiName(), "spec", "persistentVolumeReclaimPolicy");
            cluster.patch(volume, new Patch(Preconditions.none(), false, List.of(delete)));
        }
    }

    private boolean removeAll(Kind kind) {
        boolean gone = true;
        List<ApiObject> objects = cluster.all(kind, ApiObject.class);
        objects.forEach(object -> cluster.remove(object.key()));
        for (ApiObject object : objects) {
            gone &= awaitDown(object, cluster.whenGone(object.key()));
        }
        return gone;
    }

    /** Waits for deletions that an earlier run began: only then can this run create an object with the same name. */
    private void finishDeletions() {
        for (ApiObject object : cluster.all()) {
            boolean volumes = object.kind() == Kind.PERSISTENT_VOLUME_CLAIM || object.kind() == Kind.PERSISTENT_VOLUME;
            if (volumes && object.metadata().deleting()) {
                await(object, orchestrator.whenGone(object.key()), "deleted");
            }
        }
    }

    private boolean awaitNothingPresent() {
        try {
            orchestrator.whenNothingPresent().get(CLEAN_UP.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException late) {
            journey.failed("clean up", "volumes are still attached: " + late);
            return false;
        }
    }

    private <T> T await(ApiObject object, CompletableFuture<T> future, String what) {
        try {
            return stop.await(future, options.timeout());
        } catch (TimeoutException late) {
            throw VolumeException.transientFailure(object.key() + " not " + what + " within "
                    + options.timeout().toSeconds() + " s: " + orchestrator.why(object));
        } catch (VolumeException failed) {
            throw VolumeException.of(failed.kind(), object.key() + ": " + failed.reason())
                    .withAdvice(failed.advice());
        }
    }

    /** Waits for a teardown. Ignores the stop signal, because a stop means to tear down. */
    private boolean awaitDown(ApiObject object, CompletableFuture<?> future) {
        try {
            future.get(CLEAN_UP.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException late) {
            journey.failed("clean up", object.key() + ": " + orchestrator.why(object));
            return false;
        }
    }

    /** Stops the reconcilers. Volumes and objects stay as they are. */
    @Override
    public void close() {
        orchestrator.close();
    }
}
