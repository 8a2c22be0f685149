package io.volume4j.examples.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleFunction;

/** What one unit of something costs where there is 10 and 100 times as much of it; the least amount comes first. */
final class Growth {
    private final String what;
    private final String of;
    private final DoubleFunction<String> figure;
    private final Map<Long, Double> costs = new LinkedHashMap<>();

    /**
     * An empty one.
     *
     * @param what it costs, for instance {@code "p50"}
     * @param of what there is more and more of, in the plural
     * @param figure how the cost is written
     */
    Growth(String what, String of, DoubleFunction<String> figure) {
        this.what = what;
        this.of = of;
        this.figure = figure;
    }

    static Growth ofTime(String what, String of) {
        return new Growth(what, of, Figures::time);
    }

    static Growth ofBytes(String what, String of) {
        return new Growth(what, of, Figures::bytes);
    }

    /** Takes a measurement in. */
    void at(long amount, double cost) {
        costs.put(amount, cost);
    }

    boolean isEmpty() {
        return costs.isEmpty();
    }

    String what() {
        return what;
    }

    String base() {
        return Figures.count(least()) + " " + of;
    }

    String cost() {
        return figure.apply(cost(least()));
    }

    /** The cost at so many times the least amount against the cost there, {@code "-"} if that was not measured. */
    String times(int factor) {
        Double there = costs.get(least() * factor);
        return there == null ? "-" : Figures.ratio(there / cost(least()));
    }

    private long least() {
        return costs.keySet().iterator().next();
    }

    private double cost(long amount) {
        return costs.getOrDefault(amount, Double.NaN);
    }
}
