package io.volume4j.csi.internal.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits concurrent calls: one for each volume, snapshot or group, a number for each node, and a number for the driver. CSI
 * asks for the first limit ("there should be no more than one call in-flight per volume"). The others are for drivers and
 * backends that serialise all calls, or all calls for one machine. A call acquires the limits in this order, so there is no
 * deadlock.
 *
 * <p>The engine serialises the calls of one owner. Node and control plane in one process are two owners; they share the
 * limits of their volumes here.
 *
 * <p>Thread-safe. A wait ends with the deadline or the cancellation of the call.
 */
final class CallLanes {
    private final Lanes volumes;
    private final Lanes nodes = new Lanes();
    private final int mostPerNode;
    private final Gate all;

    /** @param most concurrent calls to the driver */
    CallLanes(int most) {
        this(most, most, new Lanes());
    }

    /** @param mostPerNode concurrent calls for one node */
    CallLanes(int most, int mostPerNode) {
        this(most, mostPerNode, new Lanes());
    }

    private CallLanes(int most, int mostPerNode, Lanes volumes) {
        this.mostPerNode = mostPerNode;
        this.all = new Gate(most, "the driver takes no more than " + most + " calls at once");
        this.volumes = volumes;
    }

    /** Limits for other calls on the same volumes: still one call for each volume, but a separate total. */
    CallLanes beside(int most) {
        return new CallLanes(most, most, volumes);
    }

    /** Runs the call alone on each of the keys, and acquires the keys in their order. */
    <T> T alone(SortedSet<String> keys, CallContext context, Supplier<T> call) {
        if (keys.isEmpty()) {
            return together(context, call);
        }
        String first = keys.first();
        SortedSet<String> rest = new TreeSet<>(keys);
        rest.remove(first);
        return alone(first, context, () -> alone(rest, context, call));
    }

    /** Runs the call alone on the key. */
    <T> T one(String key, CallContext context, Supplier<T> call) {
        return alone(key, context, () -> together(context, call));
    }

    /** Runs the call alone on the key, within the limit of the node. */
    <T> T one(String key, String node, CallContext context, Supplier<T> call) {
        return alone(key, context, () -> on(node, context, () -> together(context, call)));
    }

    private <T> T on(String node, CallContext context, Supplier<T> call) {
        return mostPerNode == Integer.MAX_VALUE
                ? call.get()
                : nodes.through(
                        node,
                        mostPerNode,
                        "the driver takes no more than " + mostPerNode + " calls for one node at once",
                        context,
                        call);
    }

    /** Runs a call that is not for a volume. */
    <T> T together(CallContext context, Supplier<T> call) {
        all.enter(context);
        try {
            return call.get();
        } finally {
            all.leave();
        }
    }

    private <T> T alone(String key, CallContext context, Supplier<T> call) {
        return volumes.through(key, 1, "another call for it is still under way", context, call);
    }

    /** Keys in use; for tests. */
    int size() {
        return volumes.size() + nodes.size();
    }

    /** One gate for each key in use. */
    private static final class Lanes {
        private final Object lock = new Object();

        @GuardedBy("lock")
        private final Map<String, Gate> gates = new HashMap<>();

        <T> T through(String key, int permits, String full, CallContext context, Supplier<T> call) {
            Gate gate;
            synchronized (lock) {
                gate = gates.computeIfAbsent(key, made -> new Gate(permits, full));
                gate.users++;
            }
            try {
                gate.enter(context);
                try {
                    return call.get();
                } finally {
                    gate.leave();
                }
            } finally {
                synchronized (lock) {
                    if (--gate.users == 0) {
                        gates.remove(key);
                    }
                }
            }
        }

        int size() {
            synchronized (lock) {
                return gates.size();
            }
        }
    }

    /** Admits a number of calls; the others wait. */
    private static final class Gate {
        /** A longer wait just repeats. */
        private static final long LONGEST_WAIT_MILLIS = 60_000;

        private final String full;
        private int free;
        /** Guarded by the lock of {@link Lanes}. */
        private int users;

        Gate(int permits, String full) {
            this.free = permits;
            this.full = full;
        }

        void enter(CallContext context) {
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return;
                }
            }
            context.onCancel(this::wake);
            synchronized (this) {
                while (free == 0) {
                    Duration left = context.remaining();
                    if (context.cancelled() || left.isNegative() || left.isZero()) {
                        throw VolumeException.transientFailure("not sent: " + full);
                    }
                    await(left);
                }
                free--;
            }
        }

        private synchronized void await(Duration left) {
            try {
                TimeUnit.MILLISECONDS.timedWait(this, Math.max(1, Math.min(left.toMillis(), LONGEST_WAIT_MILLIS)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw VolumeException.transientFailure("not sent: interrupted while " + full);
            }
        }

        synchronized void leave() {
            free++;
            notifyAll();
        }

        private synchronized void wake() {
            notifyAll();
        }
    }
}
