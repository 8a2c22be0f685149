package io.volume4j.ui.watch;

import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.ui.feed.OpenStep;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the view knows of one node or controller beside its rows, and how it keeps all of it up to date without ever waiting: while an
 * answer is outstanding the same question is not asked again. Used by one thread; answers come on others.
 */
public final class Live {
    /** How many keys are read between two turns of the refresher, at most. */
    static final int BUDGET = 1024;

    /** A call that is younger needs no deadline on the page. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    /** How often health and journal are read, at most. */
    private static final long RARELY = TimeUnit.SECONDS.toNanos(2);

    private final Readings readings;
    private final InstantSource clock;
    private volatile Map<String, Instant> deadlines = Map.of();
    private volatile @Nullable Health health;
    private volatile @Nullable JournalReading journal;
    private volatile Instant healthAskedAt;
    private CompletableFuture<?> rows = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> calls = CompletableFuture.completedFuture(null);
    private CompletableFuture<?> state = CompletableFuture.completedFuture(null);
    private long rarely;
    private boolean askedOnce;

    public Live(Readings readings, InstantSource clock) {
        this.readings = readings;
        this.clock = clock;
        this.healthAskedAt = clock.instant();
    }

    public Readings readings() {
        return readings;
    }

    /** When calls are written off, as far as that was asked. */
    public Map<String, Instant> deadlines() {
        return deadlines;
    }

    /** As it was answered last; empty before. */
    public Optional<Health> health() {
        return Optional.ofNullable(health);
    }

    /** When the question was asked that has no answer yet; empty if all are answered. */
    public Optional<Instant> unanswered() {
        return state.isDone() ? Optional.empty() : Optional.of(healthAskedAt);
    }

    public Optional<JournalReading> journal() {
        return Optional.ofNullable(journal);
    }

    /** Asks what is due and not asked already. Does not block. */
    public void refresh(Shown shown, Executor blocking) {
        long now = readings.feed().nanoTime();
        refreshRows(shown);
        if (calls.isDone()) {
            calls = askDeadlines(now);
        }
        if (state.isDone() && (!askedOnce || now - rarely >= RARELY)) {
            askedOnce = true;
            rarely = now;
            healthAskedAt = clock.instant();
            state = CompletableFuture.supplyAsync(readings::health, blocking)
                    .thenAccept(answer -> health = answer)
                    .thenCompose(known -> readings.journal())
                    .handle((answer, failure) -> {
                        journal = answer == null ? null : answer.orElse(null);
                        return null;
                    });
        }
    }

    /** Reads the rows whose keys wait, unless they are being read. Does not block. */
    void refreshRows(Shown shown) {
        if (rows.isDone()) {
            rows = slices(shown, BUDGET);
        }
    }

    /** One slice after the other, each in a turn of the loop of its own. */
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
