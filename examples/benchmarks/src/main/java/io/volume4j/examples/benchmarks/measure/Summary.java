package io.volume4j.examples.benchmarks.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a whole run, as ratios, which depend less on the machine. */
public final class Summary {
    private final List<Comparison> comparisons = new ArrayList<>();
    private final List<List<String>> growths = new ArrayList<>();
    private final Map<String, String> doubts = new LinkedHashMap<>();

    private record Comparison(String benchmark, String what, String with, String ours, String theirs, double ratio) {
        String title() {
            return what + ", to " + with;
        }
    }

    /**
     * One comparison in all rounds.
     *
     * @param ratios of the library to the other, one for each round
     * @param doubted whether a round of it is not reliable
     */
    public record Spread(String benchmark, String title, List<Double> ratios, boolean doubted) {
        public Spread {
            ratios = ratios.stream().sorted().toList();
        }

        public double least() {
            return ratios.get(0);
        }

        public double median() {
            int middle = ratios.size() / 2;
            return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
        }

        public double greatest() {
            return ratios.get(ratios.size() - 1);
        }
    }

    /**
     * Adds a comparison of the library with another implementation in the same run.
     *
     * @param ratio of the first to the second
     */
    public void compared(String benchmark, String what, String ours, String with, String theirs, double ratio) {
        comparisons.add(new Comparison(benchmark, what, with, ours, theirs, ratio));
    }

    public void growth(String benchmark, Growth growth) {
        growths.add(
                List.of(benchmark, growth.what(), growth.base(), growth.cost(), growth.times(10), growth.times(100)));
    }

    /** Marks the figures of this benchmark as not reliable, for all rounds. */
    public void doubt(String benchmark, String why) {
        doubts.put(benchmark, why);
    }

    /** All comparisons in the order of the first round. */
    public List<Spread> spreads() {
        Map<List<String>, List<Double>> ratios = new LinkedHashMap<>();
        for (Comparison each : comparisons) {
            ratios.computeIfAbsent(List.of(each.benchmark(), each.title()), key -> new ArrayList<>())
                    .add(each.ratio());
        }
        List<Spread> spreads = new ArrayList<>();
        ratios.forEach((key, values) ->
                spreads.add(new Spread(key.get(0), key.get(1), values, doubts.containsKey(key.get(0)))));
        return spreads;
    }

    public void print(PrintStream out, int rounds) {
        if (!comparisons.isEmpty() && rounds == 1) {
            out.println("Ratios of this run");
            out.println();
            Table table = new Table(3, "benchmark", "what", "against", "figure", "its figure", "ratio");
            comparisons.forEach(each -> table.row(
                    each.benchmark(),
                    each.what(),
                    each.with(),
                    each.ours(),
                    each.theirs(),
                    Figures.ratio(each.ratio()) + mark(each.benchmark())));
            out.println(table.text());
        } else if (!comparisons.isEmpty()) {
            out.println("Ratios of " + rounds + " rounds");
            out.println();
            Table table = new Table(2, "benchmark", "what", "median", "least", "greatest");
            spreads()
                    .forEach(each -> table.row(
                            each.benchmark(),
                            each.title(),
                            Figures.ratio(each.median()) + mark(each.benchmark()),
                            Figures.ratio(each.least()),
                            Figures.ratio(each.greatest())));
            out.println(table.text());
        }
        doubts.forEach((benchmark, why) -> out.println("  * " + benchmark + " should not be relied on: " + why));
        if (!growths.isEmpty()) {
            out.println("Growth of cost in this run");
            out.println();
            Table table = new Table(3, "benchmark", "cost", "of", "figure", "10 times", "100 times");
            growths.forEach(row -> table.row(row.toArray(String[]::new)));
            out.println(table.text());
        }
    }

    private String mark(String benchmark) {
        return doubts.containsKey(benchmark) ? " *" : "";
    }
}
