package io.volume4j.examples.benchmarks.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleFunction;

/** What one unit of something costs where there is 10 and 100 times as much of it; the least amount comes first. */
public final class Growth {
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
    public Growth(String what, String of, DoubleFunction<String> figure) {
        this.what = what;
        this.of = of;
        this.figure = figure;
    }

    public static Growth ofTime(String what, String of) {
        return new Growth(what, of, Figures::time);
    }

    public static Growth ofBytes(String what, String of) {
        return new Growth(what, of, Figures::bytes);
    }

    /** Takes a measurement in. */
    public void at(long amount, double cost) {
        costs.put(amount, cost);
    }

    public boolean isEmpty() {
        return costs.isEmpty();
    }

    public String what() {
        return what;
    }

    public String base() {
        return Figures.count(least()) + " " + of;
    }

    public String cost() {
        return figure.apply(cost(least()));
    }

    /** The cost at so many times the least amount against the cost there, {@code "-"} if that was not measured. */
    public String times(int factor) {
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
