package io.volume4j.ui.watch;

import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.ui.feed.OpenStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The view's data of one node or controller, except the rows. Updates the data and the rows without blocking: while an answer is
 * outstanding, it does not repeat the query. Used by one thread; answers arrive on others.
 */
public final class Live {
    /** Most keys between two turns of the refresher. */
    static final int BUDGET = 1024;

    /** The page needs no deadline for a younger call. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    /** The shortest interval between queries of health and journal. */
    private static final long RARELY = TimeUnit.SECONDS.toNanos(2);

    private final Readings readings;
    private volatile Map<String, Instant> deadlines = Map.of();
    private volatile @Nullable Health health;
    private volatile @Nullable JournalReading journal;
    private volatile long healthAskedAt;
    private CompletableFuture<?> rows = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> calls = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> state = CompletableFuture.completedFuture(null);
    private long rarely;
    private boolean askedOnce;

    public Live(Readings readings) {
        this.readings = readings;
    }

    public Readings readings() {
        return readings;
    }

    /** The last known deadlines of running calls. */
    public Map<String, Instant> deadlines() {
        return deadlines;
    }

    /** The last answer; empty before the first. */
    public Optional<Health> health() {
        return Optional.ofNullable(health);
    }

    /** How long a query has had no answer; empty if there is none. */
    public Optional<Duration> unanswered() {
        return state.isDone()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(readings.feed().nanoTime() - healthAskedAt));
    }

    public Optional<JournalReading> journal() {
        return Optional.ofNullable(journal);
    }

    /** Sends the queries that are due and not outstanding. Does not block. */
    public void refresh(Shown shown, Executor blocking) {
        long now = readings.feed().nanoTime();
        refreshRows(shown);
        if (calls.isDone()) {
            calls = askDeadlines(now);
        }
        if (state.isDone() && (!askedOnce || now - rarely >= RARELY)) {
            askedOnce = true;
            rarely = now;
            healthAskedAt = now;
            state = CompletableFuture.supplyAsync(readings::health, blocking)
                    .thenAccept(answer -> health = answer)
                    .thenCompose(known -> readings.journal())
                    .handle((answer, failure) -> {
                        journal = answer == null ? null : answer.orElse(null);
                        return null;
                    });
        }
    }

    /** Reads the rows of the waiting keys, unless an earlier read still runs. Does not block. */
    void refreshRows(Shown shown) {
        if (rows.isDone()) {
            rows = slices(shown, BUDGET);
        }
    }

    /** Reads one slice after the other, each in its own turn of the loop. */
    private CompletableFuture<?> slices(Shown shown, int left) {
        return readings.refresh(shown, left)
                .thenCompose(read -> read == 0 || read >= left
                        ? CompletableFuture.completedFuture(null)
                        : slices(shown, left - read));
    }

    private CompletableFuture<?> askDeadlines(long now) {
        boolean old = false;
        for (OpenStep step : readings.feed().open()) {
            old |= now - step.beganNanos() > YOUNG && !deadlines.containsKey(step.id());
        }
        if (!old) {
            return CompletableFuture.completedFuture(null);
        }
        return readings.deadlines().handle((answer, failure) -> {
            deadlines = answer == null ? Map.of() : answer;
            return null;
        });
    }
}
