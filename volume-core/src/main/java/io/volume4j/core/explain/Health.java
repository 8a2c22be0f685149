package io.volume4j.core.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Whether a node or a controller of this process works, for the probes of whatever runs the process. It says nothing of single
 * volumes: one that cannot be mounted makes no node unhealthy.
 *
 * @param live the event loop answered in time; a process that is not live should be restarted
 * @param ready what an earlier run left is known, and the objects of the cluster that decisions need are known; false before the
 *     start, after closing, and while the cluster cannot be listed. A controller that stands by is ready
 * @param leads whether this process does the work: always true of a node, false of a controller while another process leads
 * @param reasons why it is not live, not ready or not leading, for people; empty if it is all of that
 * @since 0.1.0
 */
public record Health(boolean live, boolean ready, boolean leads, List<String> reasons) {
    /** How long a loop may take to answer if the caller names no other time. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    public Health {
        reasons = Collections.unmodifiableList(new ArrayList<>(reasons));
    }

    /** Works, and leads. */
    public static Health working() {
        return new Health(true, true, true, List.of());
    }

    /** Would work if it led. */
    public static Health standingBy() {
        return new Health(true, true, false, List.of("another process leads"));
    }

    /** Live, and knows too little to work. */
    public static Health notReady(boolean leads, List<String> reasons) {
        return new Health(true, false, leads, reasons);
    }

    /** Does not answer, or never will. */
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
