package io.volume4j.csi.driver.oracle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The received calls, in the order of their ends, and the number of begun calls. Survives crashes. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CallLog {
    private final InstantSource clock;
    private final Object lock = new Object();
    private final List<Consumer<CallRecord>> listeners = new CopyOnWriteArrayList<>();

    @GuardedBy("lock")
    private final List<CallRecord> ended = new ArrayList<>();

    @GuardedBy("lock")
    private final List<String> begun = new ArrayList<>();

    public CallLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Adds a listener; it gets each call at its end, on the call's thread. */
    public void listen(Consumer<CallRecord> listener) {
        listeners.add(listener);
    }

    public void begun(String node, String rpc, String subject) {
        synchronized (lock) {
            begun.add(rpc);
            lock.notifyAll();
        }
    }

    public void ended(String node, String rpc, String subject, String outcome, String why, Instant since) {
        Duration took = Duration.between(since, clock.instant());
        CallRecord call = new CallRecord(node, rpc, subject, outcome, why, took);
        synchronized (lock) {
            ended.add(call);
            lock.notifyAll();
        }
        listeners.forEach(listener -> listener.accept(call));
    }

    public List<CallRecord> records() {
        synchronized (lock) {
            return List.copyOf(ended);
        }
    }

    /** The names of the received calls, in the order of their arrival. */
    public List<String> names() {
        synchronized (lock) {
            return List.copyOf(begun);
        }
    }

    /** The number of received calls of that name. */
    public long count(String rpc) {
        synchronized (lock) {
            return begun.stream().filter(rpc::equals).count();
        }
    }

    /** Waits until this number of calls of that name has arrived; false after the time limit. */
    public boolean awaitBegun(String rpc, long calls, Duration patience) throws InterruptedException {
        return await(() -> count(rpc) >= calls, patience);
    }

    /** Waits until this number of calls of that name has ended; false after the time limit. */
    public boolean awaitEnded(String rpc, long calls, Duration patience) throws InterruptedException {
        return await(
                () -> records().stream().filter(call -> call.rpc().equals(rpc)).count() >= calls, patience);
    }

    private boolean await(BooleanSupplier condition, Duration patience) throws InterruptedException {
        Instant until = clock.instant().plus(patience);
        synchronized (lock) {
            while (!condition.getAsBoolean()) {
                Duration left = Duration.between(clock.instant(), until);
                if (left.isNegative() || left.isZero()) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left.toNanos());
            }
            return true;
        }
    }

    public void clear() {
        synchronized (lock) {
            ended.clear();
            begun.clear();
        }
    }
}
