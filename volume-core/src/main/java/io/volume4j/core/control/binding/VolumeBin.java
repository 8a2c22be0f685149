package io.volume4j.core.control.binding;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Volumes that differ in size, labels and place only, ordered by size. Beside the order of all there is one for each
 * label and one for each node affinity, so that a claim with a selector or a node does not pass by all the volumes that
 * are not for it.
 */
final class VolumeBin {
    /** Where a volume stands: ordered by whole bytes, then by name. */
    record Place(long bytes, String name) implements Comparable<Place> {
        static Place of(PersistentVolume volume) {
            return new Place(Fit.bytes(volume), volume.metadata().name());
        }

        @Override
        public int compareTo(Place other) {
            int bySize = Long.compare(bytes, other.bytes);
            return bySize != 0 ? bySize : name.compareTo(other.name);
        }
    }

    private record Label(String key, String value) {}

    private final NavigableMap<Place, PersistentVolume> all = new TreeMap<>();
    private final Map<Label, NavigableMap<Place, PersistentVolume>> byLabel = new HashMap<>();
    private final Map<Affinity, NavigableMap<Place, PersistentVolume>> byAffinity = new HashMap<>();
    private final NavigableMap<Place, PersistentVolume> anywhere = new TreeMap<>();

    void add(Place place, PersistentVolume volume) {
        all.put(place, volume);
        volume.metadata()
                .labels()
                .forEach((key, value) -> byLabel.computeIfAbsent(new Label(key, value), label -> new TreeMap<>())
                        .put(place, volume));
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (affinity == null) {
            anywhere.put(place, volume);
        } else {
            byAffinity
                    .computeIfAbsent(new Affinity(affinity), a -> new TreeMap<>())
                    .put(place, volume);
        }
    }

    /** Takes the volume out; it must be equal to what was added at the place. */
    void remove(Place place, PersistentVolume volume) {
        all.remove(place);
        volume.metadata().labels().forEach((key, value) -> removeFrom(byLabel, new Label(key, value), place));
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (affinity == null) {
            anywhere.remove(place);
        } else {
            removeFrom(byAffinity, new Affinity(affinity), place);
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * The smallest volume that fits, null if none does.
     *
     * @param affinities those that choose the claim's node; not looked at for a claim without a node
     */
    @Nullable
    PersistentVolume smallest(ClaimNeeds needs, Set<NodeSelector> affinities) {
        Map.@Nullable Entry<Place, PersistentVolume> best = null;
        for (NavigableMap<Place, PersistentVolume> candidates : narrowest(needs, affinities)) {
            Map.@Nullable Entry<Place, PersistentVolume> first = smallestOf(candidates, needs);
            if (first != null && (best == null || first.getKey().compareTo(best.getKey()) < 0)) {
                best = first;
            }
        }
        return best == null ? null : best.getValue();
    }

    /** The smallest volume of one affinity, or of none, that fits wherever the claim's node is; null if none does. */
    Map.@Nullable Entry<Place, PersistentVolume> smallestOf(
            ClaimNeeds needs, @Nullable Affinity affinity, Predicate<PersistentVolume> excluded) {
        @Nullable
        NavigableMap<Place, PersistentVolume> candidates = affinity == null ? anywhere : byAffinity.get(affinity);
        Map.@Nullable Entry<Place, PersistentVolume> entry =
                candidates == null ? null : candidates.ceilingEntry(new Place(needs.bytes(), ""));
        while (candidates != null && entry != null) {
            if (Fit.selected(entry.getValue(), needs.selector()) && !excluded.test(entry.getValue())) {
                return entry;
            }
            entry = candidates.higherEntry(entry.getKey());
        }
        return null;
    }

    private static Map.@Nullable Entry<Place, PersistentVolume> smallestOf(
            NavigableMap<Place, PersistentVolume> candidates, ClaimNeeds needs) {
        // No volume has an empty name, so this is before all volumes of the size.
        Map.@Nullable Entry<Place, PersistentVolume> entry = candidates.ceilingEntry(new Place(needs.bytes(), ""));
        while (entry != null) {
            if (Fit.selected(entry.getValue(), needs.selector()) && Fit.reachable(entry.getValue(), needs.node())) {
                return entry;
            }
            entry = candidates.higherEntry(entry.getKey());
        }
        return null;
    }

    /** The sets that together hold every volume that can fit, chosen so that as few others as possible are in them. */
    private List<NavigableMap<Place, PersistentVolume>> narrowest(ClaimNeeds needs, Set<NodeSelector> affinities) {
        List<NavigableMap<Place, PersistentVolume>> best = List.of(all);
        if (needs.node() != null) {
            List<NavigableMap<Place, PersistentVolume>> here = new ArrayList<>();
            here.add(anywhere);
            affinities.forEach(affinity -> addIfPresent(here, byAffinity.get(new Affinity(affinity))));
            best = fewer(best, here);
        }
        @Nullable LabelSelector selector = needs.selector();
        if (selector != null) {
            for (Map.Entry<String, String> label : selector.matchLabels().entrySet()) {
                List<NavigableMap<Place, PersistentVolume>> labelled = new ArrayList<>();
                addIfPresent(labelled, byLabel.get(new Label(label.getKey(), label.getValue())));
                best = fewer(best, labelled);
            }
            for (SelectorRequirement requirement : selector.matchExpressions()) {
                if (requirement.operator().equals("In")) {
                    List<NavigableMap<Place, PersistentVolume>> labelled = new ArrayList<>();
                    requirement.values().stream()
                            .distinct()
                            .forEach(value -> addIfPresent(labelled, byLabel.get(new Label(requirement.key(), value))));
                    best = fewer(best, labelled);
                }
            }
        }
        return best;
    }

    private static List<NavigableMap<Place, PersistentVolume>> fewer(
            List<NavigableMap<Place, PersistentVolume>> left, List<NavigableMap<Place, PersistentVolume>> right) {
        return size(right) < size(left) ? right : left;
    }

    private static long size(List<NavigableMap<Place, PersistentVolume>> sets) {
        return sets.stream().mapToLong(NavigableMap::size).sum();
    }

    private static void addIfPresent(
            List<NavigableMap<Place, PersistentVolume>> sets, @Nullable NavigableMap<Place, PersistentVolume> set) {
        if (set != null) {
            sets.add(set);
        }
    }

    private static <K> void removeFrom(Map<K, NavigableMap<Place, PersistentVolume>> sets, K key, Place place) {
        NavigableMap<Place, PersistentVolume> set = sets.get(key);
        if (set != null && set.remove(place) != null && set.isEmpty()) {
            sets.remove(key);
        }
    }
}
