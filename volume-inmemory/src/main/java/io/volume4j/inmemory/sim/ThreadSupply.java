package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.virtual.VirtualScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Whether the machine has a thread for a task of the library. At random it has none, for one task or for up to half a minute. Then
 * it throws what Java throws, and the task is lost.
 */
final class ThreadSupply {
    private static final int ORDERS = 16;

    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final UnaryOperator<Executor> change;
    private final Map<String, Duration> noneUntil = new HashMap<>();

    /** @param change wraps the threads of the library */
    ThreadSupply(VirtualScheduler scheduler, Weather weather, UnaryOperator<Executor> change) {
        this.scheduler = scheduler;
        this.weather = weather;
        this.change = change;
    }

    /** The threads for the library of the process. */
    Executor of(SimProcess process, Executor threads) {
        return change.apply(task -> {
            if (lacking(process)) {
                throw new OutOfMemoryError("unable to create native thread: simulated");
            }
            threads.execute(task);
        });
    }

    private boolean lacking(SimProcess process) {
        int chance = weather.turbulence().noThread();
        if (chance == 0) {
            return false;
        }
        Duration until = noneUntil.getOrDefault(process.name(), Duration.ZERO);
        if (scheduler.elapsed().compareTo(until) < 0) {
            return true;
        }
        if (!weather.strikes(chance)) {
            return false;
        }
        long most = 1L << weather.fate().nextInt(ORDERS);
        noneUntil.put(
                process.name(), scheduler.elapsed().plusMillis(weather.fate().nextLong(most)));
        return true;
    }
}
