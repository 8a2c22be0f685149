package io.volume4j.examples.agent;

import io.volume4j.core.explain.Health;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a call without which the program cannot go on, after pauses of 1 to 30 seconds, until the cluster answers: a machine starts
 * its programs at boot before its network and its cluster are there. A wrong user or a missing right is repeated too, because an
 * administrator may grant it later. Only a conflict or an invalid request ends the program.
 */
final class UntilAnswered {
    private static final Logger LOG = LoggerFactory.getLogger(UntilAnswered.class);

    private final StopSignal stop;
    private final Checks checks;
    private final Pauses pauses;
    private final LongSupplier nanoTime;

    /** @param checks says that the program is not ready meanwhile */
    UntilAnswered(StopSignal stop, Checks checks, Pauses pauses, LongSupplier nanoTime) {
        this.stop = stop;
        this.checks = checks;
        this.pauses = pauses;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns when the call has succeeded.
     *
     * @param limit at this time the call is made once more, and its failure is thrown; null for no limit
     * @return false if the program was asked to stop before
     * @throws ClusterException if a repetition cannot help, or at the limit
     */
    boolean call(String what, Runnable call, @Nullable Duration limit) throws InterruptedException {
        Supplier<Health> waiting = () -> Health.notReady(true, List.of(what + ": the cluster has not answered yet"));
        checks.of(waiting);
        try {
            return repeat(what, call, limit);
        } finally {
            checks.ended(waiting);
        }
    }

    private boolean repeat(String what, Runnable call, @Nullable Duration limit) throws InterruptedException {
        long began = nanoTime.getAsLong();
        boolean warned = false;
        while (true) {
            try {
                call.run();
                if (warned) {
                    LOG.atInfo().addKeyValue("action", what).log("the cluster answers, and the program goes on");
                }
                return true;
            } catch (ClusterException failure) {
                if (left(began, limit) == 0
                        || failure.reason() == Reason.CONFLICT
                        || failure.reason() == Reason.INVALID) {
                    throw failure;
                }
                if (!warned) {
                    warned = true;
                    LOG.atWarn()
                            .addKeyValue("action", what)
                            .addKeyValue("error", failure.getMessage())
                            .addKeyValue(
                                    "next",
                                    "what is mounted stays; tried again every " + Pauses.FIRST.toSeconds() + " to "
                                            + Pauses.LONGEST.toSeconds() + " seconds")
                            .addKeyValue("advice", "start the cluster, or check its address and this program's user")
                            .log("the program waits until the cluster answers");
                }
            }
            long pause = Math.min(pauses.next().toNanos(), left(began, limit));
            if (stop.isAskedWithin(Duration.ofNanos(pause))) {
                return false;
            }
        }
    }

    /** Nanoseconds until the limit. */
    private long left(long began, @Nullable Duration limit) {
        return limit == null ? Long.MAX_VALUE : Math.max(0, limit.toNanos() - (nanoTime.getAsLong() - began));
    }
}
