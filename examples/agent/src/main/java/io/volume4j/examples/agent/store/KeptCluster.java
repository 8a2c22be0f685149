package io.volume4j.examples.agent.store;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory cluster with real time, and with a log if it must survive its process. A change is on the disk before the store
 * answers its client or reports it to watches. Thread-safe: one request after another.
 */
final class KeptCluster implements AutoCloseable {
    private final InstantSource realTime;
    private final ManualClock clock;
    private final InMemoryCluster cluster;
    private final @Nullable StoreLog log;
    private final ArrayDeque<Runnable> untold = new ArrayDeque<>();
    private boolean broken;

    /** @param directory of the log; null for no log */
    KeptCluster(@Nullable Path directory, InstantSource realTime) throws IOException {
        this.realTime = realTime;
        clock = new ManualClock(realTime.instant());
        log = directory == null ? null : new StoreLog(directory);
        Executor later = untold::add;
        cluster = InMemoryCluster.builder()
                .clock(clock)
                .uids(() -> UUID.randomUUID().toString())
                .executor(later)
                .revision(log == null ? 0 : log.revision())
                .build();
        if (log != null) {
            log.found().forEach(cluster::apply);
            // Watches from before this start would miss lost events, so they must list again.
            cluster.compact();
            log.begin(cluster.export(), cluster.revision());
        }
    }

    /** Reads, or opens a watch. */
    synchronized <T> T read(Function<InMemoryCluster, T> reading) {
        requireWhole();
        T found = reading.apply(cluster);
        tell();
        return found;
    }

    /** Changes one object at most. */
    synchronized <T> T write(ObjectKey key, Function<InMemoryCluster, T> change) {
        requireWhole();
        Duration passed = Duration.between(clock.instant(), realTime.instant());
        if (!passed.isNegative()) {
            clock.advance(passed);
        }
        ApiObject before = cluster.get(key).orElse(null);
        T result = change.apply(cluster);
        ApiObject after = cluster.get(key).orElse(null);
        if (log != null && before != after) {
            keep(log, before, after);
        }
        tell();
        return result;
    }

    private void keep(StoreLog into, @Nullable ApiObject before, @Nullable ApiObject after) {
        try {
            if (after != null) {
                into.append(after, false, cluster.revision());
            } else if (before != null) {
                into.append(before, true, cluster.revision());
            }
        } catch (IOException failed) {
            // The state in memory is not on the disk, so the store must not answer any more.
            broken = true;
            throw new ClusterException(Reason.UNAVAILABLE, "the store cannot write: " + failed.getMessage());
        }
    }

    private void requireWhole() {
        if (broken) {
            throw new ClusterException(Reason.UNAVAILABLE, "the store could not write and has to be started again");
        }
    }

    private void tell() {
        for (Runnable next = untold.poll(); next != null; next = untold.poll()) {
            next.run();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        broken = true;
        if (log != null) {
            log.close();
        }
    }
}
