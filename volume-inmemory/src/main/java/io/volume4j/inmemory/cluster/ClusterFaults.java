package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The scripted faults of a cluster. A request gets the first fault that is due for it. Thread-safe. */
final class ClusterFaults {
    private final List<Armed> armed = new ArrayList<>();
    private final List<ClusterFault> removedUnused = new ArrayList<>();

    synchronized void add(ClusterFault fault) {
        armed.add(new Armed(fault));
    }

    synchronized void heal() {
        removedUnused.addAll(unusedNow());
        armed.clear();
    }

    synchronized List<ClusterFault> unused() {
        List<ClusterFault> all = new ArrayList<>(removedUnused);
        all.addAll(unusedNow());
        return List.copyOf(all);
    }

    private List<ClusterFault> unusedNow() {
        return armed.stream()
                .filter(entry -> !entry.happened)
                .map(entry -> entry.fault)
                .toList();
    }

    /** Answers the request, or refuses it as scripted. */
    <T> T answer(ClusterVerb verb, Kind kind, @Nullable ObjectKey object, Supplier<T> effect) {
        @Nullable ClusterFault fault = take(verb, kind, object);
        if (fault == null || fault.rejection() == ClusterFault.Rejection.UNAVAILABLE_AFTER) {
            T done = effect.get();
            if (fault == null) {
                return done;
            }
        }
        throw new ClusterException(
                reason(fault),
                verb.word() + " " + (object == null ? kind.apiName() : object) + ": scripted fault "
                        + fault.rejection().word());
    }

    private synchronized @Nullable ClusterFault take(ClusterVerb verb, Kind kind, @Nullable ObjectKey object) {
        Iterator<Armed> each = armed.iterator();
        while (each.hasNext()) {
            Armed next = each.next();
            if (next.fault.matches(verb, kind, object) && ++next.seen >= next.fault.nth()) {
                next.happened = true;
                if (next.fault.times() != ClusterFault.ALWAYS
                        && next.seen >= (long) next.fault.nth() + next.fault.times() - 1) {
                    each.remove();
                }
                return next.fault;
            }
        }
        return null;
    }

    private static Reason reason(ClusterFault fault) {
        return switch (fault.rejection()) {
            case CONFLICT -> Reason.CONFLICT;
            case UNAVAILABLE, UNAVAILABLE_AFTER -> Reason.UNAVAILABLE;
            case EXISTS -> Reason.ALREADY_EXISTS;
            case FORBIDDEN -> Reason.FORBIDDEN;
        };
    }

    private static final class Armed {
        private final ClusterFault fault;
        private long seen;
        private boolean happened;

        Armed(ClusterFault fault) {
            this.fault = fault;
        }
    }
}
