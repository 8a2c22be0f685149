package io.volume4j.examples.benchmarks.http;

/**
 * All claims bound once.
 *
 * @param nanos from the first write until the answer to the last
 * @param client processor time of the process that writes, in nanoseconds
 * @param store processor time of the store's process
 * @param writes that the store took
 * @param refused writes that failed
 * @param inFlight writes at the same time, on the average
 * @param most writes at the same time
 */
public record Turn(long nanos, long client, long store, long writes, long refused, double inFlight, int most) {
    /** Writes a second. */
    public double rate() {
        return writes * 1e9 / nanos;
    }
}
