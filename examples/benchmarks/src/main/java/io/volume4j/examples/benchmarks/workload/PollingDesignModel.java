package io.volume4j.examples.benchmarks.workload;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simple model of the usual polling design, with its published constants. A populator scans all pods every 100 ms, and a
 * reconciler scans the desired and the actual state every 100 ms. Failed operations are repeated after 500 ms, doubling to 122
 * s. A caller that waits for a pod checks at once and then every 300 ms. The model compares designs, and says nothing about any
 * product.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Loops, calls and waiters end with their executors.
public final class PollingDesignModel implements AutoCloseable {
    private static final long POPULATE_MILLIS = 100;
    private static final long RECONCILE_MILLIS = 100;
    private static final long WAIT_MILLIS = 300;
    private static final long BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(122);

    private final Backend backend;
    private final Map<String, List<String>> pods = new ConcurrentHashMap<>();
    private final Set<Use> desired = ConcurrentHashMap.newKeySet();
    /** True if certain, false if uncertain. */
    private final Map<Use, Boolean> mounted = new ConcurrentHashMap<>();

    private final Map<Use, Backoff> failed = new ConcurrentHashMap<>();
    private final Set<Use> busy = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService loops = Executors.newScheduledThreadPool(2);
    private final ScheduledExecutorService waiters = Executors.newScheduledThreadPool(1);
    private final ExecutorService workers = Executors.newFixedThreadPool(64);

    private record Use(String pod, String volume) {}

    private record Backoff(long until, long nanos) {}

    /** Executes the operations. */
    public interface Backend {
        /** Blocks until the volume is mounted for the pod. */
        void mount(String pod, String volume) throws Exception;

        /** Blocks until the volume is unmounted. */
        void unmount(String pod, String volume) throws Exception;
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Starts the loops. */
    public PollingDesignModel(Backend backend) {
        this.backend = backend;
        loops.scheduleWithFixedDelay(this::populate, 0, POPULATE_MILLIS, TimeUnit.MILLISECONDS);
        loops.scheduleWithFixedDelay(this::reconcile, 0, RECONCILE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds the pod; completes when its waiter has seen that its volumes are mounted. */
    public CompletableFuture<@Nullable Void> add(String pod, List<String> volumes) {
        pods.put(pod, volumes);
        return seen(() -> volumes.stream().allMatch(volume -> mounted.getOrDefault(new Use(pod, volume), false)));
    }

    /** Removes the pod; completes when its waiter has seen that nothing of it is mounted. */
    public CompletableFuture<@Nullable Void> remove(String pod) {
        List<String> had = pods.remove(pod);
        List<String> volumes = had == null ? List.of() : had;
        return seen(() -> volumes.stream().map(volume -> new Use(pod, volume)).noneMatch(this::known));
    }

    private boolean known(Use use) {
        return desired.contains(use) || mounted.containsKey(use) || busy.contains(use);
    }

    private CompletableFuture<@Nullable Void> seen(BooleanSupplier condition) {
        CompletableFuture<@Nullable Void> seen = new CompletableFuture<>();
        look(condition, seen);
        return seen;
    }

    private void look(BooleanSupplier condition, CompletableFuture<@Nullable Void> seen) {
        if (condition.getAsBoolean()) {
            seen.complete(null);
        } else {
            waiters.schedule(() -> look(condition, seen), WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void populate() {
        pods.forEach((pod, volumes) -> volumes.forEach(volume -> desired.add(new Use(pod, volume))));
        desired.removeIf(use -> !pods.containsKey(use.pod()));
    }

    private void reconcile() {
        mounted.keySet().forEach(use -> {
            if (!desired.contains(use)) {
                start(use, () -> {
                    backend.unmount(use.pod(), use.volume());
                    mounted.remove(use);
                });
            }
        });
        desired.forEach(use -> {
            if (!mounted.getOrDefault(use, false)) {
                start(use, () -> {
                    mounted.put(use, false);
                    backend.mount(use.pod(), use.volume());
                    mounted.put(use, true);
                });
            }
        });
    }

    private void start(Use use, Call call) {
        Backoff backoff = failed.get(use);
        if ((backoff != null && System.nanoTime() - backoff.until() < 0) || !busy.add(use)) {
            return;
        }
        workers.execute(() -> {
            try {
                call.run();
                failed.remove(use);
            } catch (Exception e) {
                long nanos = backoff == null ? BACKOFF_NANOS : Math.min(2 * backoff.nanos(), LONGEST_BACKOFF_NANOS);
                failed.put(use, new Backoff(System.nanoTime() + nanos, nanos));
            } finally {
                busy.remove(use);
            }
        });
    }

    @Override
    public void close() {
        loops.shutdownNow();
        waiters.shutdownNow();
        workers.shutdownNow();
    }
}
