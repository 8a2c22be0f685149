package io.volume4j.inmemory.sim;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What one incarnation of a {@link HostProgram} has of its world. Nothing of it works any more once that incarnation has died.
 * For the world's thread only, and for tasks that run on {@link #workers}.
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

    /** A task that was to run later. */
    @FunctionalInterface
    public interface Later {
        /** Nothing if it has run. */
        void cancel();
    }

    /** The world; {@link Simulation#node} leads to where pods' volumes are. */
    public Simulation world() {
        return process.world();
    }

    /** The cluster as this process sees it: late, out of order between objects, and at times not at all. */
    public ClusterSource cluster() {
        return cluster;
    }

    /** Writes to the cluster; the answer may be lost, and the process may die before it comes. */
    public ClusterWriter writer() {
        return cluster;
    }

    /** Runs tasks one at a time, in the order in which they came. */
    public Executor loop() {
        return task -> loop.execute(process.mortal(task));
    }

    /** Runs each task at a moment of its own, as threads of a pool would. */
    public Executor workers() {
        return process.world().traffic().workersOf(process);
    }

    /** Runs the task on the loop once that much time has passed. */
    public Later later(Duration delay, Runnable task) {
        return loop.schedule(delay, process.mortal(task))::cancel;
    }

    /** The process's wall clock, which may be wrong. */
    public InstantSource clock() {
        return loop::now;
    }

    /** Randomness of this incarnation alone. */
    public RandomGenerator random() {
        return random;
    }
}
