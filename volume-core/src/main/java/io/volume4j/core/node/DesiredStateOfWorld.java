package io.volume4j.core.node;

import io.volume4j.core.node.ResolvedPod.Problem;
import io.volume4j.core.node.ResolvedPod.ResolvedVolume;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes the pods of this node want. A pod whose volumes cannot all be resolved keeps what it had: not knowing what
 * it wants is no reason to take anything from it. Loop thread only.
 */
final class DesiredStateOfWorld {
    private final Map<String, ResolvedPod> pods = new DenseMap<>();
    private final Map<VolumeId, DesiredVolume> volumes = new DenseMap<>();
    private final PairWatch watch;

    DesiredStateOfWorld() {
        this(PairWatch.none());
    }

    DesiredStateOfWorld(PairWatch watch) {
        this.watch = watch;
    }

    /** A volume as it is wanted, and by which pods: nearly always one, which is kept without a table. */
    static final class DesiredVolume {
        private ResolvedVolume volume;
        private String onlyPod = "";
        private @Nullable ResolvedVolume only;
        private Map<String, ResolvedVolume> several = Map.of();

        DesiredVolume(ResolvedVolume volume) {
            this.volume = volume;
        }

        /** The volume, as the pod that was resolved last describes it. */
        ResolvedVolume volume() {
            return volume;
        }

        /**
         * By the UIDs of the pods, in the order in which they came: the volume as each of them describes it, under the pod's
         * first name for it. There may be more names, and all lead to the same mount; it is read-only if all of them are.
         */
        Map<String, ResolvedVolume> uses() {
            return only == null ? Collections.unmodifiableMap(several) : Map.of(onlyPod, only);
        }

        /** What this pod wants of it, null if it does not want it. */
        @Nullable
        ResolvedVolume use(String podUid) {
            return only == null ? several.get(podUid) : onlyPod.equals(podUid) ? only : null;
        }

        private void put(String podUid, ResolvedVolume wanted) {
            volume = wanted;
            ResolvedVolume first = use(podUid);
            ResolvedVolume use = first == null ? wanted : first.readOnly() ? wanted.named(first.outerName()) : first;
            if (several.isEmpty() && (only == null || first != null)) {
                onlyPod = podUid;
                only = use;
                return;
            }
            if (only != null) {
                several = new DenseMap<>(Map.of(onlyPod, only));
                onlyPod = "";
                only = null;
            }
            several.put(podUid, use);
        }

        /** Whether nobody wants it any more. */
        private boolean withdraw(String podUid) {
            if (only == null) {
                several = Few.without(several, podUid);
            } else if (onlyPod.equals(podUid)) {
                only = null;
            }
            return only == null && several.isEmpty();
        }
    }

    /** Takes over what a pod wants now and returns the volumes for which that may make a difference. */
    Set<VolumeId> put(ResolvedPod pod) {
        Set<VolumeId> before = withdraw(pod.uid());
        Set<VolumeId> touched = new LinkedHashSet<>(before);
        pods.put(pod.uid(), pod);
        pod.volumes().values().forEach(volume -> {
            volumes.computeIfAbsent(volume.id(), id -> new DesiredVolume(volume))
                    .put(pod.uid(), volume);
            if (touched.add(volume.id())) {
                watch.added(volume.id(), pod.uid());
            }
        });
        for (VolumeId id : before) {
            DesiredVolume left = volumes.get(id);
            if (left == null || left.use(pod.uid()) == null) {
                watch.removed(id, pod.uid());
            }
        }
        return touched;
    }

    /** The pod wants nothing any more. */
    Set<VolumeId> remove(String podUid) {
        Set<VolumeId> touched = withdraw(podUid);
        pods.remove(podUid);
        touched.forEach(id -> watch.removed(id, podUid));
        return touched;
    }

    private Set<VolumeId> withdraw(String podUid) {
        Set<VolumeId> touched = new LinkedHashSet<>();
        ResolvedPod before = pods.get(podUid);
        if (before == null) {
            return touched;
        }
        for (ResolvedVolume volume : before.volumes().values()) {
            touched.add(volume.id());
            DesiredVolume desired = volumes.get(volume.id());
            if (desired != null && desired.withdraw(podUid)) {
                volumes.remove(volume.id());
            }
        }
        return touched;
    }

    @Nullable
    DesiredVolume volume(VolumeId id) {
        return volumes.get(id);
    }

    @Nullable
    ResolvedPod pod(String podUid) {
        return pods.get(podUid);
    }

    Collection<ResolvedPod> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    /** Whether a volume is wanted whose device lies in the directory of that name. Looks at all: for rare cases only. */
    boolean wantsDevice(String plugin, String deviceName) {
        return volumes.keySet().stream()
                .anyMatch(id ->
                        id.plugin().equals(plugin) && NodeLayout.deviceName(id).equals(deviceName));
    }

    Set<VolumeId> volumeIds() {
        return Collections.unmodifiableSet(volumes.keySet());
    }

    /** What keeps the pod's volume of that name from being known, null if nothing does. */
    @Nullable
    Problem problem(String podUid, String outerName) {
        ResolvedPod pod = pods.get(podUid);
        return pod == null ? null : pod.problems().get(outerName);
    }
}
