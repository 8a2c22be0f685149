package io.volume4j.core.control.binding.match;

import io.volume4j.core.control.binding.plan.Reservations;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that any claim may get: available, free, and not promised to a running step. Finds the best volume for a claim in a
 * time that grows with the logarithm of their number. Loop thread only.
 *
 * <p>The best volume has the fewest access modes beyond the requested ones; of these the smallest size; of these the first name.
 * Reservations are not part of this index: the caller asks {@link Reservations} first.
 */
public final class AvailableVolumes {
    /** Sets of access modes, fewest first; equally large sets in a fixed order. */
    private static final List<Integer> MODE_SETS = IntStream.range(0, 16)
            .boxed()
            .sorted(Comparator.comparing(Integer::bitCount).thenComparing(Comparator.naturalOrder()))
            .toList();

    private record Kept(
            BinKey key,
            int modes,
            SizeIndex.Place place,
            PersistentVolume volume,
            @Nullable Affinity affinity) {}

    private final Map<BinKey, Map<Integer, VolumeBin>> binsByKey = new HashMap<>();
    private final Map<String, Kept> kept = new HashMap<>();
    private final AffinityIndex affinities = new AffinityIndex();

    /** Whether the index may contain the volume, apart from promises. */
    public static boolean available(PersistentVolume volume) {
        return volume.spec().claimRef() == null
                && volume.status().phase() == VolumePhase.AVAILABLE
                && !volume.metadata().deleting()
                && volume.spec().capacity() != null
                && volume.spec().unknownWord().isEmpty();
    }

    /** Adds the volume, or replaces its earlier state. */
    public void put(PersistentVolume volume) {
        remove(volume.metadata().name());
        BinKey key = BinKey.of(volume);
        int modes = ClaimNeeds.modeBits(volume.spec().accessModes());
        SizeIndex.Place place = SizeIndex.Place.of(volume);
        @Nullable NodeSelector chosen = ZoneLabels.reaching(volume);
        @Nullable Affinity affinity = chosen == null ? null : affinities.add(new Affinity(chosen));
        binsByKey
                .computeIfAbsent(key, s -> new HashMap<>())
                .computeIfAbsent(modes, m -> new VolumeBin())
                .add(place, volume, affinity);
        kept.put(volume.metadata().name(), new Kept(key, modes, place, volume, affinity));
    }

    /** Removes the volume, if it is in the index. */
    public void remove(String volumeName) {
        @Nullable Kept gone = kept.remove(volumeName);
        if (gone == null) {
            return;
        }
        Map<Integer, VolumeBin> bins = binsByKey.getOrDefault(gone.key(), Map.of());
        VolumeBin bin = bins.get(gone.modes());
        if (bin != null) {
            bin.remove(gone.place(), gone.volume(), gone.affinity());
            if (bin.isEmpty()) {
                bins.remove(gone.modes());
                binsByKey.computeIfPresent(gone.key(), (key, rest) -> rest.isEmpty() ? null : rest);
            }
        }
        if (gone.affinity() != null) {
            affinities.remove(gone.affinity());
        }
    }

    /** The volume's state in the index, if it is there. */
    public Optional<PersistentVolume> get(String volumeName) {
        @Nullable Kept found = kept.get(volumeName);
        return found == null ? Optional.empty() : Optional.of(found.volume());
    }

    /**
     * The affinity of a volume in the index, combined with its zone labels; null if it has none or is not in the index. All volumes
     * in one place have the same object, so that a caller with many places compares no selectors.
     */
    public @Nullable Affinity affinityOf(String volumeName) {
        @Nullable Kept found = kept.get(volumeName);
        return found == null ? null : found.affinity();
    }

    /** The best volume for the claim. */
    public Optional<PersistentVolume> best(ClaimNeeds needs) {
        Map<Integer, VolumeBin> bins = binsByKey.getOrDefault(BinKey.of(needs), Map.of());
        if (bins.isEmpty()) {
            return Optional.empty();
        }
        ClaimNeeds.@Nullable Place node = needs.node();
        Set<Affinity> here = node == null ? Set.of() : affinities.choosing(node);
        for (int modes : MODE_SETS) {
            VolumeBin bin = Fit.covers(modes, needs.modes()) ? bins.get(modes) : null;
            @Nullable PersistentVolume found = bin == null ? null : bin.smallest(needs, here);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** A candidate for a claim; better candidates sort first. */
    public static final class Candidate implements Comparable<Candidate> {
        private final int rank;
        private final SizeIndex.Standing standing;

        private Candidate(int rank, SizeIndex.Standing standing) {
            this.rank = rank;
            this.standing = standing;
        }

        public PersistentVolume volume() {
            return standing.volume();
        }

        /** Whether the other candidate is the same volume in the same state. */
        public boolean sameVolume(Candidate other) {
            return standing == other.standing;
        }

        @Override
        public int compareTo(Candidate other) {
            int byRank = Integer.compare(rank, other.rank);
            return byRank != 0 ? byRank : standing.place().compareTo(other.standing.place());
        }
    }

    /**
     * Searches volumes for a claim at many places. Valid until a volume is added or removed.
     *
     * @param needs the claim; its node is ignored
     */
    public Search search(ClaimNeeds needs) {
        Map<Integer, VolumeBin> bins = binsByKey.getOrDefault(BinKey.of(needs), Map.of());
        List<Ranked> ranked = new ArrayList<>();
        for (int rank = 0; rank < MODE_SETS.size() && !bins.isEmpty(); rank++) {
            int modes = MODE_SETS.get(rank);
            @Nullable VolumeBin bin = Fit.covers(modes, needs.modes()) ? bins.get(modes) : null;
            if (bin != null) {
                ranked.add(new Ranked(rank, bin));
            }
        }
        return new Search(needs, ranked);
    }

    private record Ranked(int rank, VolumeBin bin) {}

    /** The part of a search that is the same at every place. */
    public static final class Search {
        private final SizeIndex.Place from;
        private final @Nullable LabelSelector selector;
        private final List<Ranked> bins;

        private Search(ClaimNeeds needs, List<Ranked> bins) {
            this.from = SizeIndex.Place.before(needs.bytes());
            this.selector = needs.selector();
            this.bins = bins;
        }

        /**
         * The best volume for the claim among those with one affinity, null if none fits. The best volume of a node is the best of
         * all affinities that select the node, and of volumes without an affinity. So nodes in one place share the results.
         *
         * @param affinity from {@link #affinityOf}, null for volumes that every node can access
         * @param taken candidates to exclude
         */
        public @Nullable Candidate bestOf(@Nullable Affinity affinity, List<Candidate> taken) {
            for (Ranked each : bins) {
                SizeIndex.@Nullable Standing found = each.bin()
                        .smallestOf(
                                from,
                                affinity,
                                standing -> Fit.selected(standing.volume(), selector) && !isTaken(standing, taken));
                if (found != null) {
                    return new Candidate(each.rank(), found);
                }
            }
            return null;
        }

        private static boolean isTaken(SizeIndex.Standing standing, List<Candidate> taken) {
            for (Candidate each : taken) {
                if (each.standing == standing) {
                    return true;
                }
            }
            return false;
        }
    }

    public int size() {
        return kept.size();
    }
}
