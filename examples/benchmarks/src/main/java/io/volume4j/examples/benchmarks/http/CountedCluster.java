package io.volume4j.examples.benchmarks.http;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster that counts a controller's writes, from the first one until the last claim is bound. Thread-safe. */
public final class CountedCluster<C extends ClusterSource & ClusterWriter> implements ClusterSource, ClusterWriter {
    private final C cluster;
    private final CountDownLatch unbound;
    private final LongSupplier store;
    private final LongAdder writes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private @Nullable TurnClock clock;

    /**
     * @param store its processor time so far, in nanoseconds
     * @param claims the number of claims that the controller is to bind
     */
    public CountedCluster(C cluster, LongSupplier store, int claims) {
        this.cluster = cluster;
        this.store = store;
        unbound = new CountDownLatch(claims);
    }

    /**
     * Waits until all claims are bound.
     *
     * @throws IllegalStateException if that takes more than ten minutes
     */
    public Turn await() throws InterruptedException {
        if (!unbound.await(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException(unbound.getCount()
                    + " claims are not bound after ten minutes, and the store refused " + refused.sum() + " writes");
        }
        return begun().stop(writes.sum(), refused.sum(), busy.sum(), most.get());
    }

    /** Starts the clock with the first write. */
    private synchronized TurnClock begun() {
        TurnClock running = clock;
        if (running == null) {
            running = TurnClock.start(store);
            clock = running;
        }
        return running;
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return cluster.readLive(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return cluster.compareRevisions(left, right);
    }

    @Override
    public ApiObject create(ApiObject object) {
        return counted(() -> cluster.create(object));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return counted(() -> cluster.patch(key, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        counted(() -> {
            cluster.delete(key, preconditions);
            return null;
        });
    }

    private <T> T counted(Supplier<T> write) {
        begun();
        long start = System.nanoTime();
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        boolean bound = false;
        try {
            T written = write.get();
            writes.increment();
            bound = written instanceof PersistentVolumeClaim claim
                    && claim.status().phase() == ClaimPhase.BOUND;
            return written;
        } catch (RuntimeException failed) {
            refused.increment();
            throw failed;
        } finally {
            busy.add(System.nanoTime() - start);
            running.decrementAndGet();
            if (bound) {
                unbound.countDown();
            }
        }
    }
}
