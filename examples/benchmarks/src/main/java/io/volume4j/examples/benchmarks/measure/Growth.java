package io.volume4j.examples.benchmarks.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleFunction;

/** The cost of one unit when there are 10 and 100 times as many units; the smallest amount comes first. */
public final class Growth {
    private final String what;
    private final String of;
    private final DoubleFunction<String> figure;
    private final Map<Long, Double> costs = new LinkedHashMap<>();

    /**
     * Without measurements.
     *
     * @param what the measured cost, for instance {@code "p50"}
     * @param of the growing unit, in the plural
     * @param figure formats the cost
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

    /** Adds a measurement. */
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

    /**
     * The ratio of the cost at this many times the smallest amount to the cost there, {@code "-"} if it was not
     * measured.
     */
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
