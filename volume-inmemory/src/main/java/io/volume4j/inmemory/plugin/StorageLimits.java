package io.volume4j.inmemory.plugin;

import io.volume4j.spi.model.NodeSelector;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties and limits of a backend.
 *
 * @param capacityBytes of the pool, 0 for no limit
 * @param maxVolumesPerNode 0 for no limit
 * @param maxVolumeBytes of one volume, 0 for no limit; a larger size is infeasible
 * @param onlyKnownHandles whether the backend refuses a handle without a CreateVolume; otherwise it creates the volume at
 *     its first use
 * @param refusesSecondNode whether the backend refuses a single-node volume on a second node, as a dangling attachment;
 *     otherwise it attaches the volume and records a violation
 * @param topologyKey the node label for the accessible part of the storage, {@code ""} for one storage for all
 * @param segmentOfNode the label's value, by node
 */
record StorageLimits(
        long capacityBytes,
        long maxVolumesPerNode,
        long maxVolumeBytes,
        boolean onlyKnownHandles,
        boolean refusesSecondNode,
        String topologyKey,
        Map<String, String> segmentOfNode) {
    StorageLimits {
        segmentOfNode = Collections.unmodifiableMap(new TreeMap<>(segmentOfNode));
    }

    String segment(String node) {
        return segmentOfNode.getOrDefault(node, "");
    }

    /** The first segment that the selector allows; empty if it allows none. */
    Optional<String> firstSegment(@Nullable NodeSelector allowed) {
        return segmentOfNode.values().stream()
                .sorted()
                .filter(segment -> allowed == null || allowed.matches("", Map.of(topologyKey, segment)))
                .findFirst();
    }
}
