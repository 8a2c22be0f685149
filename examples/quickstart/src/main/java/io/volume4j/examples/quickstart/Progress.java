package io.volume4j.examples.quickstart;

import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Prints that a long step still runs: after two seconds, and then each time its duration has doubled. */
final class Progress implements AutoCloseable {
    private static final Duration FIRST = Duration.ofSeconds(2);

    private final List<OperationExecutor<?>> executors;
    private final InstantSource clock;
    private final Journey journey;
    private final ScheduledThreadPoolExecutor timer;

    /** The duration at which the next line for each running operation is due; the timer's thread only. */
    private final Map<String, Duration> next = new HashMap<>();

    Progress(List<OperationExecutor<?>> executors, InstantSource clock, Journey journey) {
        this.executors = List.copyOf(executors);
        this.clock = clock;
        this.journey = journey;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "quickstart-progress");
            thread.setDaemon(true);
            return thread;
        });
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private void look() {
        Set<String> running = new HashSet<>();
        for (OperationExecutor<?> executor : executors) {
            executor.pending()
                    .thenAccept(pending -> pending.forEach(each -> tell(each, running)))
                    .join();
        }
        next.keySet().retainAll(running);
    }

    /** Prints a line for the operation if it is due; tests call this too. */
    void tell(PendingOperation<?> operation, Set<String> running) {
        running.add(operation.id());
        Instant now = clock.instant();
        Duration took = Duration.between(operation.since(), now);
        if (took.compareTo(next.getOrDefault(operation.id(), FIRST)) >= 0) {
            next.put(operation.id(), took.multipliedBy(2));
            journey.still(line(operation, took));
        }
    }

    private static String line(PendingOperation<?> operation, Duration took) {
        String step = operation.step().toLowerCase(Locale.ROOT).replace('_', ' ');
        String said = operation.progress().isEmpty() ? "" : ": " + operation.progress();
        String attempt = operation.attempt() > 1 ? ", attempt " + operation.attempt() : "";
        return step + " of " + operation.key() + " since " + took.toSeconds() + " s" + attempt + said;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
