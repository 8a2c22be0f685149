package io.volume4j.examples.benchmarks.measure;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The settings and the output of a measurement.
 *
 * @param benchmark the name of the running benchmark
 * @param scratch an empty directory on a disk, removed afterwards
 */
public record Run(String benchmark, Effort effort, Path scratch, PrintStream out, Summary summary) {
    private static final int FEWER = 100;
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(20);

    /** A number of items for a full run, and for a rough one. */
    public int size(int full, int rough) {
        return switch (effort) {
            case FULL -> full;
            case QUICK -> rough;
            case SMOKE -> Math.max(1, rough / FEWER);
        };
    }

    /** A hundredth, a tenth and all of the size, to show growth. */
    public int[] sizes(int full, int rough) {
        int most = Math.max(100, size(full, rough));
        return new int[] {most / 100, most / 10, most};
    }

    /** The duration of a measurement, in nanoseconds. */
    public long nanos(double fullSeconds, double roughSeconds) {
        return switch (effort) {
            case FULL -> (long) (fullSeconds * 1e9);
            case QUICK -> (long) (roughSeconds * 1e9);
            case SMOKE -> MOMENT;
        };
    }

    public void print(Table table) {
        out.print(table.text());
        out.println();
    }

    public void note(String line) {
        out.println("  " + line);
    }

    /** Prints the growth of a cost, here and at the end of the whole run. */
    public void growth(Growth growth) {
        if (growth.isEmpty()) {
            return;
        }
        note("growth: " + growth.what() + " at " + growth.base() + " " + growth.cost() + "; at 10 times as many "
                + growth.times(10) + ", at 100 times as many " + growth.times(100));
        summary.growth(benchmark, growth);
    }

    /** Adds a comparison to the end of the whole run; the ratio is the library's value to the other's. */
    public void compared(String what, double ours, String with, double theirs) {
        summary.compared(benchmark, what, Figures.time(ours), with, Figures.time(theirs), ours / theirs);
    }

    /** Like {@link #compared}, for operations per second. */
    public void comparedRates(String what, double ours, String with, double theirs) {
        summary.compared(benchmark, what, Figures.rate(ours), with, Figures.rate(theirs), ours / theirs);
    }
}
