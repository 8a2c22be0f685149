package io.volume4j.ui.watch;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates the view four times a second while it has viewers. A viewer is an open stream, or a request in the last ten seconds. Without
 * viewers the refresher queries a reconciler only while more than {@value #MOST_WAITING} of its keys wait, so that their number is bounded.
 */
public final class Refresher {
    private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);
    private static final long PERIOD_MILLIS = 250;
    /** Limit for the waiting keys of one source. */
    static final int MOST_WAITING = 10_000;

    private static final long LINGER = TimeUnit.SECONDS.toNanos(10);

    private final Supplier<List<Live>> sources;
    private final Shown shown;
    private final Executor blocking;
    private final Runnable published;
    private final LongSupplier ticker;
    private final AtomicLong streams = new AtomicLong();
    private final AtomicLong lastRequest;

    /**
     * A refresher that does not run yet.
     *
     * @param blocking runs tasks that may block
     * @param published called after each turn with viewers
     */
    public Refresher(
            Supplier<List<Live>> sources, Shown shown, Executor blocking, Runnable published, LongSupplier ticker) {
        this.sources = sources;
        this.shown = shown;
        this.blocking = blocking;
        this.published = published;
        this.ticker = ticker;
        this.lastRequest = new AtomicLong(ticker.getAsLong() - 2 * LINGER);
    }

    public void start(ScheduledExecutorService timer) {
        var unused = timer.scheduleWithFixedDelay(this::turn, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A stream was opened; it counts as a viewer until {@link #streamClosed}. */
    public void streamOpened() {
        streams.incrementAndGet();
    }

    public void streamClosed() {
        streams.decrementAndGet();
        requested();
    }

    /** A single request arrived. */
    public void requested() {
        lastRequest.set(ticker.getAsLong());
    }

    /** The number of open streams. */
    public long streams() {
        return streams.get();
    }

    private boolean watched() {
        return streams.get() > 0 || ticker.getAsLong() - lastRequest.get() < LINGER;
    }

    void turn() {
        try {
            if (watched()) {
                sources.get().forEach(source -> source.refresh(shown, blocking));
                published.run();
            } else {
                sources.get().stream()
                        .filter(source -> source.readings().feed().waiting() > MOST_WAITING)
                        .forEach(source -> source.refreshRows(shown));
            }
        } catch (RuntimeException | Error bug) {
            // An exception that leaves this method ends the schedule, also one because of a missing thread.
            LOG.atWarn().setCause(bug).log("live view: a turn failed; the next turn runs");
        }
    }
}
