package io.volume4j.ui.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** The operations that ended in each of the last seconds, with their durations. Thread-safe, without locks. */
public final class Rates {
    /** The number of kept seconds. */
    public static final int SECONDS = 600;

    private static final long NANOS = 1_000_000_000;

    private final AtomicReferenceArray<Second> ring = new AtomicReferenceArray<>(SECONDS);

    private static final class Second {
        private final long number;
        private final LongAdder failed = new LongAdder();
        private final Durations took = new Durations();

        private Second(long number) {
            this.number = number;
        }
    }

    /**
     * The sum of several seconds.
     *
     * @param ended the number of ended operations, failures included
     */
    public record Span(long ended, long failed, Durations took) {}

    void add(long now, long took, boolean failed) {
        Second second = second(Math.floorDiv(now, NANOS));
        second.took.add(took);
        if (failed) {
            second.failed.increment();
        }
    }

    private Second second(long number) {
        int place = (int) Math.floorMod(number, (long) SECONDS);
        while (true) {
            Second there = ring.get(place);
            if (there != null && there.number >= number) {
                return there;
            }
            Second fresh = new Second(number);
            if (ring.compareAndSet(place, there, fresh)) {
                return fresh;
            }
        }
    }

    /** The last spans of this many seconds each, the oldest first; without the second of {@code now}, which has not ended. */
    public List<Span> spans(long now, int seconds, int count) {
        long end = Math.floorDiv(now, NANOS);
        List<Span> spans = new ArrayList<>(count);
        for (int i = count; i > 0; i--) {
            spans.add(span(end - (long) i * seconds, seconds));
        }
        return spans;
    }

    private Span span(long from, int seconds) {
        Durations took = new Durations();
        long failed = 0;
        for (long number = from; number < from + seconds; number++) {
            Second second = ring.get((int) Math.floorMod(number, (long) SECONDS));
            if (second != null && second.number == number) {
                took.addAll(second.took);
                failed += second.failed.sum();
            }
        }
        return new Span(took.count(), failed, took);
    }
}
