package io.volume4j.examples.benchmarks.measure;

/** The amount of measurements. */
public enum Effort {
    /** Reliable figures. */
    FULL,
    /** A rough pass: smaller worlds and fewer samples. */
    QUICK,
    /** A few operations of each, to check that everything runs; the figures have no meaning. */
    SMOKE
}
