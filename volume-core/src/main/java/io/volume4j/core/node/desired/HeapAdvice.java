package io.volume4j.core.node.desired;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns that the Java heap is small for the pods of this node. Without the warning, a user would only see that nothing
 * happens. Loop thread only.
 */
public final class HeapAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(HeapAdvice.class);

    /** The memory of a small pod with one mounted volume. Pods of real clusters need more. */
    private static final long BYTES_PER_POD = 2_560;

    /** The memory of the JVM and the library without pods. */
    private static final long BASE = 32L << 20;

    private static final int FEW = 1_000;
    private static final long MIB = 1L << 20;

    private final long heap;
    private int told = FEW;

    /** @param heap the maximum size of the heap in bytes */
    public HeapAdvice(long heap) {
        this.heap = heap;
    }

    /**
     * The node now has that many pods.
     *
     * @return whether this call logged a warning: once, and again for twice as many pods
     */
    boolean pods(int count) {
        long needed = BASE + count * BYTES_PER_POD;
        if (count < told || needed <= heap) {
            return false;
        }
        told = 2 * count;
        long neededMiB = (needed + MIB - 1) / MIB;
        LOG.atWarn()
                .addKeyValue("pods", count)
                .addKeyValue("heapMiB", heap / MIB)
                .addKeyValue("neededMiB", neededMiB)
                .addKeyValue("advice", "start the JVM with -Xmx" + neededMiB + "m or more, or give the node fewer pods")
                .log(
                        "the heap is too small for the pods of this node: volumes are mounted slowly, and calls fail while it is full");
        return true;
    }
}
