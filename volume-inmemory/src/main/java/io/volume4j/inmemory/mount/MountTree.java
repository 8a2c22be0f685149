package io.volume4j.inmemory.mount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All mounts, in the order of their creation. Guarded by the machine. */
final class MountTree {
    private final Map<Long, Mount> mounts = new LinkedHashMap<>();
    private final IdentityHashMap<Inode, List<Mount>> covering = new IdentityHashMap<>();
    private @Nullable TableSnapshot table;

    void add(Mount mount) {
        mounts.put(mount.id, mount);
        mount.filesystem.mounts++;
        if (mount.parent != null) {
            mount.parent.children++;
        }
        if (mount.covered != null) {
            covering.computeIfAbsent(mount.covered, unused -> new ArrayList<>(1))
                    .add(mount);
        }
        table = null;
    }

    void remove(Mount mount) {
        mounts.remove(mount.id);
        mount.detached = true;
        mount.filesystem.mounts--;
        if (mount.parent != null) {
            mount.parent.children--;
        }
        if (mount.covered != null) {
            covering.computeIfPresent(mount.covered, (unused, on) -> {
                on.remove(mount);
                return on.isEmpty() ? null : on;
            });
        }
        table = null;
    }

    /** Changes options of the filesystem, which all its mounts show; other options stay. */
    void reconfigured(Filesystem filesystem, List<String> options) {
        for (Mount mount : mounts.values()) {
            if (mount.filesystem == filesystem) {
                mount.reconfigured(options);
            }
        }
        table = null;
    }

    /** What a path finds at a place: the place itself, or the root of the topmost mount on it. */
    Place topmost(Place place) {
        Place top = place;
        for (Mount on = on(top); on != null; on = on(top)) {
            top = new Place(on, on.root);
        }
        return top;
    }

    private @Nullable Mount on(Place place) {
        for (Mount mount : covering.getOrDefault(place.inode(), List.of())) {
            if (mount.parent == place.mount()) {
                return mount;
            }
        }
        return null;
    }

    boolean covers(Inode inode) {
        return covering.containsKey(inode);
    }

    List<Mount> all() {
        return new ArrayList<>(mounts.values());
    }

    List<Mount> below(Path path) {
        return mounts.values().stream()
                .filter(mount -> mount.point.startsWith(path))
                .toList();
    }

    TableSnapshot table() {
        if (table == null) {
            table = new TableSnapshot(mounts.values().stream().map(Mount::entry).toList());
        }
        return table;
    }
}
