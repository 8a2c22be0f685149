package io.volume4j.examples.csilifecycle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets Ctrl-C end a wait, and holds the end of the process back until everything was taken down. */
final class StopSignal {
    private volatile CountDownLatch asked = new CountDownLatch(1);

    private final List<StopSignal> parts = new CopyOnWriteArrayList<>();

    /** Ends the call that is under way. */
    private volatile Runnable callOff = () -> {};

    /** The person asked to stop. */
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

    /** One for a part of the work that ends by itself; asked when this one is. */
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

    /** Runs the action, in place of the one before, when the person asks to stop, at once if that was done. */
    void whenAsked(Runnable action) {
        callOff = action;
        if (asked()) {
            action.run();
        }
    }

    /** @throws Stopped if the person has asked to stop */
    void check() {
        if (asked()) {
            throw new Stopped();
        }
    }

    /** Waits. @throws Stopped if the person asks to stop */
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

    /** What was asked for has begun: taking everything down may take its time. */
    void again() {
        callOff = () -> {};
        asked = new CountDownLatch(1);
    }

    /** Waits until the thread has ended the process by itself; asks once more if that takes too long. */
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
