package io.volume4j.examples.benchmarks.measure;

/** How much is measured. */
public enum Effort {
    /** Figures to rely on. */
    FULL,
    /** A rough pass: smaller worlds and fewer samples. */
    QUICK,
    /** A few operations of each, to see that everything still runs; the figures mean nothing. */
    SMOKE
}
