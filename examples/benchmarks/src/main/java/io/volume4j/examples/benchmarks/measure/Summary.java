package io.volume4j.examples.benchmarks.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What a whole run found, as ratios: these outlast the machine that they were measured on. */
public final class Summary {
    private final List<List<String>> comparisons = new ArrayList<>();
    private final List<List<String>> growths = new ArrayList<>();

    /**
     * Something of ours against something else, measured in the same run.
     *
     * @param ratio of the first to the second
     */
    public void compared(String benchmark, String what, String ours, String with, String theirs, double ratio) {
        comparisons.add(List.of(benchmark, what, with, ours, theirs, Figures.ratio(ratio)));
    }

    public void growth(String benchmark, Growth growth) {
        growths.add(
                List.of(benchmark, growth.what(), growth.base(), growth.cost(), growth.times(10), growth.times(100)));
    }

    public void print(PrintStream out) {
        if (!comparisons.isEmpty()) {
            out.println("Ratios of this run");
            out.println();
            print(out, comparisons, "benchmark", "what", "against", "figure", "its figure", "ratio");
        }
        if (!growths.isEmpty()) {
            out.println("Growth of cost in this run");
            out.println();
            print(out, growths, "benchmark", "cost", "of", "figure", "10 times", "100 times");
        }
    }

    private static void print(PrintStream out, List<List<String>> rows, String... headings) {
        Table table = new Table(3, headings);
        rows.forEach(row -> table.row(row.toArray(String[]::new)));
        out.print(table.text());
        out.println();
    }
}
