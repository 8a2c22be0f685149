package io.volume4j.core.plugins.content;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The volumes that show each secret, config map and trust bundle, so that a change remounts exactly these volumes. The
 * data is lost at a restart, and the remount that follows every restart restores it. Thread-safe.
 */
public final class ContentWatch {
    /** Kinds of objects that may change. All trust bundles count as one, because a selector may match a new one. */
    public enum Thing {
        SECRET,
        CONFIG_MAP,
        TRUST_BUNDLES
    }

    /** The source of files. The names are {@code ""} for a thing without one. */
    public record Origin(Thing thing, String namespace, String name) {
        public static Origin trustBundles() {
            return new Origin(Thing.TRUST_BUNDLES, "", "");
        }
    }

    private final List<Consumer<VolumeId>> listeners = new CopyOnWriteArrayList<>();
    private final Map<Origin, Set<VolumeId>> volumes = new HashMap<>();
    private final Map<VolumeId, Set<Origin>> origins = new HashMap<>();
    /** Volumes whose set-up began before the last change of an object that they show. */
    private final Set<VolumeId> overtaken = new HashSet<>();

    public void listen(Consumer<VolumeId> listener) {
        listeners.add(listener);
    }

    synchronized void begin(VolumeId volume) {
        overtaken.remove(volume);
    }

    /** The caller must call it before it reads the origin, so that no change is lost. */
    synchronized void shows(VolumeId volume, Origin origin) {
        origins.computeIfAbsent(volume, v -> new LinkedHashSet<>(2)).add(origin);
        volumes.computeIfAbsent(origin, o -> new LinkedHashSet<>(2)).add(volume);
    }

    /**
     * The set-up has ended, and the volume shows exactly these origins.
     *
     * @return whether one of them may have changed since the set-up began
     */
    synchronized boolean end(VolumeId volume, Set<Origin> shown) {
        for (Origin origin : new ArrayList<>(origins.getOrDefault(volume, Set.of()))) {
            if (!shown.contains(origin)) {
                forget(volume, origin);
            }
        }
        return overtaken.remove(volume);
    }

    synchronized void gone(VolumeId volume) {
        new ArrayList<>(origins.getOrDefault(volume, Set.of())).forEach(origin -> forget(volume, origin));
        overtaken.remove(volume);
    }

    public void changed(Origin origin) {
        List<VolumeId> concerned;
        synchronized (this) {
            concerned = new ArrayList<>(volumes.getOrDefault(origin, Set.of()));
            overtaken.addAll(concerned);
        }
        concerned.forEach(volume -> listeners.forEach(listener -> listener.accept(volume)));
    }

    private void forget(VolumeId volume, Origin origin) {
        remove(origins, volume, origin);
        remove(volumes, origin, volume);
    }

    private static <K, V> void remove(Map<K, Set<V>> index, K key, V value) {
        index.computeIfPresent(key, (same, values) -> {
            values.remove(value);
            return values.isEmpty() ? null : values;
        });
    }
}
