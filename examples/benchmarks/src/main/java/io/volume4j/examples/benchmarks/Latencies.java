package io.volume4j.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** How long things took, each recorded once. Thread-safe. */
final class Latencies {
    private final ConcurrentHistogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(10), 3);

    void record(long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 1), TimeUnit.MINUTES.toNanos(10)));
    }

    void add(Latencies others) {
        histogram.add(others.histogram);
    }

    long count() {
        return histogram.getTotalCount();
    }

    double at(double percentile) {
        return (double) histogram.getValueAtPercentile(percentile);
    }

    String p50() {
        return Figures.time(at(50));
    }

    String p99() {
        return Figures.time(at(99));
    }

    String p999() {
        return Figures.time(at(99.9));
    }
}
