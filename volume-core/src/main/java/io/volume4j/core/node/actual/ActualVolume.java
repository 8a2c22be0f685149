package io.volume4j.core.node.actual;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.tables.DenseMap;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One volume in the actual state of world: its row, and a row for each pod. Loop thread only. */
public final class ActualVolume {
    /**
     * Null while only the pod's mount is known of the volume, as for a volume without a device step. {@link #row()}
     * then derives the row from the mount.
     */
    private @Nullable VolumeRow row;
    /** The mount, if only one pod has the volume. Saves a table in the usual case. */
    private @Nullable MountRow only;

    private Map<String, MountRow> several = Map.of();
    private PendingRemounts remounts = PendingRemounts.none();
    private @Nullable PendingParts parts;
    private boolean settingUp;
    private boolean attaching;
    private boolean detaching;
    private boolean expansionInUse;
    private boolean migrated;

    ActualVolume(VolumeRow row) {
        this.row = row;
    }

    public VolumeRow row() {
        return row != null || only == null ? Objects.requireNonNull(row) : VolumeRow.unknown(only);
    }

    public void row(VolumeRow newRow) {
        row = newRow;
    }

    /** Whether the volume is a raw device for its pods. */
    public boolean block() {
        MountRow mount = row == null ? only : null;
        return mount == null ? row().block() : mount.block();
    }

    /** One for each pod. */
    public Collection<MountRow> mounts() {
        return only == null ? Collections.unmodifiableCollection(several.values()) : List.of(only);
    }

    /** Whether the volume has exactly these mounts, by pod UID, in these states. Allocates nothing. */
    public boolean mountsAre(Map<String, MountState> states) {
        if (only != null) {
            return states.size() == 1 && states.get(only.podUid()) == only.state();
        }
        if (states.size() != several.size()) {
            return false;
        }
        for (MountRow mount : several.values()) {
            if (states.get(mount.podUid()) != mount.state()) {
                return false;
            }
        }
        return true;
    }

    public boolean anyMounts() {
        return only != null || !several.isEmpty();
    }

    /** Returns whether the pod had no mount before. */
    boolean put(MountRow mount) {
        VolumeRow known = row();
        boolean isNew = mount(mount.podUid()) == null;
        if (several.isEmpty() && (only == null || !isNew)) {
            only = mount;
            row = known.saysNoMoreThan(mount) ? null : known;
            return isNew;
        }
        row = known;
        if (only != null) {
            several = new DenseMap<>(Map.of(only.podUid(), only));
            only = null;
        }
        several.put(mount.podUid(), mount);
        return isNew;
    }

    /** Returns whether the pod had a mount. */
    boolean remove(String podUid) {
        if (mount(podUid) == null) {
            return false;
        }
        row = row();
        if (only != null) {
            only = null;
        } else if (several.size() == 1) {
            several = Map.of();
        } else {
            several.remove(podUid);
        }
        return true;
    }

    @Nullable
    public MountRow mount(String podUid) {
        return only == null ? several.get(podUid) : only.podUid().equals(podUid) ? only : null;
    }

    /** Whether a call that mounts its device, as its row describes it, is under way. */
    public boolean settingUp() {
        return settingUp;
    }

    public void settingUp(boolean value) {
        settingUp = value;
    }

    /** Whether a call that attaches it is under way. The row says so only after the call. */
    public boolean attaching() {
        return attaching;
    }

    public void attaching(boolean value) {
        attaching = value;
    }

    /** Whether a call of this node that detaches it is under way. */
    public boolean detaching() {
        return detaching;
    }

    public void detaching(boolean value) {
        detaching = value;
    }

    /** Whether the last expansion failed because the volume was in use. */
    public boolean expansionInUse() {
        return expansionInUse;
    }

    public void expansionInUse(boolean value) {
        expansionInUse = value;
    }

    /**
     * Whether the pods that use it, or used it last, refer to an in-tree volume that is migrated to CSI. For metrics.
     */
    public boolean migrated() {
        return migrated;
    }

    public void migrated(boolean value) {
        migrated = value;
    }

    public boolean remountWanted(String podUid) {
        return remounts.wanted(podUid);
    }

    public void wantRemount(String podUid) {
        remounts = remounts.asked(podUid);
    }

    /** A mount call begins. It covers all earlier remount requests. */
    public void mounting(String podUid) {
        remounts = remounts.answered(podUid);
    }

    /** A remount call begins. It covers earlier requests, but not later ones. */
    public void remounting(String podUid) {
        remounts = remounts.begun(podUid);
    }

    public void remounted(String podUid, boolean succeeded) {
        remounts = succeeded ? remounts.ended(podUid) : remounts.ended(podUid).asked(podUid);
    }

    /** Whether the node must bind subPaths of it for ephemeral containers of the pod. */
    public boolean partsWanted(String podUid) {
        return parts != null && parts.wanted(podUid);
    }

    /**
     * Why those subPaths are not bound: {@code ""} before the first try has ended; null if there is nothing to bind.
     */
    public @Nullable String partsFailure(String podUid) {
        return parts == null ? null : parts.failure(podUid);
    }

    public void wantParts(String podUid) {
        if (parts == null) {
            parts = new PendingParts();
        }
        parts.want(podUid);
    }

    /** A call that binds subPaths begins. It does not cover later requests. */
    public void bindingParts(String podUid) {
        if (parts != null) {
            parts.binding(podUid);
        }
    }

    /** @param failure {@code ""} for a success */
    public void partsBound(String podUid, String failure) {
        if (parts != null) {
            parts.ended(podUid, failure);
            parts = parts.isEmpty() ? null : parts;
        }
    }

    void forgetRemount(String podUid) {
        remounts = remounts.answered(podUid).ended(podUid);
        if (parts != null) {
            parts.forget(podUid);
            parts = parts.isEmpty() ? null : parts;
        }
    }
}
