package io.volume4j.examples.csilifecycle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets Ctrl-C end a wait, and delays the end of the process until everything is torn down. */
final class StopSignal {
    private volatile CountDownLatch asked = new CountDownLatch(1);

    private final List<StopSignal> parts = new CopyOnWriteArrayList<>();

    /** Ends the running call. */
    private volatile Runnable callOff = () -> {};

    /** The user asked to stop. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("interrupted");
        }
    }

    void ask() {
        asked.countDown();
        callOff.run();
        parts.forEach(StopSignal::ask);
    }

    /** A signal for a part of the work, which ends separately; set when this one is set. */
    StopSignal part() {
        StopSignal part = new StopSignal();
        parts.add(part);
        if (asked()) {
            part.ask();
        }
        return part;
    }

    boolean asked() {
        return asked.getCount() == 0;
    }

    /** Sets the action for the user's stop, in place of the one before; runs it at once after a stop. */
    void whenAsked(Runnable action) {
        callOff = action;
        if (asked()) {
            action.run();
        }
    }

    /** @throws Stopped if the user has asked to stop */
    void check() {
        if (asked()) {
            throw new Stopped();
        }
    }

    /** Waits. @throws Stopped if the user asks to stop */
    void pause(Duration pause) {
        try {
            if (asked.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new Stopped();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Stopped();
        }
    }

    /** Resets the signal: the stop has begun, and the teardown may take its time. */
    void again() {
        callOff = () -> {};
        asked = new CountDownLatch(1);
    }

    /** Waits until the thread has ended the process itself; signals once more after the time limit. */
    void holdBack(Thread ending, Duration patience) {
        try {
            ending.join(patience.toMillis());
            if (ending.isAlive()) {
                ask();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
