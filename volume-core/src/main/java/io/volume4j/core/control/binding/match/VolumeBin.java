package io.volume4j.core.control.binding.match;

import io.volume4j.core.control.binding.match.SizeIndex.Place;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.SelectorRequirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Volumes that differ only in size, labels and place, ordered by size. Besides the index of all volumes there is one for each label
 * and one for each node affinity. So a search with a selector or a node does not visit all volumes that do not match it.
 */
final class VolumeBin {
    private record Label(String key, String value) {}

    private final SizeIndex all = new SizeIndex();
    private final Map<Label, SizeIndex> byLabel = new HashMap<>();

    /** Indexed by the affinities' numbers. */
    private final List<@Nullable SizeIndex> byAffinity = new ArrayList<>();

    /** Volumes without an affinity; null while all volumes have none, for example without local volumes. */
    private @Nullable SizeIndex anywhere;

    /** @param affinity the shared object for the volume's affinity; null for none */
    void add(Place place, PersistentVolume volume, @Nullable Affinity affinity) {
        SizeIndex.Standing standing = new SizeIndex.Standing(place, volume);
        all.put(standing);
        volume.metadata()
                .labels()
                .forEach((key, value) -> byLabel.computeIfAbsent(new Label(key, value), label -> new SizeIndex())
                        .put(standing));
        if (affinity != null) {
            if (anywhere == null) {
                anywhere = all.copy();
                anywhere.remove(place);
            }
            at(affinity).put(standing);
        } else if (anywhere != null) {
            anywhere.put(standing);
        }
    }

    /** Removes the volume; all arguments must be equal to those of the add call. */
    void remove(Place place, PersistentVolume volume, @Nullable Affinity affinity) {
        all.remove(place);
        volume.metadata().labels().forEach((key, value) -> removeFrom(byLabel, new Label(key, value), place));
        if (affinity == null) {
            if (anywhere != null) {
                anywhere.remove(place);
            }
        } else {
            @Nullable SizeIndex here = of(affinity);
            if (here != null && here.remove(place) && here.size() == 0) {
                byAffinity.set(affinity.number(), null);
            }
        }
    }

    private SizeIndex anywhere() {
        return anywhere == null ? all : anywhere;
    }

    private @Nullable SizeIndex of(Affinity affinity) {
        int number = affinity.number();
        return number < byAffinity.size() ? byAffinity.get(number) : null;
    }

    private SizeIndex at(Affinity affinity) {
        while (byAffinity.size() <= affinity.number()) {
            byAffinity.add(null);
        }
        @Nullable SizeIndex known = byAffinity.get(affinity.number());
        if (known != null) {
            return known;
        }
        SizeIndex made = new SizeIndex();
        byAffinity.set(affinity.number(), made);
        return made;
    }

    boolean isEmpty() {
        return all.size() == 0;
    }

    /**
     * The smallest volume that fits, null if none does.
     *
     * @param affinities the affinities that select the claim's node; ignored for a claim without a node
     */
    @Nullable
    PersistentVolume smallest(ClaimNeeds needs, Set<Affinity> affinities) {
        Place from = Place.before(needs.bytes());
        SizeIndex.@Nullable Standing best = null;
        for (SizeIndex candidates : narrowest(needs, affinities)) {
            SizeIndex.@Nullable Standing first = candidates.first(
                    from,
                    each -> Fit.selected(each.volume(), needs.selector())
                            && Fit.reachable(each.volume(), needs.node()));
            if (first != null && (best == null || first.place().compareTo(best.place()) < 0)) {
                best = first;
            }
        }
        return best == null ? null : best.volume();
    }

    /**
     * The smallest volume with one affinity, or without affinity, that fits apart from the claim's node; null if none does.
     *
     * @param from a position before all volumes that are large enough
     */
    SizeIndex.@Nullable Standing smallestOf(
            Place from, @Nullable Affinity affinity, Predicate<SizeIndex.Standing> fits) {
        @Nullable SizeIndex candidates = affinity == null ? anywhere() : of(affinity);
        return candidates == null ? null : candidates.first(from, fits);
    }

    /** The indexes that together contain every volume that can fit, chosen to contain as few others as possible. */
    private List<SizeIndex> narrowest(ClaimNeeds needs, Set<Affinity> affinities) {
        List<SizeIndex> best = List.of(all);
        if (needs.node() != null) {
            List<SizeIndex> here = new ArrayList<>();
            here.add(anywhere());
            affinities.forEach(affinity -> addIfPresent(here, of(affinity)));
            best = fewer(best, here);
        }
        @Nullable LabelSelector selector = needs.selector();
        if (selector != null) {
            for (Map.Entry<String, String> label : selector.matchLabels().entrySet()) {
                List<SizeIndex> labelled = new ArrayList<>();
                addIfPresent(labelled, byLabel.get(new Label(label.getKey(), label.getValue())));
                best = fewer(best, labelled);
            }
            for (SelectorRequirement requirement : selector.matchExpressions()) {
                if (requirement.operator().equals("In")) {
                    List<SizeIndex> labelled = new ArrayList<>();
                    requirement.values().stream()
                            .distinct()
                            .forEach(value -> addIfPresent(labelled, byLabel.get(new Label(requirement.key(), value))));
                    best = fewer(best, labelled);
                }
            }
        }
        return best;
    }

    private static List<SizeIndex> fewer(List<SizeIndex> left, List<SizeIndex> right) {
        return size(right) < size(left) ? right : left;
    }

    private static long size(List<SizeIndex> sets) {
        return sets.stream().mapToLong(SizeIndex::size).sum();
    }

    private static void addIfPresent(List<SizeIndex> sets, @Nullable SizeIndex set) {
        if (set != null) {
            sets.add(set);
        }
    }

    private static void removeFrom(Map<Label, SizeIndex> sets, Label key, Place place) {
        SizeIndex set = sets.get(key);
        if (set != null && set.remove(place) && set.size() == 0) {
            sets.remove(key);
        }
    }
}
