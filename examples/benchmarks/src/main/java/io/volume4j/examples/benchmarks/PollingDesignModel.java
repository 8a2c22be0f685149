package io.volume4j.examples.benchmarks;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The polling design of the field, written plainly from its published constants: a populator scans all pods each 100 ms, a
 * reconciler scans all wishes each 100 ms, and whoever waits for a pod looks at once and then each 300 ms. It is a model to
 * compare designs with, and says nothing about any product.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Loops and waiters end with their executors.
final class PollingDesignModel implements AutoCloseable {
    private static final long POPULATE_MILLIS = 100;
    private static final long RECONCILE_MILLIS = 100;
    private static final long WAIT_MILLIS = 300;

    private final Map<String, Boolean> pods = new ConcurrentHashMap<>();
    private final Map<String, Boolean> desired = new ConcurrentHashMap<>();
    private final Map<String, Boolean> mounted = new ConcurrentHashMap<>();
    private final ScheduledExecutorService loops = Executors.newScheduledThreadPool(2);
    private final ScheduledExecutorService waiters = Executors.newScheduledThreadPool(1);

    PollingDesignModel() {
        loops.scheduleWithFixedDelay(this::populate, 0, POPULATE_MILLIS, TimeUnit.MILLISECONDS);
        loops.scheduleWithFixedDelay(this::reconcile, 0, RECONCILE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds the pod; completes when its waiter has seen that its volume is mounted. */
    CompletableFuture<Void> add(String pod) {
        pods.put(pod, true);
        CompletableFuture<Void> seen = new CompletableFuture<>();
        look(pod, seen);
        return seen;
    }

    private void look(String pod, CompletableFuture<Void> seen) {
        if (mounted.containsKey(pod)) {
            seen.complete(null);
        } else {
            waiters.schedule(() -> look(pod, seen), WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void populate() {
        pods.keySet().forEach(pod -> desired.put(pod, true));
        desired.keySet().removeIf(pod -> !pods.containsKey(pod));
    }

    private void reconcile() {
        mounted.keySet().removeIf(pod -> !desired.containsKey(pod));
        desired.keySet().forEach(pod -> mounted.putIfAbsent(pod, true));
    }

    @Override
    public void close() {
        loops.shutdownNow();
        waiters.shutdownNow();
    }
}
