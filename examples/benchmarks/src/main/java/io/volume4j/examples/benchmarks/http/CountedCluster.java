package io.volume4j.examples.benchmarks.http;

import io.volume4j.examples.benchmarks.world.MeasuredCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster that counts a controller's writes, from the first one until the last claim is bound. Thread-safe. */
public final class CountedCluster<C extends ClusterSource & ClusterWriter> extends MeasuredCluster<C> {
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
        super(cluster);
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
    protected <T extends @Nullable Object> T measured(Supplier<T> write) {
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
