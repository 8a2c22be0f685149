package io.volume4j.inmemory.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The faults for future calls, in the order in which they were added. The first matching fault that is due takes a
 * call. Later faults do not count that call, so faults for the same call happen one after another. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FaultScript {
    private final List<Armed> armed = new ArrayList<>();

    /** A script without faults. */
    public FaultScript() {}

    public synchronized void add(Fault fault) {
        armed.add(new Armed(fault));
    }

    /** Removes all faults that have not happened. Hanging calls continue to hang. */
    public synchronized void heal() {
        armed.clear();
    }

    /**
     * Removes the faults that have not happened and concern calls to this driver. Faults for any driver are among
     * them.
     */
    public synchronized void heal(String plugin) {
        armed.removeIf(each -> each.fault.concerns(plugin));
    }

    /** The faults that have not happened, or not as often as they should. */
    public synchronized List<Fault> pending() {
        return armed.stream().map(entry -> entry.fault).toList();
    }

    /** Takes the fault for a call that begins now; empty for none. */
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
