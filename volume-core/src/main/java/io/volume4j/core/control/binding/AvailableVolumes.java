package io.volume4j.core.control.binding;

import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that any claim may have: available, nobody's, and not promised to a step that is under way. Finds the best
 * one for a claim in a time that grows with the logarithm of their number. Loop thread only.
 *
 * <p>Best is: of the fewest access modes beyond those that are asked for, and of those the smallest, and of those the first
 * by name. Reservations are not this index's business: {@link Reservations} is asked before.
 */
public final class AvailableVolumes {
    /** Sets of access modes, fewest first; equally large ones in an order that never changes. */
    private static final List<Integer> MODE_SETS = IntStream.range(0, 16)
            .boxed()
            .sorted(Comparator.comparing(Integer::bitCount).thenComparing(Comparator.naturalOrder()))
            .toList();

    private record Kept(Shelf shelf, int modes, VolumeBin.Place place, PersistentVolume volume) {}

    private final Map<Shelf, Map<Integer, VolumeBin>> shelves = new HashMap<>();
    private final Map<String, Kept> kept = new HashMap<>();
    private final AffinityIndex affinities = new AffinityIndex();

    /** Whether a volume belongs in here, apart from promises. */
    public static boolean available(PersistentVolume volume) {
        return ClaimReference.unclaimed(volume)
                && volume.status().phase() == VolumePhase.AVAILABLE
                && !volume.metadata().deleting()
                && volume.spec().capacity() != null;
    }

    /** Takes the volume in, in place of an earlier state of it. */
    public void put(PersistentVolume volume) {
        remove(volume.metadata().name());
        Shelf shelf = Shelf.of(volume);
        int modes = ClaimNeeds.modeBits(volume.spec().accessModes());
        VolumeBin.Place place = VolumeBin.Place.of(volume);
        shelves.computeIfAbsent(shelf, s -> new HashMap<>())
                .computeIfAbsent(modes, m -> new VolumeBin())
                .add(place, volume);
        kept.put(volume.metadata().name(), new Kept(shelf, modes, place, volume));
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (affinity != null) {
            affinities.add(affinity);
        }
    }

    /** Takes the volume out, if it is in. */
    public void remove(String volumeName) {
        @Nullable Kept gone = kept.remove(volumeName);
        if (gone == null) {
            return;
        }
        Map<Integer, VolumeBin> bins = shelves.getOrDefault(gone.shelf(), Map.of());
        VolumeBin bin = bins.get(gone.modes());
        if (bin != null) {
            bin.remove(gone.place(), gone.volume());
            if (bin.isEmpty()) {
                bins.remove(gone.modes());
                shelves.computeIfPresent(gone.shelf(), (shelf, rest) -> rest.isEmpty() ? null : rest);
            }
        }
        @Nullable NodeSelector affinity = gone.volume().spec().nodeAffinity();
        if (affinity != null) {
            affinities.remove(affinity);
        }
    }

    /** The volume as it stands here, if it does. */
    public Optional<PersistentVolume> get(String volumeName) {
        @Nullable Kept found = kept.get(volumeName);
        return found == null ? Optional.empty() : Optional.of(found.volume());
    }

    /** The best volume for the claim. */
    public Optional<PersistentVolume> best(ClaimNeeds needs) {
        Map<Integer, VolumeBin> bins = shelves.getOrDefault(Shelf.of(needs), Map.of());
        if (bins.isEmpty()) {
            return Optional.empty();
        }
        ClaimNeeds.@Nullable Place node = needs.node();
        Set<NodeSelector> here = node == null ? Set.of() : affinities.choosing(node);
        for (int modes : MODE_SETS) {
            VolumeBin bin = Fit.covers(modes, needs.modes()) ? bins.get(modes) : null;
            @Nullable PersistentVolume found = bin == null ? null : bin.smallest(needs, here);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** A candidate for a claim; the better one comes first. */
    public static final class Candidate implements Comparable<Candidate> {
        private static final Comparator<Candidate> ORDER = Comparator.comparingInt(
                        (Candidate candidate) -> candidate.rank)
                .thenComparing(candidate -> candidate.place);

        private final int rank;
        private final VolumeBin.Place place;
        private final PersistentVolume volume;

        private Candidate(int rank, VolumeBin.Place place, PersistentVolume volume) {
            this.rank = rank;
            this.place = place;
            this.volume = volume;
        }

        public PersistentVolume volume() {
            return volume;
        }

        @Override
        public int compareTo(Candidate other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * The best volume for the claim among those of one affinity. The best of a node is the best of those of all affinities
     * that choose the node and of those without one, so that nodes of one place share the answer.
     *
     * @param needs whose node is not looked at
     * @param affinity null for volumes that every node can reach
     */
    public Optional<Candidate> bestOf(
            ClaimNeeds needs, @Nullable Affinity affinity, Predicate<PersistentVolume> excluded) {
        Map<Integer, VolumeBin> bins = shelves.getOrDefault(Shelf.of(needs), Map.of());
        for (int rank = 0; rank < MODE_SETS.size() && !bins.isEmpty(); rank++) {
            int modes = MODE_SETS.get(rank);
            VolumeBin bin = Fit.covers(modes, needs.modes()) ? bins.get(modes) : null;
            Map.@Nullable Entry<VolumeBin.Place, PersistentVolume> found =
                    bin == null ? null : bin.smallestOf(needs, affinity, excluded);
            if (found != null) {
                return Optional.of(new Candidate(rank, found.getKey(), found.getValue()));
            }
        }
        return Optional.empty();
    }

    public int size() {
        return kept.size();
    }
}
