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
 * Lets one call at a time through for each volume, snapshot or group, so many together for one node, and so many for the
 * driver: CSI asks for the first ("there should be no more than one call in-flight per volume"), drivers and backends that
 * serialise everything, or what concerns one machine, need the others. They are taken in this order, so no call waits in a
 * circle.
 *
 * <p>The engine keeps calls of one owner apart; node and control plane in one process are two, and share the lanes of their
 * volumes here.
 *
 * <p>Thread-safe. Waiting ends with the call's own time or cancellation.
 */
final class CallLanes {
    private final Lanes volumes;
    private final Lanes nodes = new Lanes();
    private final int mostPerNode;
    private final Gate all;

    /** @param most calls that may be under way together */
    CallLanes(int most) {
        this(most, most, new Lanes());
    }

    /** @param mostPerNode of them that may concern one node */
    CallLanes(int most, int mostPerNode) {
        this(most, mostPerNode, new Lanes());
    }

    private CallLanes(int most, int mostPerNode, Lanes volumes) {
        this.mostPerNode = mostPerNode;
        this.all = new Gate(most, "the driver takes no more than " + most + " calls at once");
        this.volumes = volumes;
    }

    /** Others for the same volumes: one call for each, of either, and a limit of their own. */
    CallLanes beside(int most) {
        return new CallLanes(most, most, volumes);
    }

    /** Runs the call alone on each of the keys, which it takes in their order. */
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

    /** Runs a call alone on the key, that concerns the node too. */
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

    /** Runs a call that concerns no volume. */
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

    /** Keys that are in use; for tests. */
    int size() {
        return volumes.size() + nodes.size();
    }

    /** A gate for each key that is in use. */
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

    /** Lets so many through and has the others wait. */
    private static final class Gate {
        /** A wait that is too short for its reason just goes round again. */
        private static final long LONGEST_WAIT_MILLIS = 60_000;

        private final String full;
        private int free;
        /** Guarded by the lock of the lanes. */
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
