package io.volume4j.core.control.schedule;

import io.volume4j.core.volumes.UtilizationCurve;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scores nodes by the storage that a pod would take there: for each class the requested bytes against the capacity, averaged over
 * the classes. If a claim gets an available volume, only such volumes count; otherwise the free capacity of the pools counts.
 */
public final class NodeScorer {
    private record Share(long requested, long capacity) {
        Share plus(Share other) {
            return new Share(requested + other.requested, capacity + other.capacity);
        }
    }

    private final SchedulingWorld world;
    private final NodeFilter filter;
    private final UtilizationCurve curve;

    public NodeScorer(SchedulingWorld world, NodeFilter filter, UtilizationCurve curve) {
        this.world = world;
        this.filter = filter;
        this.curve = curve;
    }

    /** The scores, 0 to 100, in the order of the names, without nodes on which the pod cannot run. */
    public Map<String, Integer> scores(Pod pod, Collection<String> nodeNames) {
        BitSet asked = new BitSet();
        for (String name : nodeNames) {
            int node = world.nodes().number(name);
            if (node >= 0 && world.nodes().present().get(node)) {
                asked.set(node);
            }
        }
        PodNeeds needs = PodReader.read(world, pod);
        Refusals refusals = new Refusals(asked);
        filter.narrow(needs, refusals);
        Placing placing = new Placing(world, needs);
        Map<String, Integer> scores = new LinkedHashMap<>();
        for (String name : new LinkedHashSet<>(nodeNames)) {
            int node = world.nodes().number(name);
            if (node >= 0
                    && refusals.left().get(node)
                    && placing.at(node)
                    && filter.overfull(needs, placing, node).isEmpty()) {
                scores.put(name, score(needs, placing));
            }
        }
        return scores;
    }

    private int score(PodNeeds needs, Placing placing) {
        Map<String, Share> available = new LinkedHashMap<>();
        Map<String, Share> made = new LinkedHashMap<>();
        for (int i = 0; i < needs.waiting().size(); i++) {
            PodNeeds.Waiting waiting = needs.waiting().get(i);
            long bytes = waiting.needs().bytes();
            String className = waiting.needs().className();
            @Nullable PersistentVolume volume = placing.volume(i);
            CapacityIndex.@Nullable Pool pool = placing.pool(i);
            if (volume != null) {
                @Nullable Quantity size = volume.spec().capacity();
                available.merge(className, new Share(bytes, size == null ? 0 : size.bytes()), Share::plus);
            } else if (pool != null) {
                @Nullable Long free = pool.free();
                // Claims of one class share one pool, so its capacity counts once.
                made.merge(className, new Share(bytes, free == null ? 0 : free), NodeScorer::samePool);
            }
        }
        Map<String, Share> shares = available.isEmpty() ? made : available;
        int sum = 0;
        for (Share share : shares.values()) {
            sum += curve.score(share.requested(), share.capacity());
        }
        return shares.isEmpty() ? 0 : sum / shares.size();
    }

    private static Share samePool(Share left, Share right) {
        return new Share(left.requested() + right.requested(), Math.max(left.capacity(), right.capacity()));
    }
}
