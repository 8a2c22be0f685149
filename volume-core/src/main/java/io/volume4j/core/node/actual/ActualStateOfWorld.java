package io.volume4j.core.node.actual;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.PairWatch;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.tables.DenseIndex;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is, or may be, attached and mounted on this node. Only outcomes of operations and the reconstruction change it.
 * Loop thread only.
 */
public final class ActualStateOfWorld {
    private final Map<VolumeId, ActualVolume> volumes = new DenseMap<>();
    private final DenseIndex<String, VolumeId> byPod = new DenseIndex<>();
    private final MountsByName byName = new MountsByName();
    private int unidentified;
    private final PairWatch watch;

    public ActualStateOfWorld() {
        this(PairWatch.none());
    }

    public ActualStateOfWorld(PairWatch watch) {
        this.watch = watch;
    }

    @Nullable
    public ActualVolume volume(VolumeId id) {
        return volumes.get(id);
    }

    /** The volume. Creates it if it is not known yet. */
    public ActualVolume require(VolumeId id, Supplier<VolumeRow> first) {
        return volumes.computeIfAbsent(id, key -> {
            unidentified += UnidentifiedMount.is(key) ? 1 : 0;
            return new ActualVolume(first.get());
        });
    }

    public void put(VolumeRow row) {
        require(row.id(), () -> row).row(row);
    }

    public void put(MountRow mount) {
        ActualVolume volume = require(mount.id(), () -> VolumeRow.unknown(mount));
        if (volume.put(mount)) {
            watch.added(mount.id(), mount.podUid());
            byPod.add(mount.podUid(), mount.id());
            byName.added(mount, byPod.get(mount.podUid()), this::nameOf);
        }
    }

    public void removeMount(VolumeId id, String podUid) {
        ActualVolume volume = volumes.get(id);
        byName.removed(podUid, nameOf(id, podUid), id);
        if (volume != null) {
            if (volume.remove(podUid)) {
                watch.removed(id, podUid);
            }
            volume.forgetRemount(podUid);
        }
        byPod.remove(podUid, id);
    }

    /**
     * Forgets the volume.
     *
     * @throws IllegalStateException if the volume is, or may be, mounted
     */
    public void forget(VolumeId id) {
        ActualVolume volume = volumes.get(id);
        if (volume == null) {
            return;
        }
        if (volume.anyMounts() || volume.row().device() != MountState.NOT_MOUNTED) {
            throw new IllegalStateException("cannot forget " + id + ": it is or may be mounted");
        }
        volumes.remove(id);
        unidentified -= UnidentifiedMount.is(id) ? 1 : 0;
    }

    /** The unidentified mount at the path of the volume's device, null if there is none. */
    @Nullable
    public VolumeId unidentifiedDevice(VolumeId id) {
        return present(id, () -> UnidentifiedMount.ofDevice(id.plugin(), NodeLayout.deviceName(id)));
    }

    /** The unidentified mount at the path of the volume for this pod, null if there is none. */
    @Nullable
    public VolumeId unidentifiedMount(VolumeId id, String podUid, String outerName) {
        return present(id, () -> UnidentifiedMount.ofPod(id.plugin(), podUid, outerName));
    }

    private @Nullable VolumeId present(VolumeId identified, Supplier<VolumeId> twin) {
        if (unidentified == 0 || UnidentifiedMount.is(identified)) {
            return null;
        }
        VolumeId id = twin.get();
        return volumes.containsKey(id) ? id : null;
    }

    /**
     * Another volume that is, or may be, mounted at this volume's path for the pod, null if there is none. A pod's
     * name for a volume can later mean another volume. An unidentified mount does not count, because it may be this
     * volume.
     */
    @Nullable
    public VolumeId inTheWayOf(ResolvedVolume wanted) {
        VolumeId id = wanted.id();
        for (VolumeId other : mountedAs(wanted.podUid(), wanted.outerName())) {
            if (other.plugin().equals(id.plugin()) && !other.equals(id) && !UnidentifiedMount.is(other)) {
                ActualVolume volume = volumes.get(other);
                MountRow mount = volume == null ? null : volume.mount(wanted.podUid());
                if (mount != null
                        && mount.block() == wanted.block()
                        && mount.outerName().equals(wanted.outerName())) {
                    return other;
                }
            }
        }
        return null;
    }

    /** The pod's volumes with a mount, certain or not. Contains at least all volumes under that name. */
    public Set<VolumeId> mountedAs(String podUid, String outerName) {
        Set<VolumeId> ofPod = byPod.get(podUid);
        return byName.of(podUid, outerName, ofPod);
    }

    private String nameOf(VolumeId id, String podUid) {
        ActualVolume volume = volumes.get(id);
        MountRow mount = volume == null ? null : volume.mount(podUid);
        return mount == null ? "" : mount.outerName();
    }

    /** Whether any volume has a mount, certain or not, for the pod. */
    public boolean hasMounts(String podUid) {
        return byPod.containsKey(podUid);
    }

    /** Volumes with a mount, certain or not, for the pod. */
    public Set<VolumeId> ofPod(String podUid) {
        return byPod.get(podUid);
    }

    /** Pods with a mount, certain or not. */
    Set<String> pods() {
        return byPod.keys();
    }

    public Collection<ActualVolume> all() {
        return Collections.unmodifiableCollection(volumes.values());
    }

    public List<VolumeId> ids() {
        return new ArrayList<>(volumes.keySet());
    }
}
