package io.volume4j.inmemory.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Many schedules, on all processors. Immutable. */
public final class Campaign {
    private static final int REPORTED = 5;

    private final Schedules schedules;

    private Campaign(Schedules schedules) {
        this.schedules = schedules;
    }

    public static Campaign of(Schedules schedules) {
        return new Campaign(schedules);
    }

    /** Schedules of the unchanged library that count the branches of its planners. */
    public static Campaign counting(PlannerCoverage coverage) {
        return new Campaign(Schedules.changed(coverage::counted));
    }

    /**
     * Runs that many seeds from the first on; stops early after some failures. Blocks. Each seed is an independent world, so
     * the order has no effect.
     */
    public Report run(long firstSeed, long count) {
        AtomicLong next = new AtomicLong(firstSeed);
        Sums sums = new Sums();
        Processors.run(() -> {
            long seed = next.getAndIncrement();
            while (seed < firstSeed + count && sums.add(schedules.run(seed))) {
                seed = next.getAndIncrement();
            }
        });
        List<Schedules.Result> minimal = new ArrayList<>();
        for (Schedules.Result failure : sums.failures) {
            minimal.add(schedules.minimal(failure.seed()));
        }
        return sums.report(minimal);
    }

    /**
     * The result.
     *
     * @param failures the smallest failing runs, of the first few failing seeds
     * @param bySetting the number of worlds of each setting
     * @param hash of all runs together, independent of their order
     */
    public record Report(
            long schedules,
            long steps,
            long faults,
            long boundaries,
            long hash,
            SortedMap<String, Long> bySetting,
            List<Schedules.Result> failures) {
        public Report {
            bySetting = Collections.unmodifiableSortedMap(new TreeMap<>(bySetting));
            failures = List.copyOf(failures);
        }

        /** The numbers and the failures. */
        public String text() {
            StringBuilder text = new StringBuilder()
                    .append(schedules)
                    .append(" schedules ")
                    .append(bySetting)
                    .append(", ")
                    .append(steps)
                    .append(" steps, ")
                    .append(boundaries)
                    .append(" places to die, ")
                    .append(faults)
                    .append(" faults, hash ")
                    .append(Long.toHexString(hash));
            failures.forEach(failure -> text.append('\n').append(failure.report()));
            return text.toString();
        }
    }

    private static final class Sums {
        private final List<Schedules.Result> failures = new ArrayList<>();
        private final TreeMap<String, Long> bySetting = new TreeMap<>();
        private long schedules;
        private long steps;
        private long faults;
        private long boundaries;
        private long hash;

        synchronized boolean add(Schedules.Result result) {
            schedules++;
            steps += result.steps();
            faults += result.faults();
            boundaries += result.boundaries();
            hash ^= result.hash() * (2 * result.seed() + 1);
            bySetting.merge(result.setting(), 1L, Long::sum);
            if (!result.passed()) {
                failures.add(result);
            }
            return failures.size() < REPORTED;
        }

        synchronized Report report(List<Schedules.Result> minimal) {
            return new Report(schedules, steps, faults, boundaries, hash, bySetting, minimal);
        }
    }
}
