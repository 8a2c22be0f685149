package io.volume4j.examples.benchmarks.measure;

import io.volume4j.inmemory.scale.LiveHeap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The reachable objects after the heap has become stable. The sum is over all objects: the heap's own size includes gaps between objects,
 * and objects that a collector has not examined.
 */
public final class StableHeap {
    private static final int MOST_LOOKS = 20;
    private static final long PAUSE_MILLIS = 200;
    private static final double STABLE = 0.0005;

    private StableHeap() {}

    /** Repeats full collections with a pause in between until two of them have the same result. */
    public static LiveHeap now(String ourPackage) throws InterruptedException {
        LiveHeap before = look(ourPackage);
        for (int i = 1; i < MOST_LOOKS; i++) {
            // For activities that still run, such as a snapshot of a journal.
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            LiveHeap now = look(ourPackage);
            if (Math.abs(now.since(before).bytes()) <= STABLE * before.bytes()) {
                return now;
            }
            before = now;
        }
        throw new IllegalStateException(
                "the heap is not stable: " + before.bytes() + " bytes after so many collections");
    }

    private static LiveHeap look(String ourPackage) {
        // This collection compacts the whole heap; that of the histogram may leave dead objects.
        System.gc();
        return LiveHeap.now(List.of(ourPackage));
    }
}
