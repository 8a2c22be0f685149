package io.volume4j.examples.benchmarks.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plays a workload for a target as an open loop: a late pod does not delay later ones. */
final class Replay {
    private final WorkloadReader workload;
    private final Target target;
    private final ScriptedBackend backend;
    private final Stopwatch clock;
    private final double speed;
    private final Writer out;
    private final ObjectMapper mapper = new ObjectMapper();
    private final LinkedBlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final AtomicLong outstanding = new AtomicLong();
    private final Map<String, CompletableFuture<?>> comings = new HashMap<>();
    private final Set<String> mounted = new HashSet<>();
    private long operations;
    private long failures;

    private record Result(
            List<Operation> pod,
            long requested,
            long visible,
            @Nullable Throwable failure) {}

    /**
     * The result of a workload.
     *
     * @param failures operations that did not become visible
     * @param mounted pods' volumes that the workload leaves mounted
     */
    record Outcome(long operations, long failures, int mounted) {}

    /**
     * A replay that has not begun.
     *
     * @param clock started when the first pod has its node and volumes
     * @param speed factor to the times of the file; 0 for no waiting
     */
    Replay(WorkloadReader workload, Target target, ScriptedBackend backend, Stopwatch clock, double speed, Writer out) {
        this.workload = workload;
        this.target = target;
        this.backend = backend;
        this.clock = clock;
        this.speed = speed;
        this.out = out;
    }

    /**
     * Plays the whole workload.
     *
     * @param patienceNanos after all requests: the longest time without a visible result before the rest counts as failed
     */
    Outcome run(long patienceNanos) throws InterruptedException {
        for (List<Operation> pod = workload.nextPod(); !pod.isEmpty(); pod = workload.nextPod()) {
            ask(pod);
            for (Result result = results.poll(); result != null; result = results.poll()) {
                tell(result);
            }
        }
        while (outstanding.get() > 0 || !results.isEmpty()) {
            Result result = results.poll(patienceNanos, TimeUnit.NANOSECONDS);
            if (result == null) {
                failures += outstanding.get();
                break;
            }
            tell(result);
        }
        return new Outcome(operations, failures, mounted.size());
    }

    private void ask(List<Operation> pod) throws InterruptedException {
        Operation first = pod.get(0);
        List<String> volumes = pod.stream().map(Operation::volume).distinct().toList();
        if (volumes.size() != pod.size()) {
            throw new WorkloadException("pod " + first.pod() + " names a volume twice");
        }
        target.prepare(first.node(), volumes);
        pod.forEach(backend::expect);
        clock.start();
        if (speed > 0) {
            until((long) (first.time() / speed));
        }
        outstanding.addAndGet(pod.size());
        operations += pod.size();
        CompletableFuture<?> told = first.kind() == Operation.Kind.MOUNT ? mount(pod, volumes) : unmount(pod, volumes);
        if (speed == 0) {
            await(told);
        }
    }

    private CompletableFuture<?> mount(List<Operation> pod, List<String> volumes) {
        Operation first = pod.get(0);
        volumes.forEach(volume -> mounted.add(first.pod() + '\n' + volume));
        CompletableFuture<?> told = asked(pod, () -> target.mount(first.pod(), first.node(), volumes));
        if (comings.put(first.pod(), told) != null) {
            throw new WorkloadException("pod " + first.pod() + " comes twice");
        }
        return told;
    }

    /**
     * Removes a pod at its time, but not before it was mounted: before that its containers do not run, so they cannot end.
     */
    private CompletableFuture<?> unmount(List<Operation> pod, List<String> volumes) {
        Operation first = pod.get(0);
        CompletableFuture<?> come = comings.remove(first.pod());
        if (come == null) {
            throw new WorkloadException("pod " + first.pod() + " goes and is not there");
        }
        volumes.forEach(volume -> mounted.remove(first.pod() + '\n' + volume));
        return come.thenCompose(ignored -> asked(pod, () -> target.unmount(first.pod(), first.node())));
    }

    /** Completes, never with a failure, when the result is written. */
    private CompletableFuture<?> asked(List<Operation> pod, Supplier<CompletableFuture<?>> request) {
        long requested = clock.getAsLong();
        return request.get().handle((value, failure) -> {
            Result result = new Result(pod, requested, clock.getAsLong(), failure);
            results.add(result);
            return result;
        });
    }

    private static void await(CompletableFuture<?> told) throws InterruptedException {
        try {
            told.get(1, TimeUnit.HOURS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private void until(long due) {
        for (long left = due - clock.getAsLong(); left > 0; left = due - clock.getAsLong()) {
            LockSupport.parkNanos(left);
        }
    }

    private void tell(Result result) {
        outstanding.addAndGet(-result.pod().size());
        for (Operation operation : result.pod()) {
            ScriptedBackend.Times times = backend.times(operation);
            ObjectNode line = mapper.createObjectNode()
                    .put("operation", operation.kind().text())
                    .put("pod", operation.pod())
                    .put("volume", operation.volume())
                    .put("node", operation.node())
                    .put("time", operation.time())
                    .put("requested", result.requested());
            put(line, "dispatched", times.dispatched());
            put(line, "backendDone", times.done());
            put(line, "visible", result.failure() == null ? result.visible() : -1);
            line.put("calls", times.calls());
            if (result.failure() != null) {
                failures++;
                line.put("failure", result.failure().toString());
            }
            write(line);
        }
    }

    private static void put(ObjectNode line, String field, long nanos) {
        if (nanos < 0) {
            line.putNull(field);
        } else {
            line.put(field, nanos);
        }
    }

    private void write(ObjectNode line) {
        try {
            out.write(mapper.writeValueAsString(line));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
