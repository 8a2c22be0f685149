package io.volume4j.core.node.agent;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait until a pod's volumes are mounted or unmounted. The event that meets a caller's condition
 * completes its future. Loop thread only; any thread may use the futures.
 */
final class Waiters {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final NodeQueries queries;
    private final PodMounts podMounts;
    private final Map<String, List<CompletableFuture<MountedPod>>> mounted = new DenseMap<>();
    /** For each pod with waiting callers, a volume that was not mounted at the last check. */
    private final Map<String, ResolvedVolume> missing = new DenseMap<>();

    private final Map<String, List<CompletableFuture<String>>> unmounted = new DenseMap<>();
    private final List<CompletableFuture<Boolean>> empty = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> fenced = new ArrayList<>();
    private final List<CompletableFuture<List<String>>> podsKnown = new ArrayList<>();

    Waiters(DesiredStateOfWorld desired, ActualStateOfWorld actual, NodeQueries queries, PodMounts podMounts) {
        this.desired = desired;
        this.actual = actual;
        this.queries = queries;
        this.podMounts = podMounts;
    }

    void whenMounted(String podUid, CompletableFuture<MountedPod> future) {
        mounted.computeIfAbsent(podUid, uid -> new ArrayList<>(1)).add(future);
        check(podUid);
    }

    void whenUnmounted(String podUid, CompletableFuture<String> future) {
        unmounted.computeIfAbsent(podUid, uid -> new ArrayList<>(1)).add(future);
        check(podUid);
    }

    /** A caller no longer waits for the pod. Futures of callers that poll with short timeouts must not accumulate. */
    void letGo(String podUid) {
        letGo(mounted, podUid);
        letGo(unmounted, podUid);
        if (!mounted.containsKey(podUid)) {
            missing.remove(podUid);
        }
    }

    private static <T> void letGo(Map<String, List<CompletableFuture<T>>> all, String podUid) {
        List<CompletableFuture<T>> waiting = all.get(podUid);
        if (waiting != null && waiting.removeIf(CompletableFuture::isDone) && waiting.isEmpty()) {
            all.remove(podUid);
        }
    }

    /** The number of futures that are kept, with those of callers that have given up since. */
    int size() {
        return empty.size()
                + fenced.size()
                + podsKnown.size()
                + mounted.values().stream().mapToInt(List::size).sum()
                + unmounted.values().stream().mapToInt(List::size).sum();
    }

    /** Completes the future when no volume is, or may be, attached or mounted. */
    void whenEmpty(CompletableFuture<Boolean> future) {
        add(empty, future);
        checkEmpty();
    }

    /** Completes the future when no volume that the control plane attached is, or may be, mounted. */
    void whenFenced(CompletableFuture<Boolean> future) {
        add(fenced, future);
        checkFenced();
    }

    /** A mount changed. */
    void checkFenced() {
        if (!fenced.isEmpty() && actual.all().stream().noneMatch(Waiters::mayReachStorage)) {
            take(fenced).forEach(future -> future.complete(true));
        }
    }

    /** Also through a call that is under way. */
    private static boolean mayReachStorage(ActualVolume volume) {
        boolean attached = volume.row().attach() != AttachState.DETACHED
                || UnidentifiedMount.is(volume.row().id());
        return attached
                && (volume.settingUp() || volume.row().device() != MountState.NOT_MOUNTED || volume.anyMounts());
    }

    /**
     * Completes the future with the pods that have not ended, when all are known.
     *
     * @param known whether they are now
     */
    void whenPodsKnown(boolean known, CompletableFuture<List<String>> future) {
        add(podsKnown, future);
        checkPodsKnown(known);
    }

    void checkPodsKnown(boolean known) {
        if (known && !podsKnown.isEmpty()) {
            List<String> active = desired.pods().stream()
                    .filter(pod -> !pod.pod().terminated())
                    .map(ResolvedPod::uid)
                    .toList();
            take(podsKnown).forEach(future -> future.complete(active));
        }
    }

    /** A volume was forgotten. */
    void checkEmpty() {
        if (actual.all().isEmpty()) {
            take(empty).forEach(future -> future.complete(true));
        }
    }

    /** The pod's volumes changed, or more is known about them. */
    void changed(String podUid) {
        missing.remove(podUid);
        check(podUid);
    }

    /** More is known about one of the pod's volumes. */
    void changed(String podUid, String outerName) {
        ResolvedVolume volume = missing.get(podUid);
        if (volume != null && volume.outerName().equals(outerName)) {
            missing.remove(podUid);
        }
        check(podUid);
    }

    /** The state of one of the pod's mounts changed. */
    void check(String podUid) {
        if (mounted.containsKey(podUid) && !misses(podUid)) {
            ResolvedPod pod = desired.pod(podUid);
            if (pod != null) {
                Problem hopeless = pod.hopeless()
                        ? pod.problems().values().stream()
                                .filter(Problem::hopeless)
                                .findFirst()
                                .orElse(null)
                        : null;
                if (hopeless != null) {
                    fail(podUid, VolumeException.finalFailure(hopeless.text()));
                } else {
                    MountedPod complete = complete(pod);
                    if (complete != null) {
                        missing.remove(podUid);
                        take(mounted, podUid).forEach(future -> future.complete(complete));
                    }
                }
            }
        }
        if (unmounted.containsKey(podUid) && gone(podUid)) {
            take(unmounted, podUid).forEach(future -> future.complete(podUid));
        }
    }

    boolean waitsForMounts(String podUid) {
        return mounted.containsKey(podUid);
    }

    /** A failure that retries do not repair. */
    void fail(String podUid, VolumeException failure) {
        missing.remove(podUid);
        take(mounted, podUid).forEach(future -> future.completeExceptionally(failure));
    }

    void failAll(VolumeException failure) {
        take(empty).forEach(future -> future.completeExceptionally(failure));
        take(fenced).forEach(future -> future.completeExceptionally(failure));
        take(podsKnown).forEach(future -> future.completeExceptionally(failure));
        new ArrayList<>(mounted.keySet()).forEach(uid -> fail(uid, failure));
        new ArrayList<>(unmounted.keySet())
                .forEach(uid -> take(unmounted, uid).forEach(future -> future.completeExceptionally(failure)));
    }

    /**
     * A fast check after each step: while the volume that was missing last is still missing, the pod does not have all
     * volumes.
     */
    private boolean misses(String podUid) {
        ResolvedVolume volume = missing.get(podUid);
        return volume != null && !usable(volume, podUid);
    }

    private boolean usable(ResolvedVolume volume, String podUid) {
        ActualVolume present = actual.volume(volume.id());
        MountRow row = present == null ? null : present.mount(podUid);
        if (present == null || row == null || row.state() != MountState.MOUNTED) {
            return false;
        }
        // A permanent failure must not block the pod: its other containers can use the volume.
        String parts = present.partsFailure(podUid);
        return parts == null || !parts.isEmpty();
    }

    /** The pod with all its volumes, null while one is missing or uncertain. */
    private @Nullable MountedPod complete(ResolvedPod pod) {
        if (!pod.problems().isEmpty()) {
            return null;
        }
        for (ResolvedVolume volume : pod.volumes().values()) {
            if (!usable(volume, pod.uid())) {
                missing.put(pod.uid(), volume);
                return null;
            }
        }
        Map<String, MountedPod.MountedVolume> volumes = new LinkedHashMap<>();
        for (ResolvedVolume wanted : pod.inOrder()) {
            MountedPod.MountedVolume volume = queries.mounted(pod, wanted);
            if (volume == null) {
                return null;
            }
            volumes.put(wanted.outerName(), volume);
        }
        return podMounts.of(pod, volumes, queries.unbound(pod));
    }

    /**
     * Whether the pod wants no volume, and its volumes are gone. A volume that may still be mounted is not gone. A volume
     * that is not resolved yet is wanted: the node mounts it as soon as it is resolved.
     */
    private boolean gone(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        boolean wanted =
                pod != null && !(pod.volumes().isEmpty() && pod.problems().isEmpty());
        return !wanted && !actual.hasMounts(podUid);
    }

    /** Forgets the futures that callers cancelled: those of callers that ask again and again must not accumulate. */
    private static <T> void add(List<CompletableFuture<T>> waiting, CompletableFuture<T> future) {
        waiting.removeIf(CompletableFuture::isDone);
        waiting.add(future);
    }

    /** Removes the futures before they are completed: code that depends on one of them may close the manager, or wait again. */
    private static <T> List<CompletableFuture<T>> take(List<CompletableFuture<T>> waiting) {
        List<CompletableFuture<T>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    private static <T> List<CompletableFuture<T>> take(Map<String, List<CompletableFuture<T>>> all, String podUid) {
        List<CompletableFuture<T>> taken = all.remove(podUid);
        if (taken == null) {
            return List.of();
        }
        taken.removeIf(CompletableFuture::isDone);
        return taken;
    }
}
