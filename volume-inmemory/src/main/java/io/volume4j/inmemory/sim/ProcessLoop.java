package io.volume4j.inmemory.sim;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;

/** A loop of a process: answers of its own calls can be late, and its wall clock can be wrong. */
final class ProcessLoop implements EventLoop {
    private final SimProcess process;
    private final VirtualScheduler scheduler;
    private final VirtualScheduler.VirtualLoop loop;
    private final Traffic traffic;

    ProcessLoop(SimProcess process, VirtualScheduler scheduler, Traffic traffic) {
        this.process = process;
        this.scheduler = scheduler;
        this.loop = scheduler.loop();
        this.traffic = traffic;
    }

    void kill() {
        loop.kill();
    }

    @Override
    public void execute(Runnable task) {
        Job job = traffic.current();
        Runnable noticed = noticed(task);
        if (traffic.holdsAnswer(process, noticed)) {
            return;
        }
        if (job != null && job.process.equals(process) && !job.slowAnswer.isZero()) {
            scheduler.later(job.slowAnswer, () -> loop.execute(noticed));
        } else {
            loop.execute(noticed);
        }
    }

    /** The state of a process changes only on its loop, so it is checked only after tasks of the loop. */
    private Runnable noticed(Runnable task) {
        return new Noticed(process, task);
    }

    // A class instead of a lambda, because every task of every world needs one.
    private static final class Noticed implements Runnable {
        private final SimProcess process;
        private final Runnable task;

        Noticed(SimProcess process, Runnable task) {
            this.process = process;
            this.task = task;
        }

        @Override
        public void run() {
            process.thought();
            task.run();
        }
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }

    @Override
    public Instant now() {
        return scheduler.now().plus(process.clockError());
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return loop.schedule(delay, noticed(task));
    }
}
