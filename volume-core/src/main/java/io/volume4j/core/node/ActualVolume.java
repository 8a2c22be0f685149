package io.volume4j.core.node;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume in the actual state of world: its row, and a row for each pod. Loop thread only. */
final class ActualVolume {
    private VolumeRow row;
    private Map<String, MountRow> mounts = Map.of();
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
        return Collections.unmodifiableMap(mounts);
    }

    boolean anyMounts() {
        return !mounts.isEmpty();
    }

    /** Whether the pod had none before. */
    boolean put(MountRow mount) {
        boolean isNew = !mounts.containsKey(mount.podUid());
        mounts = Few.with(mounts, mount.podUid(), mount);
        return isNew;
    }

    /** Whether the pod had one. */
    boolean remove(String podUid) {
        boolean was = mounts.containsKey(podUid);
        mounts = Few.without(mounts, podUid);
        return was;
    }

    @Nullable
    MountRow mount(String podUid) {
        return mounts.get(podUid);
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
