package io.volume4j.inmemory.sim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of a process on a worker thread. */
final class Job implements Runnable {
    final SimProcess process;
    final int incarnation;
    /** The number in the order of sending, over all processes. */
    final long number;

    final Duration slowAnswer;
    private final int boots;
    private final Runnable work;
    private final Traffic traffic;
    private @Nullable CallThread thread;
    private boolean orphan;
    private int portCalls;
    private boolean doomed;
    private boolean started;
    /** The chosen outcome, if it is not random. */
    OpenCalls.Fate fate = OpenCalls.Fate.DONE;

    Job(Traffic traffic, SimProcess process, long number, Duration slowAnswer, Runnable work) {
        this.traffic = traffic;
        this.process = process;
        this.incarnation = process.incarnation();
        this.boots = process.boots();
        this.number = number;
        this.slowAnswer = slowAnswer;
        this.work = work;
    }

    /** Starts, or continues after a pause. */
    @Override
    public void run() {
        if (!alive() && !orphan) {
            if (!traffic.landsLate()) {
                doom();
                return;
            }
            orphan = true;
        }
        traffic.enter(this);
    }

    void proceed() {
        if (thread != null) {
            thread.resume();
        } else if (traffic.steps()) {
            started = true;
            thread = new CallThread();
            thread.begin(traffic.threads(), this::work);
        } else {
            work();
        }
    }

    private void work() {
        try {
            work.run();
        } catch (ProcessDied dead) {
            // The rest of the call has no effect.
        }
    }

    /** The process died and this call does nothing more; its thread, if it has one, ends. */
    void doom() {
        doomed = true;
        if (started && thread != null) {
            traffic.enter(this);
        }
    }

    boolean alive() {
        return process.incarnation() == incarnation && process.alive();
    }

    /** Whether the machine was rebooted since the call was sent, which ends everything on the machine. */
    boolean machineBooted() {
        return process.boots() != boots;
    }

    boolean orphan() {
        return orphan;
    }

    /** Counts a port call; a dead process makes no second one. */
    void countPortCall() {
        portCalls++;
    }

    boolean mayCall() {
        return !doomed && (alive() || (orphan && portCalls == 0));
    }

    /** Stops until the world resumes this call; only for stepped calls. */
    void pause() {
        if (thread == null) {
            throw new IllegalStateException(
                    "a call that runs in one go cannot wait; build the world with steppedCalls()");
        }
        thread.pause();
        if (doomed) {
            throw new ProcessDied(process.name());
        }
    }

    boolean stepped() {
        return thread != null;
    }
}
