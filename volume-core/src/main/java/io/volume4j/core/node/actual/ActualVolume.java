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
     * Null while nothing is known of the volume but that the only mount is one of it, as it is with what is made for a pod on
     * the node: that row is made when a caller asks for it.
     */
    private @Nullable VolumeRow row;
    /** Nearly always one pod has it; that is kept without a table. */
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

    /** Whether pods get it as a raw device. */
    public boolean block() {
        MountRow mount = row == null ? only : null;
        return mount == null ? row().block() : mount.block();
    }

    /** One for each pod. */
    public Collection<MountRow> mounts() {
        return only == null ? Collections.unmodifiableCollection(several.values()) : List.of(only);
    }

    /** Whether its mounts, by the pods' UIDs, are in these states and there are no others; makes nothing. */
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

    /** Whether the pod had none before. */
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

    /** Whether the pod had one. */
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

    /** Whether its device is being mounted now, as what its row says. */
    public boolean settingUp() {
        return settingUp;
    }

    public void settingUp(boolean value) {
        settingUp = value;
    }

    /** Whether it is being attached now, which its row does not tell before that has ended. */
    public boolean attaching() {
        return attaching;
    }

    public void attaching(boolean value) {
        attaching = value;
    }

    /** Whether it is being detached now by this node. */
    public boolean detaching() {
        return detaching;
    }

    public void detaching(boolean value) {
        detaching = value;
    }

    /** Whether the last try to expand it failed because it was in use. */
    public boolean expansionInUse() {
        return expansionInUse;
    }

    public void expansionInUse(boolean value) {
        expansionInUse = value;
    }

    /** Whether those who want it, or wanted it last, describe it as before there were CSI drivers; for measurements. */
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

    /** A mount is being made: what was asked before is answered by it. */
    public void mounting(String podUid) {
        remounts = remounts.answered(podUid);
    }

    /** The same of a mount that is there; what is asked from now on is not answered by the call that is made now. */
    public void remounting(String podUid) {
        remounts = remounts.begun(podUid);
    }

    public void remounted(String podUid, boolean succeeded) {
        remounts = succeeded ? remounts.ended(podUid) : remounts.ended(podUid).asked(podUid);
    }

    /** Whether parts of it are to be bound for ephemeral containers of the pod. */
    public boolean partsWanted(String podUid) {
        return parts != null && parts.wanted(podUid);
    }

    /** Why they are not bound yet: {@code ""} before the first try has ended; null if none is to be bound. */
    public @Nullable String partsFailure(String podUid) {
        return parts == null ? null : parts.failure(podUid);
    }

    public void wantParts(String podUid) {
        if (parts == null) {
            parts = new PendingParts();
        }
        parts.want(podUid);
    }

    /** What is wanted from now on is not bound by the call that is made now. */
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
