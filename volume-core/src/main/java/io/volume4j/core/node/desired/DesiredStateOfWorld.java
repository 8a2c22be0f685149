package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.PodResolver.Resolution;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.PairWatch;
import io.volume4j.core.selinux.SeLinuxLabel;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that the pods of this node want. A pod with unresolved volumes keeps what it had: a missing answer is no
 * reason to unmount. Loop thread only.
 */
public final class DesiredStateOfWorld {
    private final Map<String, ResolvedPod> pods = new DenseMap<>();
    private final Map<VolumeId, DesiredVolume> volumes = new DenseMap<>();
    private final PairWatch watch;
    private final boolean seLinux;

    public DesiredStateOfWorld() {
        this(PairWatch.none());
    }

    public DesiredStateOfWorld(PairWatch watch) {
        this(watch, true);
    }

    /** @param seLinux whether the machine has SELinux, so that contexts of pods matter */
    public DesiredStateOfWorld(PairWatch watch, boolean seLinux) {
        this.watch = watch;
        this.seLinux = seLinux;
    }

    /**
     * Whether the node mounts such a volume with the SELinux context of its pods, so that pods with other contexts
     * cannot use it.
     */
    public boolean labelled(ResolvedVolume volume) {
        return seLinux && volume.takesLabel();
    }

    /** The context with which the volume is mounted for the pod, {@code ""} for none. */
    public String label(ResolvedVolume use) {
        ResolvedPod pod = labelled(use) ? pod(use.podUid()) : null;
        return pod == null ? "" : SeLinuxLabel.of(pod.pod(), use.outerName());
    }

    /** A volume that several pods want or wanted. */
    private static final class SharedVolume implements DesiredVolume {
        private final Map<String, ResolvedVolume> uses = new DenseMap<>();
        private ResolvedVolume latest;
        private boolean mixed;

        SharedVolume(ResolvedVolume first) {
            latest = first;
            uses.put(first.podUid(), first);
        }

        @Override
        public ResolvedVolume volume() {
            return latest;
        }

        @Override
        public Collection<ResolvedVolume> uses() {
            return Collections.unmodifiableCollection(uses.values());
        }

        @Override
        public @Nullable ResolvedVolume use(String podUid) {
            return uses.get(podUid);
        }

        @Override
        public boolean mixed() {
            return mixed;
        }

        private void put(ResolvedVolume wanted) {
            mixed |= latest.block() != wanted.block();
            latest = wanted;
            uses.merge(wanted.podUid(), wanted, ResolvedVolume::and);
        }
    }

    /** Stores the volumes that a pod wants now. Returns the volumes that this may affect. */
    public Set<VolumeId> put(ResolvedPod pod) {
        Set<VolumeId> before = withdraw(pod.uid());
        Set<VolumeId> touched = new LinkedHashSet<>(before);
        pods.put(pod.uid(), pod);
        pod.volumes().values().forEach(volume -> {
            volumes.put(volume.id(), with(volumes.get(volume.id()), volume));
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

    /**
     * Stores the present meaning of one of a pod's volume names. Returns the volumes that this may affect. Returns
     * null if the caller must resolve the whole pod, because two of its names mean one volume.
     *
     * @param podUid of a pod with a shape
     */
    @Nullable
    Set<VolumeId> replace(String podUid, String name, Resolution now) {
        ResolvedPod pod = Objects.requireNonNull(pods.get(podUid), podUid);
        ResolvedVolume before = pod.volumes().get(name);
        ResolvedVolume after = now.volume();
        boolean same = before != null && after != null && before.id().equals(after.id());
        if (pod.oneIdTwice() || (after != null && !same && wants(podUid, after.id()))) {
            return null;
        }
        Set<VolumeId> touched = new LinkedHashSet<>();
        if (before != null) {
            touched.add(before.id());
            if (withdraw(volumes.get(before.id()), podUid)) {
                volumes.remove(before.id());
            }
        }
        if (after != null) {
            touched.add(after.id());
            volumes.put(after.id(), with(volumes.get(after.id()), after));
            pod.replace(name, after);
        } else {
            pod.replace(name, Objects.requireNonNull(now.problem(), name));
        }
        if (before != null && !same) {
            watch.removed(before.id(), podUid);
        }
        if (after != null && !same) {
            watch.added(after.id(), podUid);
        }
        return touched;
    }

    private boolean wants(String podUid, VolumeId id) {
        DesiredVolume volume = volumes.get(id);
        return volume != null && volume.use(podUid) != null;
    }

    private static DesiredVolume with(@Nullable DesiredVolume before, ResolvedVolume wanted) {
        if (before == null) {
            return wanted;
        }
        if (before instanceof ResolvedVolume only && only.podUid().equals(wanted.podUid())) {
            return only.and(wanted);
        }
        SharedVolume shared = before instanceof SharedVolume known ? known : new SharedVolume(before.volume());
        shared.put(wanted);
        return shared;
    }

    /** The pod wants no volumes any more. Returns the volumes that this may affect. */
    public Set<VolumeId> remove(String podUid) {
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
            if (withdraw(volumes.get(volume.id()), podUid)) {
                volumes.remove(volume.id());
            }
        }
        return touched;
    }

    /** Whether no pod wants the volume any more. */
    private static boolean withdraw(@Nullable DesiredVolume volume, String podUid) {
        if (volume instanceof SharedVolume shared) {
            shared.uses.remove(podUid);
            return shared.uses.isEmpty();
        }
        return volume != null && volume.use(podUid) != null;
    }

    @Nullable
    public DesiredVolume volume(VolumeId id) {
        return volumes.get(id);
    }

    @Nullable
    public ResolvedPod pod(String podUid) {
        return pods.get(podUid);
    }

    public Collection<ResolvedPod> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    /**
     * Whether a pod wants a volume whose device has the directory of that name. Scans all volumes: for rare cases
     * only.
     */
    public boolean wantsDevice(String plugin, String deviceName) {
        return volumes.keySet().stream()
                .anyMatch(id ->
                        id.plugin().equals(plugin) && NodeLayout.deviceName(id).equals(deviceName));
    }

    public Set<VolumeId> volumeIds() {
        return Collections.unmodifiableSet(volumes.keySet());
    }

    /** Why the pod's volume of that name is not resolved, null if it is. */
    @Nullable
    public Problem problem(String podUid, String outerName) {
        ResolvedPod pod = pods.get(podUid);
        return pod == null ? null : pod.problems().get(outerName);
    }
}
