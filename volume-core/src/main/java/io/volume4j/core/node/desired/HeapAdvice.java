package io.volume4j.core.node.desired;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that the Java heap is small for the pods of this node, before all that a person sees of it is that nothing happens. Loop thread
 * only.
 */
public final class HeapAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(HeapAdvice.class);

    /** What a small pod with one volume takes once it is mounted; pods of real clusters take more. */
    private static final long BYTES_PER_POD = 2_560;

    /** What the JVM and the library take without any pod. */
    private static final long BASE = 32L << 20;

    private static final int FEW = 1_000;
    private static final long MIB = 1L << 20;

    private final long heap;
    private int told = FEW;

    /** @param heap bytes that the heap may have */
    public HeapAdvice(long heap) {
        this.heap = heap;
    }

    /**
     * The node has that many pods now.
     *
     * @return whether that was told: once, and again when there are twice as many
     */
    boolean pods(int count) {
        long needed = BASE + count * BYTES_PER_POD;
        if (count < told || needed <= heap) {
            return false;
        }
        told = 2 * count;
        long neededMiB = (needed + MIB - 1) / MIB;
        LOG.warn(
                "the heap is too small for the pods of this node: volumes are mounted slowly, and calls fail while it is full"
                        + " pods={} heapMiB={} neededMiB={} advice=\"start the JVM with -Xmx{}m or more, or give the node"
                        + " fewer pods\"",
                count,
                heap / MIB,
                neededMiB,
                neededMiB);
        return true;
    }
}
