package io.volume4j.examples.benchmarks.measure;

import io.volume4j.inmemory.scale.LiveHeap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What is reachable when nothing becomes unreachable any more. Added up object by object: what the heap says of itself counts room between
 * objects, and objects that a collector has not looked at.
 */
public final class StableHeap {
    private static final int MOST_LOOKS = 20;
    private static final long PAUSE_MILLIS = 200;
    private static final double STABLE = 0.0005;

    private StableHeap() {}

    /** After as many full collections as it takes until two of them, with a pause in between, leave the same. */
    public static LiveHeap now(String ourPackage) throws InterruptedException {
        LiveHeap before = look(ourPackage);
        for (int i = 1; i < MOST_LOOKS; i++) {
            // For what others have begun and not ended yet, such as a snapshot of a journal.
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
        // This one compacts all of the heap; the histogram's own may leave dead objects where they are.
        System.gc();
        return LiveHeap.now(List.of(ourPackage));
    }
}
