package io.volume4j.csi.driver.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The active fault rules, with the number of calls that each has seen. Each rule counts each call that it matches. If several
 * rules apply to a call, each acts at its own point. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FaultScript {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Counted> rules = new ArrayList<>();

    /** A script without rules: no call fails. */
    public FaultScript() {}

    /** Adds a rule behind the existing ones. */
    public FaultScript add(FaultRule rule) {
        synchronized (lock) {
            rules.add(new Counted(rule));
        }
        return this;
    }

    /**
     * Adds rules as text, one per line:
     * {@code RPC [volume=PATTERN] [node=PATTERN] [call=N|N-M|N-] before|during|after ACTION}.
     *
     * @throws IllegalArgumentException with the invalid line; then no rule was added
     */
    public FaultScript add(String script) {
        FaultParser.parse(script).forEach(this::add);
        return this;
    }

    /** Removes all rules and counts. */
    public void clear() {
        synchronized (lock) {
            rules.clear();
        }
    }

    /** How often rules have applied, over all rules. */
    public int struck() {
        synchronized (lock) {
            return rules.stream().mapToInt(rule -> rule.struck).sum();
        }
    }

    /** Counts the call and returns its faults. */
    public Fate fate(String rpc, String subject, String node) {
        List<FaultRule> due = new ArrayList<>();
        synchronized (lock) {
            for (Counted each : rules) {
                if (each.rule.matches(rpc, subject, node)) {
                    each.seen++;
                    if (each.seen >= each.rule.first() && each.seen <= each.rule.last()) {
                        each.struck++;
                        due.add(each.rule);
                    }
                }
            }
        }
        return new Fate(due);
    }

    /** The faults of one call. */
    public static final class Fate {
        private final List<FaultRule> due;

        private Fate(List<FaultRule> due) {
            this.due = due;
        }

        /** The action at this point; if there are several, that of the rule that was added first. */
        public Optional<FaultAction> at(FaultPoint point) {
            return due.stream()
                    .filter(rule -> rule.point() == point)
                    .map(FaultRule::action)
                    .findFirst();
        }
    }

    private static final class Counted {
        private final FaultRule rule;
        private int seen;
        private int struck;

        Counted(FaultRule rule) {
            this.rule = rule;
        }
    }
}
