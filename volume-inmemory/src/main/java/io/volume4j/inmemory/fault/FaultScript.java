package io.volume4j.inmemory.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The faults to come, in the order in which they were added. A call is given to the first fault that is due for it; later
 * ones do not count it, so faults for the same call happen one after the other. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FaultScript {
    private final List<Armed> armed = new ArrayList<>();

    /** Without any fault. */
    public FaultScript() {}

    public synchronized void add(Fault fault) {
        armed.add(new Armed(fault));
    }

    /** Forgets all faults that have not happened. What hangs already goes on hanging. */
    public synchronized void heal() {
        armed.clear();
    }

    /** Faults that have not happened, or not often enough. */
    public synchronized List<Fault> pending() {
        return armed.stream().map(entry -> entry.fault).toList();
    }

    /** The fault of a call that is made now. */
    public synchronized Optional<Fault> take(CallSite site) {
        Iterator<Armed> each = armed.iterator();
        while (each.hasNext()) {
            Armed next = each.next();
            if (next.fault.matches(site) && next.due()) {
                if (next.spent()) {
                    each.remove();
                }
                return Optional.of(next.fault);
            }
        }
        return Optional.empty();
    }

    private static final class Armed {
        private final Fault fault;
        private long seen;

        Armed(Fault fault) {
            this.fault = fault;
        }

        boolean due() {
            seen++;
            return seen >= fault.nth();
        }

        boolean spent() {
            return fault.times() != Fault.ALWAYS && seen >= (long) fault.nth() + fault.times() - 1;
        }
    }
}
