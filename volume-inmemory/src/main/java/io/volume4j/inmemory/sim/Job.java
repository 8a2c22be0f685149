package io.volume4j.inmemory.sim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of a process on a worker thread. */
final class Job implements Runnable {
    final SimProcess process;
    final int incarnation;
    /** In the order in which calls were sent, over all processes. */
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
    /** How it is to end, where that is chosen and not random. */
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

    /** Begins, or goes on after a pause. */
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
            // What the process did not get to do is not done.
        }
    }

    /** The process died and this call will do nothing more; its thread, if it has one, ends. */
    void doom() {
        doomed = true;
        if (started && thread != null) {
            traffic.enter(this);
        }
    }

    boolean alive() {
        return process.incarnation() == incarnation && process.alive();
    }

    /** Whether the machine was booted since it was sent: what runs on the machine itself went with that. */
    boolean machineBooted() {
        return process.boots() != boots;
    }

    boolean orphan() {
        return orphan;
    }

    /** A port call begins; a dead process gets to no second one. */
    void countPortCall() {
        portCalls++;
    }

    boolean mayCall() {
        return !doomed && (alive() || (orphan && portCalls == 0));
    }

    /** Stops here until the world resumes this call; only of a call that steps. */
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
