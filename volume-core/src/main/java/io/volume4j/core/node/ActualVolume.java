package io.volume4j.core.node;

import io.volume4j.core.tables.DenseMap;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One volume in the actual state of world: its row, and a row for each pod. Loop thread only. */
final class ActualVolume {
    /**
     * Null while nothing is known of the volume but that the only mount is one of it, as it is with what is made for a pod on
     * the node: that row can be made whenever somebody asks.
     */
    private @Nullable VolumeRow row;
    /** Nearly always one pod has it; that is kept without a table. */
    private @Nullable MountRow only;

    private Map<String, MountRow> several = Map.of();
    private Remounts remounts = Remounts.none();
    private boolean settingUp;
    private boolean attaching;
    private boolean expansionInUse;
    private boolean migrated;

    ActualVolume(VolumeRow row) {
        this.row = row;
    }

    VolumeRow row() {
        return row != null || only == null ? Objects.requireNonNull(row) : VolumeRow.unknown(only);
    }

    void row(VolumeRow newRow) {
        row = newRow;
    }

    /** By the pods' UIDs. */
    Map<String, MountRow> mounts() {
        return only == null ? Collections.unmodifiableMap(several) : Map.of(only.podUid(), only);
    }

    /** Whether its mounts, by the pods' UIDs, are in these states and there are no others; makes nothing. */
    boolean mountsAre(Map<String, MountState> states) {
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

    boolean anyMounts() {
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
    MountRow mount(String podUid) {
        return only == null ? several.get(podUid) : only.podUid().equals(podUid) ? only : null;
    }

    /** Whether its device is being mounted now, as what its row says. */
    boolean settingUp() {
        return settingUp;
    }

    void settingUp(boolean value) {
        settingUp = value;
    }

    /** Whether it is being attached now, which its row does not tell before that has ended. */
    boolean attaching() {
        return attaching;
    }

    void attaching(boolean value) {
        attaching = value;
    }

    /** Whether the last try to expand it failed because it was in use. */
    boolean expansionInUse() {
        return expansionInUse;
    }

    void expansionInUse(boolean value) {
        expansionInUse = value;
    }

    /** Whether those who want it, or wanted it last, describe it as before there were CSI drivers; for measurements. */
    boolean migrated() {
        return migrated;
    }

    void migrated(boolean value) {
        migrated = value;
    }

    boolean remountWanted(String podUid) {
        return remounts.wanted(podUid);
    }

    void wantRemount(String podUid) {
        remounts = remounts.asked(podUid);
    }

    /** A mount is being made: what was asked before is answered by it. */
    void mounting(String podUid) {
        remounts = remounts.answered(podUid);
    }

    /** The same of a mount that is there; what is asked from now on is not answered by the call that is made now. */
    void remounting(String podUid) {
        remounts = remounts.begun(podUid);
    }

    void remounted(String podUid, boolean succeeded) {
        remounts = succeeded ? remounts.ended(podUid) : remounts.ended(podUid).asked(podUid);
    }

    void forgetRemount(String podUid) {
        remounts = remounts.answered(podUid).ended(podUid);
    }
}
