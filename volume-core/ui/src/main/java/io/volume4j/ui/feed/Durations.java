package io.volume4j.ui.feed;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long things took, in classes that grow by a fifth each: a percentile is at most that much too high. From 1 µs to about an hour.
 * Thread-safe, without locks.
 */
public final class Durations {
    private static final double GROWTH = Math.log(1.2);
    private static final int CLASSES = 122;

    private final AtomicLongArray counts = new AtomicLongArray(CLASSES);

    void add(long nanos) {
        counts.incrementAndGet(classOf(nanos));
    }

    void addAll(Durations other) {
        for (int i = 0; i < CLASSES; i++) {
            counts.addAndGet(i, other.counts.get(i));
        }
    }

    /** All of these together. */
    public static Durations sum(List<Durations> each) {
        Durations sum = new Durations();
        each.forEach(sum::addAll);
        return sum;
    }

    /** How many there were. */
    public long count() {
        long all = 0;
        for (int i = 0; i < CLASSES; i++) {
            all += counts.get(i);
        }
        return all;
    }

    /**
     * The upper limit of the class below which this part of all lies, in milliseconds; 0 if there were none.
     *
     * @param part from 0 to 1
     */
    public double millis(double part) {
        long wanted = (long) Math.ceil(count() * part);
        long seen = 0;
        for (int i = 0; i < CLASSES && wanted > 0; i++) {
            seen += counts.get(i);
            if (seen >= wanted) {
                return Math.exp((i + 1) * GROWTH) / 1000;
            }
        }
        return 0;
    }

    private static int classOf(long nanos) {
        double micros = nanos / 1000.0;
        return micros <= 1 ? 0 : Math.min(CLASSES - 1, (int) (Math.log(micros) / GROWTH));
    }
}
