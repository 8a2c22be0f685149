package io.volume4j.examples.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * How to measure.
 *
 * @param quick a rough pass: smaller worlds, fewer rounds
 * @param scratch an empty directory on a disk, removed afterwards
 */
record Run(boolean quick, Path scratch, PrintStream out) {
    int size(int full, int rough) {
        return quick ? rough : full;
    }

    void print(Table table) {
        out.print(table.text());
        out.println();
    }

    void note(String line) {
        out.println("  " + line);
    }
}
