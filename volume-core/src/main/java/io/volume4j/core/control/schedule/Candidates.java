package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.Affinity;
import io.volume4j.core.control.binding.AvailableVolumes.Candidate;
import io.volume4j.core.control.binding.ClaimNeeds;
import io.volume4j.spi.model.PersistentVolume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The available volumes that one claim could get, node by node. Nodes of one place share an answer, so it is looked for once
 * for each place and not for each node. Lives for one decision.
 */
final class Candidates {
    private final SchedulingWorld world;
    private final ClaimNeeds needs;
    private final Map<@Nullable Affinity, Optional<Candidate>> byAffinity = new HashMap<>();

    Candidates(SchedulingWorld world, ClaimNeeds needs) {
        this.world = world;
        this.needs = needs;
    }

    /**
     * The best one at the node, null if there is none.
     *
     * @param taken names of volumes that the pod's other claims get there
     */
    @Nullable
    PersistentVolume at(int node, List<String> taken) {
        @Nullable Candidate best = better(null, of(null, taken));
        for (Affinity affinity : world.places().at(node)) {
            best = better(best, of(affinity, taken));
        }
        return best == null ? null : best.volume();
    }

    private Optional<Candidate> of(@Nullable Affinity affinity, List<String> taken) {
        Optional<Candidate> known = byAffinity.get(affinity);
        if (known == null) {
            known = world.available().bestOf(needs, affinity, volume -> false);
            byAffinity.put(affinity, known);
        }
        return isTaken(known, taken) ? look(affinity, taken) : known;
    }

    private Optional<Candidate> look(@Nullable Affinity affinity, List<String> taken) {
        return world.available()
                .bestOf(
                        needs,
                        affinity,
                        volume -> taken.contains(volume.metadata().name()));
    }

    private static boolean isTaken(Optional<Candidate> candidate, List<String> taken) {
        return !taken.isEmpty()
                && candidate.isPresent()
                && taken.contains(candidate.get().volume().metadata().name());
    }

    private static @Nullable Candidate better(@Nullable Candidate best, Optional<Candidate> other) {
        if (other.isEmpty()) {
            return best;
        }
        return best == null || other.get().compareTo(best) < 0 ? other.get() : best;
    }
}
