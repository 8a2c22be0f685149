package io.volume4j.core.node;

import io.volume4j.core.node.ResolvedPod.Problem;
import io.volume4j.core.node.ResolvedPod.ResolvedVolume;
import io.volume4j.spi.VolumeId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes the pods of this node want. A pod whose volumes cannot all be resolved keeps what it had: not knowing what
 * it wants is no reason to take anything from it. Loop thread only.
 */
final class DesiredStateOfWorld {
    private final Map<String, ResolvedPod> pods = new LinkedHashMap<>();
    private final Map<VolumeId, DesiredVolume> volumes = new LinkedHashMap<>();
    private final PairWatch watch;

    DesiredStateOfWorld() {
        this(PairWatch.none());
    }

    DesiredStateOfWorld(PairWatch watch) {
        this.watch = watch;
    }

    /** A volume as it is wanted, and by which pods. */
    static final class DesiredVolume {
        private ResolvedVolume volume;
        private Map<String, Use> uses = Map.of();

        DesiredVolume(ResolvedVolume volume) {
            this.volume = volume;
        }

        /** The volume, as the pod that was resolved last describes it. */
        ResolvedVolume volume() {
            return volume;
        }

        /** By the UIDs of the pods, in the order in which they came. */
        Map<String, Use> uses() {
            return Collections.unmodifiableMap(uses);
        }
    }

    /**
     * What one pod wants of a volume.
     *
     * @param outerName the pod's first name for it; there may be more, and all lead to the same mount
     * @param volume as this pod describes it; read-only if all its names for it are
     */
    record Use(String outerName, ResolvedVolume volume) {
        Use and(ResolvedVolume another) {
            return volume.readOnly() ? new Use(outerName, another) : this;
        }
    }

    /** Takes over what a pod wants now and returns the volumes for which that may make a difference. */
    Set<VolumeId> put(ResolvedPod pod) {
        Set<VolumeId> before = withdraw(pod.uid());
        Set<VolumeId> touched = new LinkedHashSet<>(before);
        pods.put(pod.uid(), pod);
        pod.volumes().forEach((outerName, volume) -> {
            DesiredVolume desired = volumes.computeIfAbsent(volume.id(), id -> new DesiredVolume(volume));
            desired.volume = volume;
            Use first = desired.uses.get(pod.uid());
            desired.uses =
                    Few.with(desired.uses, pod.uid(), first == null ? new Use(outerName, volume) : first.and(volume));
            if (touched.add(volume.id())) {
                watch.added(volume.id(), pod.uid());
            }
        });
        for (VolumeId id : before) {
            DesiredVolume left = volumes.get(id);
            if (left == null || !left.uses.containsKey(pod.uid())) {
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
            if (desired != null) {
                desired.uses = Few.without(desired.uses, podUid);
                if (desired.uses.isEmpty()) {
                    volumes.remove(volume.id());
                }
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
