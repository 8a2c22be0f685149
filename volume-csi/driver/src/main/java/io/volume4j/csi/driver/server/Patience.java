package io.volume4j.csi.driver.server;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a time or for the caller's cancellation. Every wait ends when the driver ends. */
final class Patience {
    private final CountDownLatch ending = new CountDownLatch(1);

    /** Ends all waits, now and in the future. */
    void end() {
        ending.countDown();
    }

    /** @throws Lost if the driver ends first */
    void delay(Duration delay) {
        try {
            if (ending.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new Lost("the driver ends");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Lost("interrupted");
        }
    }

    /** Returns when the caller has cancelled the call. @throws Lost if the driver ends first */
    void untilGivenUp(Context caller) {
        CountDownLatch either = new CountDownLatch(1);
        Context.CancellationListener listener = context -> either.countDown();
        caller.addListener(listener, Runnable::run);
        try {
            while (!either.await(50, TimeUnit.MILLISECONDS)) {
                if (ending.getCount() == 0) {
                    throw new Lost("the driver ends");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Lost("interrupted");
        } finally {
            caller.removeListener(listener);
        }
    }
}
