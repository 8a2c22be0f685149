package io.volume4j.inmemory.plugin;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a backend has and allows.
 *
 * @param capacityBytes of the pool, 0 for no limit
 * @param maxVolumesPerNode 0 for no limit
 * @param maxVolumeBytes of one volume, 0 for no limit; more can never be done
 * @param onlyKnownHandles a handle without a CreateVolume is refused; otherwise it is created when it is first used
 * @param refusesSecondNode a volume for one node is refused to a second one, as a dangling attachment; otherwise that is
 *     done, and recorded as a violation
 * @param topologyKey the node label that says which part of the storage a node reaches, {@code ""} for one storage for all
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
}
