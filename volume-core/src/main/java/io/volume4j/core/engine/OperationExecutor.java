package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Runs calls on worker threads and tells the loop how they ended.
 *
 * <p>Calls queue in lanes, one for each plugin, each with a limit of its own; lanes with calls to run take turns under the
 * limit for all. A call past its deadline is written off: it is reported uncertain, it no longer counts against the
 * limits, so its thread is in effect replaced, and its return is reported apart. A lane in which too many calls were
 * written off and have not returned starts no more until one does; so does everything at a cap for all.
 *
 * <p>All state belongs to the loop; {@link #submit} and the reports are on the loop.
 */
public final class OperationExecutor {
    /** Limits for all lanes together; a lane's own limit comes with its calls. */
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

        /** The greatest number of threads that calls can occupy. */
        public int threads() {
            return running + writtenOff;
        }
    }

    /** Hears how a call ended. */
    interface Reports {
        /** The call's outcome, exactly once: when it returns, or when it is written off. */
        void ended(Outcome outcome);

        /** The thread came back, exactly once, after {@link #ended}. */
        void returned();
    }

    private final EventLoop loop;
    private final Executor workers;
    private final Limits limits;
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Deque<Lane> turns = new ArrayDeque<>();
    private final Set<Operation> started = new LinkedHashSet<>();
    private int running;
    private int writtenOff;
    private boolean closed;

    public OperationExecutor(EventLoop loop, Executor workers, Limits limits) {
        this.loop = loop;
        this.workers = workers;
        this.limits = limits;
    }

    /** Queues the call; the reports come later, never from within. */
    void submit(String operationId, int attempt, Call call, Consumer<String> progress, Reports reports) {
        Lane lane = lanes.computeIfAbsent(call.lane(), Lane::new);
        lane.limit = call.laneLimit();
        lane.queue.add(new Operation(operationId, attempt, call, lane, progress, reports));
        enqueue(lane);
        startWhatMay();
    }

    /** Calls that run now, were written off, or wait. */
    Load load() {
        int queued = lanes.values().stream().mapToInt(lane -> lane.queue.size()).sum();
        return new Load(running, writtenOff, queued);
    }

    /** How busy the executor is. */
    record Load(int running, int writtenOff, int queued) {}

    /**
     * Nobody wants the call any more. One that waits is not made and ends as a transient failure, later; one that runs is
     * asked to end.
     */
    void cancel(String operationId) {
        for (Operation operation : started) {
            if (operation.id.equals(operationId)) {
                operation.context.cancel();
                return;
            }
        }
        for (Lane lane : lanes.values()) {
            for (Operation operation : lane.queue) {
                if (operation.id.equals(operationId)) {
                    lane.queue.remove(operation);
                    loop.execute(() -> {
                        operation.reports.ended(Outcome.failure(
                                VolumeException.transientFailure("not begun, because it was no longer wanted")));
                        operation.reports.returned();
                    });
                    return;
                }
            }
        }
    }

    /** Cancels everything; starts nothing more. Returns the calls that have not returned yet. */
    List<String> close() {
        closed = true;
        List<String> left = new ArrayList<>();
        for (Operation operation : started) {
            operation.context.cancel();
            left.add(operation.id + " (" + operation.lane.name + ")");
        }
        return left;
    }

    private void enqueue(Lane lane) {
        if (!lane.inTurn && !lane.queue.isEmpty()) {
            lane.inTurn = true;
            turns.add(lane);
        }
    }

    /** Lanes take turns; one that may not start now gets its turn back when a call ends. */
    private void startWhatMay() {
        while (!closed && !turns.isEmpty() && running < limits.running() && writtenOff < limits.writtenOff()) {
            Lane lane = turns.remove();
            lane.inTurn = false;
            if (lane.mayStart(limits)) {
                start(lane.queue.remove());
                enqueue(lane);
            }
        }
    }

    private void start(Operation operation) {
        Lane lane = operation.lane;
        lane.running++;
        running++;
        started.add(operation);
        operation.context =
                new RunningCall(operation.id, operation.attempt, operation.call.deadline(), loop, operation.progress);
        operation.deadline = loop.schedule(operation.call.deadline(), () -> writeOff(operation));
        try {
            workers.execute(() -> runOnWorker(operation));
        } catch (RejectedExecutionException full) {
            loop.execute(() -> finish(
                    operation,
                    Outcome.failure(VolumeException.transientFailure("no worker thread for " + lane.name)
                            .withCause(full))));
        }
    }

    private void runOnWorker(Operation operation) {
        Outcome outcome;
        try {
            outcome = Outcome.success(operation.call.body().run(operation.context));
        } catch (VolumeException classified) {
            outcome = Outcome.failure(classified);
        } catch (RuntimeException | Error unclassified) {
            outcome = Outcome.failure(VolumeException.uncertain(
                            operation.lane.name + " failed without saying whether anything happened: " + unclassified)
                    .withCause(unclassified));
        }
        Outcome ended = outcome;
        loop.execute(() -> finish(operation, ended));
    }

    private void finish(Operation operation, Outcome outcome) {
        started.remove(operation);
        operation.deadline.cancel();
        operation.context.end();
        Lane lane = operation.lane;
        if (operation.writtenOff) {
            lane.writtenOff--;
            writtenOff--;
        } else {
            lane.running--;
            running--;
            operation.reports.ended(outcome);
        }
        operation.reports.returned();
        if (lane.idle()) {
            lanes.remove(lane.name);
        }
        lanes.values().forEach(this::enqueue);
        startWhatMay();
    }

    private void writeOff(Operation operation) {
        if (operation.writtenOff || !started.contains(operation)) {
            return;
        }
        operation.writtenOff = true;
        operation.context.cancel();
        Lane lane = operation.lane;
        lane.running--;
        running--;
        lane.writtenOff++;
        writtenOff++;
        Duration deadline = operation.call.deadline();
        operation.reports.ended(Outcome.writtenOff(
                VolumeException.uncertain(lane.name + " did not answer within " + deadline.toMillis() + " ms")
                        .withAdvice("the call may still be running; the volume is left alone until it returns")));
        enqueue(lane);
        startWhatMay();
    }

    private static final class Lane {
        private final String name;
        private final Deque<Operation> queue = new ArrayDeque<>();
        private int limit = 1;
        private int running;
        private int writtenOff;
        private boolean inTurn;

        Lane(String name) {
            this.name = name;
        }

        boolean mayStart(Limits limits) {
            return !queue.isEmpty() && running < limit && writtenOff < limits.writtenOffPerLane();
        }

        boolean idle() {
            return queue.isEmpty() && running == 0 && writtenOff == 0;
        }
    }

    private static final class Operation {
        private final String id;
        private final int attempt;
        private final Call call;
        private final Lane lane;
        private final Consumer<String> progress;
        private final Reports reports;
        private RunningCall context = RunningCall.notStarted();
        private EventLoop.Timer deadline = () -> {};
        private boolean writtenOff;

        Operation(String id, int attempt, Call call, Lane lane, Consumer<String> progress, Reports reports) {
            this.id = id;
            this.attempt = attempt;
            this.call = call;
            this.lane = lane;
            this.progress = progress;
            this.reports = reports;
        }
    }
}
