package io.volume4j.csi.driver.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Context;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.Refused;
import io.volume4j.csi.driver.oracle.Oracle;
import io.volume4j.csi.driver.oracle.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Detects two concurrent calls for the same object and answers the second with ABORTED. That violates the specification
 * only if the caller still waits for the first call. After a cancellation the caller cannot know that the driver still
 * works on the call. Thread-safe.
 */
final class Traffic {
    private final Oracle oracle;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<String, Flight> flights = new HashMap<>();

    Traffic(Oracle oracle) {
        this.oracle = oracle;
    }

    /** @throws Refused if another call for the same object runs */
    Flight enter(String rpc, String exclusive, Context caller) {
        synchronized (lock) {
            Flight other = exclusive.isEmpty() ? null : flights.get(exclusive);
            if (other != null) {
                if (!other.caller.isCancelled()) {
                    oracle.note(Rule.OVERLAP, rpc, "while " + other.rpc + " of " + exclusive + " is under way");
                }
                throw new Refused(Code.ABORTED, other.rpc + " is under way for the same");
            }
            Flight flight = new Flight(rpc, exclusive, caller);
            if (!exclusive.isEmpty()) {
                flights.put(exclusive, flight);
            }
            return flight;
        }
    }

    /** A running call. */
    final class Flight {
        private final String rpc;
        private final String exclusive;
        private final Context caller;

        private Flight(String rpc, String exclusive, Context caller) {
            this.rpc = rpc;
            this.exclusive = exclusive;
            this.caller = caller;
        }

        void leave() {
            synchronized (lock) {
                flights.remove(exclusive, this);
            }
        }
    }
}
