package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Claims without a fitting volume. When a volume becomes available, this index finds the claim with the largest request that the
 * volume can serve, without waking all claims. Claims that differ only in size form a group, and each group needs one check of the
 * rules. Loop thread only.
 */
public final class WaitingClaims {
    private record Group(int modes, @Nullable LabelSelector selector, ClaimNeeds.@Nullable Place node) {}

    /** Ordered by size. Of equal sizes the earliest arrival is the last, because searches start from above. */
    private record Waiting(long bytes, long arrival, ObjectKey claim) implements Comparable<Waiting> {
        private static final Comparator<Waiting> ORDER =
                Comparator.comparingLong(Waiting::bytes).thenComparing(Waiting::arrival, Comparator.reverseOrder());

        @Override
        public int compareTo(Waiting other) {
            return ORDER.compare(this, other);
        }
    }

    private record Place(BinKey bin, Group group, Waiting waiting) {}

    private final Map<BinKey, Map<Group, TreeSet<Waiting>>> bins = new HashMap<>();
    private final Map<ObjectKey, Place> places = new HashMap<>();
    private long arrivals;

    /** Notes that the claim found no volume. A claim with unchanged needs keeps its place. */
    public void put(ClaimNeeds needs) {
        BinKey bin = BinKey.of(needs);
        Group group = new Group(needs.modes(), needs.selector(), needs.node());
        @Nullable Place place = places.get(needs.key());
        if (place != null
                && place.bin().equals(bin)
                && place.group().equals(group)
                && place.waiting().bytes() == needs.bytes()) {
            return;
        }
        remove(needs.key());
        Waiting waiting = new Waiting(needs.bytes(), arrivals++, needs.key());
        bins.computeIfAbsent(bin, s -> new LinkedHashMap<>())
                .computeIfAbsent(group, g -> new TreeSet<>())
                .add(waiting);
        places.put(needs.key(), new Place(bin, group, waiting));
    }

    public void remove(ObjectKey claim) {
        @Nullable Place place = places.remove(claim);
        if (place == null) {
            return;
        }
        bins.computeIfPresent(place.bin(), (bin, groups) -> {
            groups.computeIfPresent(place.group(), (group, claims) -> {
                claims.remove(place.waiting());
                return claims.isEmpty() ? null : claims;
            });
            return groups.isEmpty() ? null : groups;
        });
    }

    /** Removes and returns the claim to which the volume is offered. */
    public Optional<ObjectKey> takeFor(PersistentVolume volume) {
        if (places.isEmpty()) {
            return Optional.empty();
        }
        @Nullable Waiting best = null;
        long bytes = Fit.bytes(volume);
        int modes = ClaimNeeds.modeBits(volume.spec().accessModes());
        for (Map.Entry<Group, TreeSet<Waiting>> entry :
                bins.getOrDefault(BinKey.of(volume), Map.of()).entrySet()) {
            Group group = entry.getKey();
            if (!Fit.covers(modes, group.modes())
                    || !Fit.selected(volume, group.selector())
                    || !Fit.reachable(volume, group.node())) {
                continue;
            }
            @Nullable Waiting largest = entry.getValue().floor(new Waiting(bytes, Long.MIN_VALUE, volume.key()));
            if (largest != null && (best == null || largest.compareTo(best) > 0)) {
                best = largest;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        remove(best.claim());
        return Optional.of(best.claim());
    }

    public boolean contains(ObjectKey claim) {
        return places.containsKey(claim);
    }

    public int size() {
        return places.size();
    }
}
