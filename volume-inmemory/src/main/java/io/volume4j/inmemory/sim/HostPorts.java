package io.volume4j.inmemory.sim;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The interfaces of one incarnation of a {@link HostProgram} to its world. They stop working when that incarnation
 * dies. Only for the world's thread and for tasks on {@link #workers}.
 *
 * @since 0.1.0
 */
public final class HostPorts {
    private final HostProcess process;
    private final ProcessLoop loop;
    private final ProcessCluster cluster;
    private final RandomGenerator random;

    HostPorts(HostProcess process, ProcessLoop loop, ProcessCluster cluster) {
        this.process = process;
        this.loop = loop;
        this.cluster = cluster;
        this.random = process.world().scheduler().random();
    }

    /** A task that runs later. */
    @FunctionalInterface
    public interface Later {
        /** Cancels the task. Does nothing if it has run. */
        void cancel();
    }

    /** The world. Its {@link Simulation#node} has the volumes of pods. */
    public Simulation world() {
        return process.world();
    }

    /**
     * The cluster as this process sees it. Changes may be late, and in another order for different objects. At times
     * the cluster is not reachable.
     */
    public ClusterSource cluster() {
        return cluster;
    }

    /** Writes to the cluster; the answer may be lost, and the process may die before it comes. */
    public ClusterWriter writer() {
        return cluster;
    }

    /** Runs tasks one at a time, in order. */
    public Executor loop() {
        return task -> loop.execute(process.mortal(task));
    }

    /** Runs each task at a separate moment, as the threads of a pool would. */
    public Executor workers() {
        return process.world().traffic().workersOf(process);
    }

    /** Runs the task on the loop after this time. */
    public Later later(Duration delay, Runnable task) {
        return loop.schedule(delay, process.mortal(task))::cancel;
    }

    /** The process's wall clock, which may be wrong. */
    public InstantSource clock() {
        return loop::now;
    }

    /** Measures durations, in nanoseconds. Unlike {@link #clock} it is never set. */
    public LongSupplier nanoClock() {
        return loop::nanoTime;
    }

    /** The random generator of this incarnation. */
    public RandomGenerator random() {
        return random;
    }
}
