package io.volume4j.core.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Whether a node or a controller of this process works, for liveness and readiness probes. Failures of single volumes
 * do not make a node unhealthy.
 *
 * @param live whether the event loop answered in time; restart a process that is not live
 * @param ready whether the state of an earlier run is reconstructed and the necessary objects of the cluster are
 *     known. False before the start, after closing, and while the cluster cannot be listed. A standby controller is
 *     ready
 * @param leads whether this process does the work. Always true for a node; false for a controller while another
 *     process leads
 * @param reasons why it is not live, not ready or not leading, for people; empty if it is live, ready and leading
 * @since 0.1.0
 */
public record Health(boolean live, boolean ready, boolean leads, List<String> reasons) {
    /** The default time limit for the answer of an event loop. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    public Health {
        reasons = Collections.unmodifiableList(new ArrayList<>(reasons));
    }

    /** A process that works and leads. */
    public static Health working() {
        return new Health(true, true, true, List.of());
    }

    /** A ready process that does not lead. */
    public static Health standingBy() {
        return new Health(true, true, false, List.of("another process leads"));
    }

    /** A live process that does not know enough to work. */
    public static Health notReady(boolean leads, List<String> reasons) {
        return new Health(true, false, leads, reasons);
    }

    /** A process that does not answer. */
    public static Health notLive(String reason) {
        return new Health(false, false, false, List.of(reason));
    }

    /** One line for a person. */
    public String text() {
        String state = (live ? "live" : "not live") + ", " + (ready ? "ready" : "not ready")
                + (live && ready && !leads ? ", standing by" : "");
        return reasons.isEmpty() ? state : state + ": " + String.join("; ", reasons);
    }
}
