package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.oracle.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The fewest acts with which a run still goes wrong in the same way: the same rule, broken by the same kind of call. */
final class Smallest {
    private Smallest() {}

    /** Leaves out ever smaller stretches of the acts for as long as the trouble stays. A run that passes is given back as it is. */
    static <A> Result of(List<A> all, Function<List<A>, Result> run) {
        List<A> acts = new ArrayList<>(all);
        Result best = run.apply(acts);
        for (int size = Math.max(1, acts.size() / 2); size >= 1 && !best.passed(); size /= 2) {
            int from = 0;
            while (from < acts.size()) {
                List<A> fewer = new ArrayList<>(acts);
                fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
                Result result = run.apply(fewer);
                if (sameTrouble(result, best)) {
                    acts = fewer;
                    best = result;
                } else {
                    from += size;
                }
            }
        }
        return best;
    }

    private static boolean sameTrouble(Result result, Result wanted) {
        if (result.passed()) {
            return false;
        }
        Violation found = result.violations().get(0);
        Violation first = wanted.violations().get(0);
        return found.rule().equals(first.rule()) && call(found).equals(call(first));
    }

    private static String call(Violation violation) {
        return violation.call().split(" ", 2)[0];
    }
}
