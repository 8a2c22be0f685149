package io.volume4j.ui.feed;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations from 1 µs to about an hour. Each class is a fifth larger than the one before, so a percentile is too high
 * by at most that much. Thread-safe, without locks.
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

    /** The sum of these. */
    public static Durations sum(List<Durations> each) {
        Durations sum = new Durations();
        each.forEach(sum::addAll);
        return sum;
    }

    /** The number of durations. */
    public long count() {
        long all = 0;
        for (int i = 0; i < CLASSES; i++) {
            all += counts.get(i);
        }
        return all;
    }

    /**
     * A percentile: the upper limit of its class, in milliseconds; 0 without durations.
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
