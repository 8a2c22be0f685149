package io.volume4j.csi;

import io.volume4j.csi.internal.plugin.GroupSide;
import io.volume4j.csi.internal.plugin.SnapshotSide;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.GroupSnapshotter.CreateGroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupSnapshot;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until snapshots are ready to use. A driver creates a snapshot quickly, but many backends process it for
 * minutes or hours afterwards. CSI has no notification of the end. Therefore this class polls the driver, with pauses
 * that double from one second to one minute by default. It uses no thread while it waits.
 *
 * <p>It calls GetSnapshot. If the driver does not support that, it calls ListSnapshots; otherwise it repeats the same
 * CreateSnapshot, as CSI specifies for drivers without either. For a group it calls GetVolumeGroupSnapshot. After a
 * temporary failure it continues to poll. A list without the snapshot is no more than that: some drivers list only what is
 * ready. So the wait for a lost snapshot of such a driver has no end of its own: give it one with {@code orTimeout}.
 *
 * <pre>{@code
 * CsiReadiness readiness = CsiReadiness.builder(plugin, timer, workers).build();
 * Snapshot cut = plugin.snapshotter().orElseThrow().create(request, context);
 * readiness.snapshot(request, cut).thenAccept(ready -> ...);
 * }</pre>
 *
 * <p>The futures end with
 *
 * <ul>
 * <li>the snapshot, when it is ready; at once, if it was ready on creation;
 * <li>{@link VolumeException}, if the driver says that it will never be, or denies it when asked for it (then with
 * {@link VolumeException#provesAbsent()});
 * <li>cancellation, by the caller, by {@link #close}, or because the snapshot is being deleted through the same
 * plugin.
 * </ul>
 *
 * This class stores nothing on disk: after a restart the controller of the snapshot must wait for it again.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class CsiReadiness implements AutoCloseable {
    private final CsiPlugin plugin;
    private final Timer timer;
    private final Executor workers;
    private final Builder settings;
    private final Set<Poll<?>> polls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private CsiReadiness(Builder settings) {
        this.plugin = settings.plugin;
        this.timer = settings.timer;
        this.workers = settings.workers;
        this.settings = settings;
    }

    /**
     * A builder.
     * @param timer starts the polls; this class does not shut it down
     * @param workers execute the calls, which block as long as the driver takes; this class does not shut them down
     */
    public static Builder builder(CsiPlugin plugin, ScheduledExecutorService timer, Executor workers) {
        return new Builder(plugin, on(timer), workers);
    }

    static Builder builder(CsiPlugin plugin, Timer timer, Executor workers) {
        return new Builder(plugin, timer, workers);
    }

    /**
     * Completes when the snapshot is ready.
     * @param made the request that created it
     * @param cut the result of that request
     */
    public CompletableFuture<Snapshot> snapshot(CreateRequest made, Snapshot cut) {
        SnapshotSide side = plugin.snapshots();
        return poll(cut.handle(), cut, Snapshot::ready, context -> side.progress(made, cut.handle(), context));
    }

    /** The same for a group. A group is ready when all its members are ready. */
    public CompletableFuture<GroupSnapshot> group(CreateGroupRequest made, GroupSnapshot cut) {
        GroupSide side = plugin.groups();
        GroupRequest group = new GroupRequest(cut.handle(), cut.memberHandles(), made.parameters());
        return poll(cut.handle(), cut, GroupSnapshot::ready, context -> side.get(group, context));
    }

    private <T> CompletableFuture<T> poll(
            String handle, T cut, Predicate<T> ready, Function<CallContext, Optional<T>> question) {
        if (ready.test(cut)) {
            return CompletableFuture.completedFuture(cut);
        }
        Poll<T> poll = new Poll<>(handle, ready, question);
        polls.add(poll);
        Runnable forget = plugin.departures().onLeaving(handle, () -> poll.future.cancel(false));
        CompletableFuture<T> unused = poll.future.whenComplete((result, failure) -> {
            forget.run();
            poll.stop();
            polls.remove(poll);
        });
        if (closed) {
            poll.future.cancel(false);
        }
        poll.wait(settings.firstPause);
        return poll.future;
    }

    /** Polls that have not ended. */
    int waiting() {
        return polls.size();
    }

    /** Cancels all futures and running calls. Idempotent. */
    @Override
    public void close() {
        closed = true;
        polls.forEach(poll -> poll.future.cancel(false));
    }

    private final class Poll<T> {
        private final String handle;
        private final Predicate<T> ready;
        private final Function<CallContext, Optional<T>> question;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private volatile Duration pause = settings.firstPause;
        private volatile Runnable cancelTimer = () -> {};
        private volatile @Nullable Asking asking;

        Poll(String handle, Predicate<T> ready, Function<CallContext, Optional<T>> question) {
            this.handle = handle;
            this.ready = ready;
            this.question = question;
        }

        void wait(Duration delay) {
            if (future.isDone()) {
                return;
            }
            try {
                cancelTimer = timer.after(delay, this::ask);
            } catch (RejectedExecutionException atTheEnd) {
                future.cancel(false);
            } catch (Throwable noThread) {
                future.completeExceptionally(VolumeException.transientFailure(
                                "cannot wait for snapshot " + handle + ": the timer has no thread (" + noThread + ")")
                        .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                        .withCause(noThread));
            }
            if (future.isDone()) {
                cancelTimer.run();
            }
        }

        private void ask() {
            try {
                workers.execute(this::askNow);
            } catch (RejectedExecutionException rejected) {
                boolean ended = closed || (workers instanceof ExecutorService service && service.isShutdown());
                if (ended) {
                    future.cancel(false);
                } else {
                    // The host's executor is full.
                    wait(pause);
                }
            } catch (Throwable noThread) {
                wait(pause);
            }
        }

        private void askNow() {
            Asking context = new Asking(new Patience(settings.callTimeout, settings.nanoClock));
            asking = context;
            if (future.isDone()) {
                return;
            }
            try {
                Optional<T> found = question.apply(context);
                if (found.isEmpty()) {
                    future.completeExceptionally(
                            VolumeException.finalFailure("snapshot " + handle + " does not exist any more")
                                    .provingAbsence());
                    return;
                }
                if (ready.test(found.get())) {
                    future.complete(found.get());
                    return;
                }
            } catch (VolumeException failure) {
                if (failure.kind() == FailureKind.FINAL || failure.kind() == FailureKind.INFEASIBLE) {
                    future.completeExceptionally(failure);
                    return;
                }
            } catch (Throwable broken) {
                future.completeExceptionally(broken);
                return;
            }
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(settings.longestPause) < 0 ? doubled : settings.longestPause;
            wait(pause);
        }

        void stop() {
            cancelTimer.run();
            Asking context = asking;
            if (context != null) {
                context.cancel();
            }
        }
    }

    /** One question, which ends when no caller wants the answer any more. */
    private static final class Asking implements CallContext {
        private final CallContext time;
        private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();

        Asking(CallContext time) {
            this.time = time;
        }

        void cancel() {
            cancelled.complete(true);
        }

        @Override
        public String operationId() {
            return time.operationId();
        }

        @Override
        public int attempt() {
            return time.attempt();
        }

        @Override
        public Duration remaining() {
            return time.remaining();
        }

        @Override
        public boolean cancelled() {
            return cancelled.isDone();
        }

        @Override
        public void onCancel(Runnable action) {
            CompletableFuture<Void> unused = cancelled.thenRun(action);
        }

        @Override
        public void progress(String message) {}
    }

    /** Wakes up later. */
    @FunctionalInterface
    interface Timer {
        /** Runs the action after the delay; running what is returned prevents it, if it is not too late. */
        Runnable after(Duration delay, Runnable action);
    }

    private static Timer on(ScheduledExecutorService executor) {
        return (delay, action) -> {
            ScheduledFuture<?> scheduled = executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        };
    }

    /** Builds a {@link CsiReadiness}. Not thread-safe. */
    public static final class Builder {
        private final CsiPlugin plugin;
        private final Timer timer;
        private final Executor workers;
        private Duration firstPause = Duration.ofSeconds(1);
        private Duration longestPause = Duration.ofMinutes(1);
        private Duration callTimeout = Duration.ofMinutes(1);
        private LongSupplier nanoClock = System::nanoTime;

        private Builder(CsiPlugin plugin, Timer timer, Executor workers) {
            this.plugin = Objects.requireNonNull(plugin, "plugin");
            this.timer = timer;
            this.workers = Objects.requireNonNull(workers, "workers");
        }

        /**
         * The pauses between two polls, which double from the first to the longest; 1 second to 1 minute by default.
         */
        public Builder pauses(Duration first, Duration longest) {
            if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
                throw new IllegalArgumentException(
                        "pauses must be positive and must not decrease, not from " + first + " to " + longest);
            }
            firstPause = first;
            longestPause = longest;
            return this;
        }

        /** How long one poll may take, with the time that it waits for other calls; one minute by default. */
        public Builder callTimeout(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("callTimeout must be positive, not " + value);
            }
            callTimeout = value;
            return this;
        }

        /** The clock that measures polls; for tests. The JVM's clock by default. */
        public Builder nanoClock(LongSupplier value) {
            nanoClock = Objects.requireNonNull(value, "nanoClock");
            return this;
        }

        public CsiReadiness build() {
            return new CsiReadiness(this);
        }
    }
}
