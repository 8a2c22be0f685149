package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.Affinity;
import io.volume4j.core.control.binding.match.AvailableVolumes.Candidate;
import io.volume4j.core.control.binding.match.AvailableVolumes.Search;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The available volumes for a claim, and for other claims with the same needs, node by node. Nodes in one place share the result,
 * so that the search runs once for each place. Lives for one decision.
 */
final class Candidates {
    private final SchedulingWorld world;
    private final ClaimNeeds needs;
    private final Search search;
    private final @Nullable Candidate anywhere;

    /** Results for affinities that select several nodes. */
    private final Map<Affinity, Optional<Candidate>> shared = new HashMap<>();

    /** For affinities that select one node, only the last result is kept, for the pod's next claim. */
    private @Nullable Affinity latestPlace;

    private @Nullable Candidate latest;

    Candidates(SchedulingWorld world, ClaimNeeds needs) {
        this.world = world;
        this.needs = needs;
        this.search = world.available().search(needs);
        this.anywhere = search.bestOf(null, List.of());
    }

    /** Whether the candidates also serve a claim with these needs. */
    boolean serve(ClaimNeeds others) {
        return needs.sameVolumesFit(others);
    }

    /**
     * The best candidate at the node, null if there is none.
     *
     * @param taken the volumes of the pod's other claims there
     */
    @Nullable
    Candidate at(int node, List<Candidate> taken) {
        @Nullable Candidate best = isTaken(anywhere, taken) ? look(null, taken) : anywhere;
        for (TopologyIndex.Place place : world.places().at(node)) {
            @Nullable Candidate here = of(place);
            best = better(best, isTaken(here, taken) ? look(place.affinity(), taken) : here);
        }
        return best;
    }

    private @Nullable Candidate of(TopologyIndex.Place place) {
        if (place.shared()) {
            return shared.computeIfAbsent(place.affinity(), affinity -> Optional.ofNullable(best(affinity)))
                    .orElse(null);
        }
        if (!place.affinity().equals(latestPlace)) {
            latest = best(place.affinity());
            latestPlace = place.affinity();
        }
        return latest;
    }

    private @Nullable Candidate best(Affinity affinity) {
        return search.bestOf(affinity, List.of());
    }

    private @Nullable Candidate look(@Nullable Affinity affinity, List<Candidate> taken) {
        return search.bestOf(affinity, taken);
    }

    private static boolean isTaken(@Nullable Candidate candidate, List<Candidate> taken) {
        for (Candidate each : taken) {
            if (candidate != null && candidate.sameVolume(each)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Candidate better(@Nullable Candidate best, @Nullable Candidate other) {
        if (best == null || other == null) {
            return best == null ? other : best;
        }
        return other.compareTo(best) < 0 ? other : best;
    }
}
