package io.volume4j.core.engine;

import io.volume4j.core.explain.Health;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Asks an event loop for the health of its reconciler, with a time limit. Thread-safe. */
public final class HealthCheck {
    private final String name;
    private final EventLoop loop;
    private final BooleanSupplier closed;
    private final Supplier<Health> reading;

    /**
     * @param name the name of the reconciler, for people
     * @param closed whether the reconciler was closed; called on any thread
     * @param reading the health of the reconciler; called on the loop
     */
    public HealthCheck(String name, EventLoop loop, BooleanSupplier closed, Supplier<Health> reading) {
        this.name = name;
        this.loop = loop;
        this.closed = closed;
        this.reading = reading;
    }

    /**
     * The health of the reconciler: not live if the loop does not answer in time. Answers at once on the loop itself.
     */
    public Health within(Duration patience) {
        if (closed.getAsBoolean()) {
            return Health.notLive(name + " was closed");
        }
        if (loop.inLoop()) {
            return reading.get();
        }
        CompletableFuture<Health> answer = CompletableFuture.supplyAsync(reading, loop);
        try {
            return answer.get(TimeUnit.NANOSECONDS.convert(patience), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            answer.cancel(false);
            return Health.notLive(closed.getAsBoolean() ? name + " was closed" : late(patience));
        } catch (ExecutionException bug) {
            return Health.notReady(false, List.of(name + " cannot report its health: " + bug.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.notReady(false, List.of("interrupted while waiting for " + name));
        }
    }

    private String late(Duration patience) {
        return "the event loop of " + name + " did not answer within " + patience.toMillis()
                + " ms: most likely a listener, or code that depends on a future, blocks it; a thread dump shows where";
    }
}
