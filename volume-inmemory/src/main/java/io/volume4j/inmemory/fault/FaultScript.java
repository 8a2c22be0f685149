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
    private final List<Fault> removedUnused = new ArrayList<>();

    /** A script without faults. */
    public FaultScript() {}

    public synchronized void add(Fault fault) {
        armed.add(new Armed(fault));
    }

    /** Removes all faults that have not happened. Hanging calls continue to hang. */
    public synchronized void heal() {
        remove(armed);
    }

    /**
     * Removes the faults that have not happened and concern calls to this driver. Faults for any driver are among
     * them.
     */
    public synchronized void heal(String plugin) {
        remove(armed.stream().filter(each -> each.fault.concerns(plugin)).toList());
    }

    /** The faults that have not happened, or not as often as they should. */
    public synchronized List<Fault> pending() {
        return armed.stream().map(entry -> entry.fault).toList();
    }

    /** The faults that never happened, also those that {@link #heal} removed. */
    public synchronized List<Fault> unused() {
        List<Fault> all = new ArrayList<>(removedUnused);
        all.addAll(unused(armed));
        return List.copyOf(all);
    }

    private static List<Fault> unused(List<Armed> all) {
        return all.stream()
                .filter(entry -> !entry.happened)
                .map(entry -> entry.fault)
                .toList();
    }

    private void remove(List<Armed> healed) {
        removedUnused.addAll(unused(healed));
        armed.removeAll(List.copyOf(healed));
    }

    /** Takes the fault for a call that begins now; empty for none. */
    public synchronized Optional<Fault> take(CallSite site) {
        Iterator<Armed> each = armed.iterator();
        while (each.hasNext()) {
            Armed next = each.next();
            if (next.fault.matches(site) && next.due()) {
                next.happened = true;
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
        private boolean happened;

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
