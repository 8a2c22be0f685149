package io.volume4j.examples.benchmarks.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** A histogram of latencies. Thread-safe. */
public final class Latencies {
    private final ConcurrentHistogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(10), 3);

    public void record(long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 1), TimeUnit.MINUTES.toNanos(10)));
    }

    public void add(Latencies others) {
        histogram.add(others.histogram);
    }

    public long count() {
        return histogram.getTotalCount();
    }

    public double at(double percentile) {
        return (double) histogram.getValueAtPercentile(percentile);
    }

    public String p50() {
        return Figures.time(at(50));
    }

    public String p99() {
        return Figures.time(at(99));
    }

    public String p999() {
        return Figures.time(at(99.9));
    }
}
