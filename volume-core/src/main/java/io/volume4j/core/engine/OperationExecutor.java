package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on worker threads, and reports their outcomes on the loop.
 *
 * <p>Calls queue in lanes, one for each plugin. Each lane has its own limit, and may have limits for parts of its
 * calls ({@link Lane}). All lanes share a common limit and take turns; no lane gets more than half of it. A long call
 * (mkfs, or storage that hangs) releases its place in the common limit, but keeps its place in its lane. The executor
 * writes off a call that misses its deadline: it reports the call as uncertain, and the call no longer counts in
 * either limit. It reports the later return of the thread separately. If too many calls of a lane are written off and
 * have not returned, the lane starts no more calls until one returns. The same applies to all lanes together, where
 * long calls count too. Within a lane, volumes share the places fairly ({@link Lane}).
 *
 * <p>All state belongs to the loop; {@link #submit} and the reports are on the loop.
 */
public final class OperationExecutor {
    /** The limits for all lanes together. Each call contains the limit of its lane. */
    public record Limits(int running, int writtenOffPerLane, int writtenOff) {
        public Limits {
            if (running < 1 || writtenOffPerLane < 1 || writtenOff < writtenOffPerLane) {
                throw new IllegalArgumentException(
                        "limits must be positive and those for all not below those of a lane: " + running + ", "
                                + writtenOffPerLane + ", " + writtenOff);
            }
        }

        public static Limits standard() {
            return new Limits(64, 128, 512);
        }

        /** The maximum number of threads that calls can use. */
        public int threads() {
            return running + writtenOff;
        }
    }

    /** Called when a call ended. */
    interface Reports {
        /** The call's outcome, exactly once: when it returns, or when it is written off. */
        void ended(Outcome outcome);

        /** The thread returned. Called exactly once, after {@link #ended}. */
        void returned();
    }

    /** A healthy mount takes milliseconds. A call that takes longer than this must not delay it. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private static final String NONE_UNTIL_ONE_RETURNS =
            " have not returned since their deadlines; no more are made until one does";

    private static final EventLoop.Timer NO_TIMER = () -> {};

    private final EventLoop loop;
    private final Executor workers;
    private final Limits limits;
    private final Discretion discretion;
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Deque<Lane> turns = new ArrayDeque<>();
    private final Set<SubmittedCall> started = new LinkedHashSet<>();
    /** Running calls that may still end soon, in the order in which they were started. */
    private final Set<SubmittedCall> young = new LinkedHashSet<>();

    private EventLoop.Timer eldest = NO_TIMER;
    /** Calls with a place in the common limit. */
    private int brisk;
    /** Calls that have released that place. */
    private int lengthy;

    private int writtenOff;
    private long submitted;
    private boolean closed;

    /** An executor for calls that get no secrets. */
    public OperationExecutor(EventLoop loop, Executor workers, Limits limits) {
        this(loop, workers, limits, Discretion.none());
    }

    public OperationExecutor(EventLoop loop, Executor workers, Limits limits, Discretion discretion) {
        this.loop = loop;
        this.workers = workers;
        this.limits = limits;
        this.discretion = discretion;
    }

    /** Queues a call that is its own subject. The reports come later, never during this call. */
    void submit(String operationId, int attempt, Call call, Consumer<String> progress, Reports reports) {
        submit(operationId, operationId, attempt, call, Instrumentation.Step.none(), progress, reports);
    }

    /**
     * Queues a call of the subject, which shares the lane with others. The reports come later, never during this call.
     */
    void submit(
            Object subject,
            String operationId,
            int attempt,
            Call call,
            Instrumentation.Step observed,
            Consumer<String> progress,
            Reports reports) {
        Lane lane = lanes.computeIfAbsent(call.lane(), Lane::new);
        lane.add(new SubmittedCall(subject, operationId, attempt, call, observed, progress, reports, submitted++));
        enqueue(lane);
        startWhatMay();
    }

    /** What a waiting call waits for, for users; {@code ""} if it has started. */
    String waitsFor(Object subject, String operationId) {
        for (Lane lane : lanes.values()) {
            SubmittedCall waiting = lane.waiting(subject, operationId);
            if (waiting != null) {
                return waitsFor(lane, waiting);
            }
        }
        return "";
    }

    private String waitsFor(Lane lane, SubmittedCall call) {
        if (lane.writtenOff >= limits.writtenOffPerLane()) {
            return lane.writtenOff + " calls of " + lane.name + NONE_UNTIL_ONE_RETURNS;
        }
        if (writtenOff + lengthy >= limits.writtenOff()) {
            return (writtenOff + lengthy) + " calls take long or" + NONE_UNTIL_ONE_RETURNS;
        }
        String full = lane.full(call);
        return full.isEmpty() ? "the limit of concurrent calls is reached" : full;
    }

    /** The loop time at which the call is, or was, written off; empty if it has not begun or has returned. */
    OptionalLong deadlineNanos(String operationId) {
        for (SubmittedCall call : started) {
            if (call.id.equals(operationId)) {
                return OptionalLong.of(
                        loop.nanoTime() + call.context.remaining().toNanos());
            }
        }
        return OptionalLong.empty();
    }

    /** The numbers of running, written-off and waiting calls. */
    Load load() {
        int queued = lanes.values().stream().mapToInt(Lane::waiting).sum();
        return new Load(brisk + lengthy, writtenOff, queued);
    }

    /** The number of subjects whose last call hung. */
    int suspects() {
        return lanes.values().stream().mapToInt(Lane::suspects).sum();
    }

    /** The load of the executor. */
    record Load(int running, int writtenOff, int queued) {}

    /**
     * Cancels a call that is not wanted any more. A waiting call is dropped and later ends as a transient failure; a
     * running call is asked to end.
     */
    void cancel(Object subject, String operationId) {
        for (SubmittedCall operation : started) {
            if (operation.id.equals(operationId)) {
                operation.context.cancel();
                return;
            }
        }
        SubmittedCall unwanted = takeOut(subject, operationId);
        if (unwanted != null) {
            loop.execute(() -> {
                unwanted.reports.ended(Outcome.failure(
                        VolumeException.transientFailure("not begun, because it was no longer wanted")));
                unwanted.reports.returned();
            });
        }
    }

    /** Drops a waiting call without any report. False if it does not wait. */
    boolean withdraw(Object subject, String operationId) {
        return takeOut(subject, operationId) != null;
    }

    private @Nullable SubmittedCall takeOut(Object subject, String operationId) {
        for (Iterator<Lane> rest = lanes.values().iterator(); rest.hasNext(); ) {
            Lane lane = rest.next();
            SubmittedCall waiting = lane.waiting(subject, operationId);
            if (waiting != null) {
                lane.remove(waiting);
                if (lane.idle()) {
                    rest.remove();
                }
                return waiting;
            }
        }
        return null;
    }

    /** Cancels all calls and starts no more. Returns the calls that have not returned yet. */
    List<String> close() {
        closed = true;
        List<String> left = new ArrayList<>();
        for (SubmittedCall operation : started) {
            operation.context.cancel();
            left.add(operation.id + " (" + operation.call.lane() + ")");
        }
        return left;
    }

    private void enqueue(Lane lane) {
        if (!lane.inTurn && lane.waiting() > 0) {
            lane.inTurn = true;
            turns.add(lane);
        }
    }

    /** Starts waiting calls. Lanes take turns; a lane that may not start now gets its turn back when a call ends. */
    private void startWhatMay() {
        while (!closed && !turns.isEmpty() && brisk < limits.running() && writtenOff + lengthy < limits.writtenOff()) {
            Lane lane = turns.remove();
            lane.inTurn = false;
            SubmittedCall next = lane.takeNext(limits);
            if (next != null) {
                start(lane, next);
                enqueue(lane);
            }
        }
    }

    private void start(Lane lane, SubmittedCall operation) {
        brisk++;
        started.add(operation);
        operation.context = new RunningCall(
                operation.id,
                operation.attempt,
                operation.call.deadline(),
                loop,
                discretion.text(),
                operation.progress);
        Duration deadline = operation.call.deadline();
        if (deadline.compareTo(LONG) <= 0) {
            operation.alarm = loop.schedule(deadline, () -> writeOff(operation));
        } else {
            watch(operation);
        }
        try {
            workers.execute(() -> runOnWorker(operation));
        } catch (Throwable noThread) {
            // The executor refused, or the machine has no more threads. Some executors keep the call although they
            // throw.
            if (operation.context.begin()) {
                loop.execute(() -> finish(
                        operation,
                        Outcome.failure(VolumeException.transientFailure("no worker thread for " + lane.name)
                                .withCause(noThread))));
            }
        }
    }

    @SuppressWarnings("try") // the scope is the block
    private void runOnWorker(SubmittedCall operation) {
        if (!operation.context.begin()) {
            return;
        }
        Outcome outcome;
        try (Instrumentation.Scope call = operation.observed.call()) {
            outcome = Outcome.success(
                    tooLate(operation)
                            ? notSent(operation)
                            : discretion
                                    .runner()
                                    .run(() -> operation.call.body().run(operation.context)));
        } catch (VolumeException classified) {
            outcome = Outcome.failure(classified);
        } catch (Throwable unclassified) {
            outcome = Outcome.failure(VolumeException.uncertain(
                            operation.call.lane() + " failed without saying whether anything happened: " + unclassified)
                    .withCause(unclassified));
        }
        Outcome ended = outcome;
        loop.execute(() -> finish(operation, ended));
    }

    /**
     * Whether the deadline has passed or the call was cancelled before a worker began it. The worker then does not
     * make the call, because another controller may have taken over.
     */
    private static boolean tooLate(SubmittedCall operation) {
        return operation.context.cancelled() || operation.context.remaining().isNegative();
    }

    private static Object notSent(SubmittedCall operation) {
        throw VolumeException.transientFailure(operation.call.lane() + " was not called before the deadline");
    }

    private void finish(SubmittedCall operation, Outcome outcome) {
        started.remove(operation);
        unwatch(operation);
        operation.alarm.cancel();
        operation.context.end();
        Lane lane = lane(operation);
        try {
            if (operation.writtenOff) {
                lane.writtenOff--;
                writtenOff--;
            } else {
                leave(lane, operation);
                judge(lane, operation, operation.lengthy && !outcome.succeeded());
                operation.reports.ended(outcome);
            }
        } finally {
            // The call is over even if the report of its outcome fails, and others have waited for it.
            operation.reports.returned();
            if (lane.idle()) {
                lanes.remove(lane.name);
            }
            lanes.values().forEach(this::enqueue);
            startWhatMay();
        }
    }

    /** Starts the measurement of a call. Nearly all calls end soon, so one timer for the oldest serves all. */
    private void watch(SubmittedCall operation) {
        operation.longAt = loop.nanoTime() + LONG.toNanos();
        young.add(operation);
        if (young.size() == 1) {
            eldest = loop.schedule(LONG, this::lookAtTheEldest);
        }
    }

    private void lookAtTheEldest() {
        while (!young.isEmpty()) {
            SubmittedCall operation = young.iterator().next();
            long left = operation.longAt - loop.nanoTime();
            if (left > 0) {
                eldest = loop.schedule(Duration.ofNanos(left), this::lookAtTheEldest);
                return;
            }
            young.remove(operation);
            takesLong(operation);
        }
    }

    private void unwatch(SubmittedCall operation) {
        if (young.remove(operation) && young.isEmpty()) {
            eldest.cancel();
        }
    }

    private void takesLong(SubmittedCall operation) {
        operation.alarm = loop.schedule(operation.call.deadline().minus(LONG), () -> writeOff(operation));
        operation.lengthy = true;
        Lane lane = lane(operation);
        lane.brisk--;
        brisk--;
        lengthy++;
        enqueue(lane);
        startWhatMay();
    }

    /** Records how the call ended, for later calls of its subject. A call that is its own subject has no later call. */
    private static void judge(Lane lane, SubmittedCall operation, boolean hung) {
        if (!operation.subject.equals(operation.id)) {
            lane.judge(operation.subject, hung);
        }
    }

    /** Releases the places of a call that has ended. */
    private void leave(Lane lane, SubmittedCall operation) {
        lane.leave(operation);
        if (operation.lengthy) {
            lengthy--;
        } else {
            lane.brisk--;
            brisk--;
        }
    }

    /** The lane of a call. It exists until all its calls have returned. */
    private Lane lane(SubmittedCall operation) {
        return Objects.requireNonNull(lanes.get(operation.call.lane()), operation.id);
    }

    private void writeOff(SubmittedCall operation) {
        if (operation.writtenOff || !started.contains(operation)) {
            return;
        }
        operation.writtenOff = true;
        operation.context.cancel();
        Lane lane = lane(operation);
        leave(lane, operation);
        judge(lane, operation, true);
        lane.writtenOff++;
        writtenOff++;
        Duration deadline = operation.call.deadline();
        try {
            operation.reports.ended(Outcome.writtenOff(
                    VolumeException.uncertain(lane.name + " did not answer within " + deadline.toMillis() + " ms")
                            .withAdvice("the call may still be running; the volume is left alone until it returns")));
        } finally {
            enqueue(lane);
            startWhatMay();
        }
    }
}
