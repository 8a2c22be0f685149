package io.volume4j.inmemory.fault;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks the threads of hanging calls until a test releases them. A delay lasts until a test advances the manual
 * clock.
 *
 * @since 0.1.0
 */
public final class BlockingGate implements CallGate {
    private final ManualClock clock;
    private final List<Held> held = new ArrayList<>();

    public BlockingGate(ManualClock clock) {
        this.clock = clock;
    }

    /** The hanging calls, in the order in which they began to hang. */
    public synchronized List<CallSite> hanging() {
        return held.stream().map(each -> each.site).toList();
    }

    /** Releases all hanging calls. Returns their number. */
    public int releaseAll() {
        return release(site -> true);
    }

    /** Releases the matching hanging calls. Returns their number. */
    public int release(Predicate<CallSite> which) {
        List<Held> chosen = new ArrayList<>();
        synchronized (this) {
            for (Held each : held) {
                if (which.test(each.site)) {
                    chosen.add(each);
                }
            }
            held.removeAll(chosen);
        }
        chosen.forEach(each -> each.latch.countDown());
        return chosen.size();
    }

    @Override
    public void hang(CallSite site, @Nullable CallContext context) {
        Held mine = new Held(site);
        synchronized (this) {
            held.add(mine);
        }
        if (context != null) {
            context.onCancel(mine.latch::countDown);
        }
        boolean released;
        try {
            await(site, mine.latch);
        } finally {
            synchronized (this) {
                // A released call is no longer in the list; one that is still there was woken by something else.
                released = !held.remove(mine);
            }
        }
        if (!released) {
            throw VolumeException.uncertain(site + ": cancelled while it hung");
        }
    }

    @Override
    public void pause(CallSite site, Duration delay, @Nullable CallContext context) {
        CountDownLatch latch = new CountDownLatch(1);
        ManualClock.Timer timer = clock.after(delay, latch::countDown);
        if (context != null) {
            context.onCancel(latch::countDown);
        }
        await(site, latch);
        if (timer.cancel()) {
            throw VolumeException.uncertain(site + ": cancelled while it was delayed");
        }
    }

    @Override
    public void later(CallSite site, Duration delay, Runnable effect) {
        clock.after(delay, effect);
    }

    private static void await(CallSite site, CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain(site + ": interrupted while it hung")
                    .withCause(interrupted);
        }
    }

    private static final class Held {
        private final CallSite site;
        private final CountDownLatch latch = new CountDownLatch(1);

        Held(CallSite site) {
            this.site = site;
        }
    }
}
