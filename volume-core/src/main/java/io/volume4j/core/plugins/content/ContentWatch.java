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
 * Which volumes show which secrets, config maps and trust bundles, so that a change of one sets up again the volumes that show it and no
 * others. What a restart loses comes back with the set-up that follows every restart. Thread-safe.
 */
public final class ContentWatch {
    /** Things that may change. All trust bundles are one: a selector may match a new one. */
    public enum Thing {
        SECRET,
        CONFIG_MAP,
        TRUST_BUNDLES
    }

    /** Where files come from; the names are {@code ""} for a thing that has none. */
    public record Origin(Thing thing, String namespace, String name) {
        public static Origin trustBundles() {
            return new Origin(Thing.TRUST_BUNDLES, "", "");
        }
    }

    private final List<Consumer<VolumeId>> listeners = new CopyOnWriteArrayList<>();
    private final Map<Origin, Set<VolumeId>> volumes = new HashMap<>();
    private final Map<VolumeId, Set<Origin>> origins = new HashMap<>();
    /** Volumes whose set-up began before the last change that concerns them. */
    private final Set<VolumeId> overtaken = new HashSet<>();

    public void listen(Consumer<VolumeId> listener) {
        listeners.add(listener);
    }

    synchronized void begin(VolumeId volume) {
        overtaken.remove(volume);
    }

    /** To be called before the origin is read, so that no change falls between. */
    synchronized void shows(VolumeId volume, Origin origin) {
        origins.computeIfAbsent(volume, v -> new LinkedHashSet<>(2)).add(origin);
        volumes.computeIfAbsent(origin, o -> new LinkedHashSet<>(2)).add(volume);
    }

    /**
     * The set-up is done, and the volume shows these and no others.
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
