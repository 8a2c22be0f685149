package io.volume4j.examples.benchmarks.workload;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Storage with the durations and failures of the workload, which records when each operation's calls arrived. It is the same
 * for every compared implementation. Thread-safe.
 */
final class ScriptedBackend {
    private final long callNanos;
    private final LongSupplier clock;
    private final Map<Key, Calls> expected = new ConcurrentHashMap<>();
    private final Set<Use> mounted = ConcurrentHashMap.newKeySet();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong unexpected = new AtomicLong();

    private record Key(Operation.Kind kind, String pod, String volume) {}

    private record Use(String pod, String volume) {}

    /** The calls of one operation; has its own lock. */
    private static final class Calls {
        private final @Nullable Fault fault;
        private int number;
        private long first = -1;
        private long done = -1;

        Calls(@Nullable Fault fault) {
            this.fault = fault;
        }

        /** The fault of this call. */
        synchronized @Nullable Fault begin(long now) {
            number++;
            if (number > 1) {
                return null;
            }
            first = now;
            return fault;
        }

        synchronized void end(long now) {
            done = now;
        }

        synchronized Times times() {
            return new Times(first, done, number);
        }
    }

    /**
     * The times of the backend's calls for one operation, by the given clock.
     *
     * @param dispatched the first call; -1 if there was none
     * @param done the end of the last successful call; -1 if there was none
     */
    record Times(long dispatched, long done, int calls) {}

    ScriptedBackend(long callNanos, LongSupplier clock) {
        this.callNanos = callNanos;
        this.clock = clock;
    }

    /** Records an operation before its request. */
    void expect(Operation operation) {
        expected.put(new Key(operation.kind(), operation.pod(), operation.volume()), new Calls(operation.fault()));
    }

    Times times(Operation operation) {
        Calls found = expected.get(new Key(operation.kind(), operation.pod(), operation.volume()));
        return found == null ? new Times(-1, -1, 0) : found.times();
    }

    void mount(String pod, String volume) throws BackendFailure {
        call(Operation.Kind.MOUNT, pod, volume);
    }

    void unmount(String pod, String volume) throws BackendFailure {
        call(Operation.Kind.UNMOUNT, pod, volume);
    }

    private void call(Operation.Kind kind, String pod, String volume) throws BackendFailure {
        calls.incrementAndGet();
        Calls operation = expected.get(new Key(kind, pod, volume));
        if (operation == null) {
            unexpected.incrementAndGet();
        }
        Fault fault = operation == null ? null : operation.begin(clock.getAsLong());
        pause(callNanos + (fault == null ? 0 : fault.nanos()));
        if (fault != null && fault.kind() == Fault.Kind.FAIL_BEFORE) {
            throw new BackendFailure("scripted failure before the effect", false);
        }
        if (kind == Operation.Kind.MOUNT) {
            mounted.add(new Use(pod, volume));
        } else {
            mounted.remove(new Use(pod, volume));
        }
        if (fault != null && fault.kind() == Fault.Kind.FAIL_AFTER) {
            throw new BackendFailure("scripted failure after the effect", true);
        }
        if (operation != null) {
            operation.end(clock.getAsLong());
        }
    }

    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    int mounted() {
        return mounted.size();
    }

    long calls() {
        return calls.get();
    }

    /** Calls without an operation of the workload. */
    long unexpected() {
        return unexpected.get();
    }
}
