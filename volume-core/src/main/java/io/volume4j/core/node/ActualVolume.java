package io.volume4j.core.node;

import io.volume4j.core.tables.DenseMap;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume in the actual state of world: its row, and a row for each pod. Loop thread only. */
final class ActualVolume {
    private VolumeRow row;
    /** Nearly always one pod has it; that is kept without a table. */
    private @Nullable MountRow only;

    private Map<String, MountRow> several = Map.of();
    private Set<String> asked = Set.of();
    private Set<String> underWay = Set.of();
    private boolean expansionInUse;

    ActualVolume(VolumeRow row) {
        this.row = row;
    }

    VolumeRow row() {
        return row;
    }

    void row(VolumeRow newRow) {
        row = newRow;
    }

    /** By the pods' UIDs. */
    Map<String, MountRow> mounts() {
        return only == null ? Collections.unmodifiableMap(several) : Map.of(only.podUid(), only);
    }

    boolean anyMounts() {
        return only != null || !several.isEmpty();
    }

    /** Whether the pod had none before. */
    boolean put(MountRow mount) {
        boolean isNew = mount(mount.podUid()) == null;
        if (several.isEmpty() && (only == null || !isNew)) {
            only = mount;
            return isNew;
        }
        if (only != null) {
            several = new DenseMap<>(Map.of(only.podUid(), only));
            only = null;
        }
        several.put(mount.podUid(), mount);
        return isNew;
    }

    /** Whether the pod had one. */
    boolean remove(String podUid) {
        boolean was = mount(podUid) != null;
        if (only == null) {
            several = Few.without(several, podUid);
        } else if (was) {
            only = null;
        }
        return was;
    }

    @Nullable
    MountRow mount(String podUid) {
        return only == null ? several.get(podUid) : only.podUid().equals(podUid) ? only : null;
    }

    /** Whether the last try to expand it failed because it was in use. */
    boolean expansionInUse() {
        return expansionInUse;
    }

    void expansionInUse(boolean value) {
        expansionInUse = value;
    }

    boolean remountWanted(String podUid) {
        return asked.contains(podUid) || underWay.contains(podUid);
    }

    void wantRemount(String podUid) {
        asked = with(asked, podUid);
    }

    /** A mount is being made: what was asked before is answered by it. */
    void mounting(String podUid) {
        asked = without(asked, podUid);
    }

    /** The same of a mount that is there; what is asked from now on is not answered by the call that is made now. */
    void remounting(String podUid) {
        asked = without(asked, podUid);
        underWay = with(underWay, podUid);
    }

    void remounted(String podUid, boolean succeeded) {
        underWay = without(underWay, podUid);
        if (!succeeded) {
            wantRemount(podUid);
        }
    }

    void forgetRemount(String podUid) {
        asked = without(asked, podUid);
        underWay = without(underWay, podUid);
    }

    private static Set<String> with(Set<String> set, String podUid) {
        Set<String> more = new LinkedHashSet<>(set);
        more.add(podUid);
        return more;
    }

    /** Nearly always nobody asks for anything, and then nothing is kept. */
    private static Set<String> without(Set<String> set, String podUid) {
        if (!set.contains(podUid)) {
            return set;
        }
        Set<String> less = new LinkedHashSet<>(set);
        less.remove(podUid);
        return less.isEmpty() ? Set.of() : less;
    }
}
