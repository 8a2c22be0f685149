package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The capacity that drivers have published, by class and node, minus the bytes that were promised since. Not thread-safe. */
final class CapacityIndex {
    /** The capacity of one segment for one class. */
    static final class Pool {
        private final ObjectKey key;
        private final @Nullable LabelSelector topology;
        private @Nullable Long capacity;
        private @Nullable Long largest;
        private long promised;

        private Pool(ObjectKey key, @Nullable LabelSelector topology) {
            this.key = key;
            this.topology = topology;
        }

        ObjectKey key() {
            return key;
        }

        /** Bytes that are not promised to a claim, null if the driver reports only the maximum size of a volume. */
        @Nullable
        Long free() {
            return capacity == null ? null : Math.max(0, capacity - promised);
        }

        /** The published capacity. */
        @Nullable
        Long capacity() {
            return capacity;
        }

        /**
         * Whether one more volume fits.
         *
         * @param besides bytes that the same pod takes for its other claims
         */
        boolean fits(long bytes, long besides) {
            if (capacity == null && largest == null) {
                return false;
            }
            boolean notTooLarge = largest == null || bytes <= largest;
            return notTooLarge && (capacity == null || bytes <= capacity - promised - besides);
        }
    }

    private static final class OfClass {
        final Map<ObjectKey, Pool> pools = new LinkedHashMap<>();

        /** The pools of each node; null when it must be computed again. */
        @Nullable
        List<List<Pool>> byNode;

        long generation = -1;
    }

    private final NodeTable nodes;
    private final Map<String, OfClass> classes = new HashMap<>();
    private final Map<ObjectKey, Pool> byKey = new HashMap<>();
    private final Map<ObjectKey, Long> promises = new HashMap<>();

    CapacityIndex(NodeTable nodes) {
        this.nodes = nodes;
    }

    void put(@Nullable CsiStorageCapacity before, CsiStorageCapacity after) {
        @Nullable Pool known = byKey.get(after.key());
        boolean samePlace = known != null
                && before != null
                && before.storageClassName().equals(after.storageClassName())
                && Objects.equals(before.nodeTopology(), after.nodeTopology());
        Pool pool;
        if (known != null && samePlace) {
            pool = known;
        } else {
            if (before != null) {
                remove(before);
            }
            pool = new Pool(after.key(), after.nodeTopology());
            pool.promised = promises.getOrDefault(after.key(), 0L);
            OfClass ofClass = classes.computeIfAbsent(after.storageClassName(), name -> new OfClass());
            ofClass.pools.put(after.key(), pool);
            ofClass.byNode = null;
            byKey.put(after.key(), pool);
        }
        pool.capacity = bytes(after.capacity());
        pool.largest = bytes(after.maximumVolumeSize());
    }

    void remove(CsiStorageCapacity gone) {
        byKey.remove(gone.key());
        classes.computeIfPresent(gone.storageClassName(), (name, ofClass) -> {
            ofClass.pools.remove(gone.key());
            ofClass.byNode = null;
            return ofClass.pools.isEmpty() ? null : ofClass;
        });
    }

    /** Adds promised bytes, or subtracts them if negative. The sum remains when the pool's object is deleted. */
    void promise(ObjectKey pool, long bytes) {
        @Nullable Long sum = promises.merge(pool, bytes, (old, more) -> old + more == 0 ? null : old + more);
        @Nullable Pool known = byKey.get(pool);
        if (known != null) {
            known.promised = sum == null ? 0 : sum;
        }
    }

    /** The pools of a class at a node, in the order in which they became known. */
    List<Pool> at(String className, int node) {
        List<List<Pool>> byNode = byNode(className);
        return node < byNode.size() ? byNode.get(node) : List.of();
    }

    /** The first pool at the node with room for the volume. */
    Optional<Pool> roomAt(String className, int node, long bytes) {
        for (Pool pool : at(className, node)) {
            if (pool.fits(bytes, 0)) {
                return Optional.of(pool);
            }
        }
        return Optional.empty();
    }

    /** Those of the nodes that have room for one volume of the class. */
    BitSet room(String className, long bytes, BitSet among) {
        BitSet found = new BitSet();
        List<List<Pool>> byNode = byNode(className);
        for (int node = among.nextSetBit(0); node >= 0 && node < byNode.size(); node = among.nextSetBit(node + 1)) {
            for (Pool pool : byNode.get(node)) {
                if (pool.fits(bytes, 0)) {
                    found.set(node);
                    break;
                }
            }
        }
        return found;
    }

    private List<List<Pool>> byNode(String className) {
        @Nullable OfClass ofClass = classes.get(className);
        if (ofClass == null) {
            return List.of();
        }
        @Nullable List<List<Pool>> known = ofClass.byNode;
        if (known != null && ofClass.generation == nodes.generation()) {
            return known;
        }
        List<List<Pool>> byNode = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            byNode.add(List.of());
        }
        for (Pool pool : ofClass.pools.values()) {
            @Nullable LabelSelector topology = pool.topology;
            if (topology != null) {
                nodes.choosing(topology).stream().forEach(node -> byNode.set(node, with(byNode.get(node), pool)));
            }
        }
        ofClass.byNode = byNode;
        ofClass.generation = nodes.generation();
        return byNode;
    }

    private static List<Pool> with(List<Pool> pools, Pool more) {
        if (pools.isEmpty()) {
            return List.of(more);
        }
        List<Pool> all = new ArrayList<>(pools);
        all.add(more);
        return all;
    }

    private static @Nullable Long bytes(@Nullable Quantity quantity) {
        return quantity == null ? null : quantity.bytes();
    }
}
