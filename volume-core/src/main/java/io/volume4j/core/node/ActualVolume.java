package io.volume4j.core.node;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume in the actual state of world: its row, and a row for each pod. Loop thread only. */
final class ActualVolume {
    private VolumeRow row;
    private final Map<String, MountRow> mounts = new LinkedHashMap<>(2);
    private @Nullable Set<String> remounts;

    ActualVolume(VolumeRow row) {
        this.row = row;
    }

    VolumeRow row() {
        return row;
    }

    void row(VolumeRow newRow) {
        row = newRow;
    }

    Map<String, MountRow> mounts() {
        return mounts;
    }

    @Nullable
    MountRow mount(String podUid) {
        return mounts.get(podUid);
    }

    boolean remountWanted(String podUid) {
        return remounts != null && remounts.contains(podUid);
    }

    void wantRemount(String podUid) {
        if (remounts == null) {
            remounts = new LinkedHashSet<>();
        }
        remounts.add(podUid);
    }

    void remounted(String podUid) {
        if (remounts != null) {
            remounts.remove(podUid);
            remounts = remounts.isEmpty() ? null : remounts;
        }
    }
}
