package io.volume4j.core.control.schedule;

import io.volume4j.core.grants.AttachLimitKey;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the different volumes of each driver that every node has or will have, and their limits. A volume counts once, even if
 * several pods of a node share it, or if it is both attached and wanted. If the driver refused a volume at a node for lack of
 * capacity, the node takes no other volume until that volume is attached or given up. Not thread-safe.
 */
final class AttachUse {
    /** A volume in the count of its driver. */
    record Volume(String driver, String handle) {}

    private static final int NO_LIMIT = -1;

    private static final class OfDriver {
        int[] used = new int[0];
        int[] limits = new int[0];

        /** For each node, how many volumes the driver has refused there for lack of capacity. */
        int[] refused = new int[0];

        /** For each volume, its nodes, and the number of reasons on each. */
        final Map<String, Map<Integer, Integer>> holders = new HashMap<>();

        void reach(int node) {
            if (node >= used.length) {
                int before = limits.length;
                int size = Math.max(node + 1, before * 2);
                used = Arrays.copyOf(used, size);
                limits = Arrays.copyOf(limits, size);
                refused = Arrays.copyOf(refused, size);
                Arrays.fill(limits, before, size, NO_LIMIT);
            }
        }
    }

    /** By {@link AttachLimitKey#name}, because a node's status shortens long names of drivers. */
    private final Map<String, OfDriver> drivers = new HashMap<>();

    void add(int node, Collection<Volume> volumes) {
        for (Volume volume : volumes) {
            OfDriver driver = driver(volume.driver());
            driver.reach(node);
            int reasons = driver.holders
                    .computeIfAbsent(volume.handle(), handle -> new HashMap<>())
                    .merge(node, 1, Integer::sum);
            if (reasons == 1) {
                driver.used[node]++;
            }
        }
    }

    void remove(int node, Collection<Volume> volumes) {
        for (Volume volume : volumes) {
            OfDriver driver = driver(volume.driver());
            @Nullable Map<Integer, Integer> nodes = driver.holders.get(volume.handle());
            if (nodes == null || !nodes.containsKey(node)) {
                throw new IllegalStateException(volume + " was not counted at node " + node);
            }
            @Nullable Integer left = nodes.computeIfPresent(node, (key, reasons) -> reasons == 1 ? null : reasons - 1);
            if (left == null) {
                driver.used[node]--;
                if (nodes.isEmpty()) {
                    driver.holders.remove(volume.handle());
                }
            }
        }
    }

    /** Sets the limits of a node, by {@link AttachLimitKey#name}. Drivers that are not in the map have no limit. */
    void limits(int node, Map<String, Integer> limits) {
        drivers.forEach((name, driver) -> {
            if (node < driver.limits.length) {
                driver.limits[node] = NO_LIMIT;
            }
        });
        limits.forEach((name, limit) -> {
            OfDriver driver = driver(name);
            driver.reach(node);
            driver.limits[node] = limit;
        });
    }

    /**
     * The driver has refused this volume at the node for lack of capacity: the node takes no other volume, whatever the limit is.
     *
     * @param change 1, or -1 when the refusal ends
     */
    void refused(int node, String driverName, int change) {
        OfDriver driver = driver(driverName);
        driver.reach(node);
        driver.refused[node] += change;
    }

    int used(int node, String driverName) {
        @Nullable OfDriver driver = drivers.get(AttachLimitKey.name(driverName));
        return driver == null || node >= driver.used.length ? 0 : driver.used[node];
    }

    /** The nodes, by driver, that would have too many volumes with these. */
    Map<String, BitSet> overfull(Collection<Volume> volumes, BitSet nodes) {
        Map<String, List<Volume>> byDriver = new LinkedHashMap<>();
        for (Volume volume : volumes) {
            byDriver.merge(volume.driver(), List.of(volume), AttachUse::both);
        }
        Map<String, BitSet> overfull = new LinkedHashMap<>();
        byDriver.forEach((name, wanted) -> {
            @Nullable OfDriver driver = drivers.get(AttachLimitKey.name(name));
            BitSet full = driver == null ? new BitSet() : overfull(driver, wanted, nodes);
            if (!full.isEmpty()) {
                overfull.put(name, full);
            }
        });
        return overfull;
    }

    private static BitSet overfull(OfDriver driver, List<Volume> wanted, BitSet nodes) {
        List<Map<Integer, Integer>> holders = wanted.stream()
                .map(Volume::handle)
                .distinct()
                .map(handle -> driver.holders.getOrDefault(handle, Map.of()))
                .toList();
        BitSet full = new BitSet();
        int size = driver.limits.length;
        for (int node = nodes.nextSetBit(0); node >= 0 && node < size; node = nodes.nextSetBit(node + 1)) {
            int limit = driver.limits[node];
            boolean refused = driver.refused[node] > 0;
            if (refused || (limit != NO_LIMIT && driver.used[node] + holders.size() > limit)) {
                int more = 0;
                for (Map<Integer, Integer> holder : holders) {
                    more += holder.containsKey(node) ? 0 : 1;
                }
                // A node above its limit may still get a pod that adds no volume.
                if (more > 0 && (refused || driver.used[node] + more > limit)) {
                    full.set(node);
                }
            }
        }
        return full;
    }

    private OfDriver driver(String name) {
        return drivers.computeIfAbsent(AttachLimitKey.name(name), key -> new OfDriver());
    }

    private static List<Volume> both(List<Volume> left, List<Volume> right) {
        return Stream.concat(left.stream(), right.stream()).toList();
    }
}
