package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.SimulatedControllers;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.plugin.PluginHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of a simulated world. It runs, dies, restarts, loses the cluster and reaches it again. Its calls and
 * loops belong to its current incarnation. Calls of earlier incarnations may still take effect.
 *
 * @since 0.1.0
 */
public abstract class SimProcess {
    private final String name;
    private final Simulation world;
    private final List<WatchPipe> pipes = new ArrayList<>();
    private final List<ProcessLoop> loops = new ArrayList<>();
    private final ClusterLoad load = new ClusterLoad();
    private int incarnation;
    private boolean alive;
    private boolean partitioned;
    private boolean off;
    private boolean thought = true;
    private Duration clockError = Duration.ZERO;

    SimProcess(String name, Simulation world) {
        this.name = name;
        this.world = world;
    }

    public final String name() {
        return name;
    }

    /** The node that it runs on, null if it runs elsewhere; a node runs on itself. */
    @Nullable
    NodeProcess place() {
        return null;
    }

    /** How often its machine was booted. */
    final int boots() {
        NodeProcess place = place();
        return place == null ? 1 : place.machineBoots();
    }

    /** The requests of all its incarnations to the cluster. */
    final ClusterLoad load() {
        return load;
    }

    /** The number of its starts. */
    public final int incarnation() {
        return incarnation;
    }

    public final boolean alive() {
        return alive;
    }

    public final boolean partitioned() {
        return partitioned;
    }

    /**
     * Starts the process, unless its machine is switched off. If its machine or its journal fails, the process is
     * dead again.
     * @throws IllegalStateException if it runs
     */
    public final void start() {
        if (alive) {
            throw new IllegalStateException(name + " runs already");
        }
        NodeProcess place = place();
        if (off || (place != null && place.isOff())) {
            return;
        }
        incarnation++;
        alive = true;
        thought = true;
        world.tell(name + " starts");
        try {
            if (world.traffic().run(this, this::begin)) {
                world.started(this);
            }
        } catch (VolumeException refused) {
            world.tell(name + " could not start: " + refused.getMessage());
            die();
        }
    }

    /**
     * Kills the process. Does nothing if it does not run. It loses all state that is not durable. Calls that it has
     * sent may still take effect.
     */
    public final void crash() {
        if (alive) {
            world.tell(name + " is killed");
            die();
        }
    }

    /** Disconnects it from the cluster, but not from storage and machine. */
    public final void partition() {
        world.leases().renew(this);
        partitioned = true;
        world.tell(name + " is cut off");
        lookAtWatches();
    }

    /** Ends {@link #partition}. Its watches continue or break, as the seed decides. */
    public final void join() {
        partitioned = false;
        world.tell(name + " is back");
        for (WatchPipe pipe : new ArrayList<>(pipes)) {
            if (world.weather().fate().nextBoolean()) {
                pipe.breakOff();
            }
            look(pipe);
        }
        world.leases().joined(this);
    }

    /** Sets its wall clock forward or back, without elapsed time. */
    public final void stepClock(Duration change) {
        world.tell(name + " has its clock set by " + change);
        clockError = clockError.plus(change);
    }

    /** Breaks its watches, so that it must list again. */
    public final void breakWatches() {
        new ArrayList<>(pipes).forEach(WatchPipe::breakOff);
    }

    /** Whether its watches show anything may have changed. */
    final void lookAtWatches() {
        new ArrayList<>(pipes).forEach(this::look);
    }

    private void look(WatchPipe pipe) {
        pipe.block(partitioned || world.visibility().late(pipe.kind()));
    }

    final void die() {
        world.leases().renew(this);
        alive = false;
        thought = true;
        loops.forEach(ProcessLoop::kill);
        loops.clear();
        new ArrayList<>(pipes).forEach(WatchPipe::close);
        pipes.clear();
        world.traffic().died(this);
        died();
        world.oracle().processDied(name);
        if (world.makeup().course().restarts()) {
            restart();
        }
    }

    private void restart() {
        Duration pause = Duration.ofMillis(1 + world.weather().fate().nextLong(20_000));
        int mine = incarnation;
        world.scheduler().later(pause, () -> {
            if (!alive && incarnation == mine) {
                start();
            }
        });
    }

    /** Builds the production code of one incarnation and starts it. */
    abstract void begin();

    /** Drops the incarnation. */
    abstract void died();

    final void switchedOff(boolean value) {
        off = value;
    }

    final boolean isOff() {
        return off;
    }

    /** A task of its loop runs. */
    final void thought() {
        thought = true;
    }

    /** Whether a task of its loop ran since this was asked last. */
    final boolean thoughtSince() {
        boolean since = thought;
        thought = false;
        return since;
    }

    final Simulation world() {
        return world;
    }

    final Duration clockError() {
        return clockError;
    }

    /** The cluster as this incarnation reaches it. */
    final ProcessCluster newCluster() {
        world.oracle().processStarted(name);
        return new ProcessCluster(this);
    }

    /** The plugins of this incarnation. */
    final PluginRegistry newPlugins(PluginHost host) {
        return PluginRegistry.builder(world.makeup().plugins().host().apply(host))
                .plugins(world.pluginsOf(this))
                .migration(world.makeup().plugins().migration())
                .build();
    }

    /** The same of a part of the control plane, with the machine of its node if it runs on one. */
    final PluginRegistry newControlPlugins() {
        DefaultPluginHost.Builder host = DefaultPluginHost.builder(NodeProcess.ROOT)
                .secrets(world.secrets())
                .clock(() -> world.scheduler().now())
                .nanoClock(() -> world.scheduler().elapsed().toNanos());
        NodeProcess place = place();
        InMemoryMountBackend machine = place == null ? null : place.itsMachine();
        if (place != null && machine != null) {
            host.nodeName(place.name()).mounts(machine);
        }
        return newPlugins(host.build());
    }

    /** The controllers of this incarnation, none of them started. */
    final SimulatedControllers newControllers(ProcessCluster cluster, PluginRegistry plugins, LeaderEpoch leader) {
        return new SimulatedControllers(
                new SimulatedControllers.Surroundings(
                        name + "-" + incarnation,
                        cluster,
                        cluster,
                        plugins,
                        leader,
                        world.secretSearch().in(world.events()),
                        world.secretSearch().metrics()),
                () -> new SimulatedControllers.Run(
                        newLoop(),
                        world.threads().of(this, world.traffic().workersOf(this)),
                        world.scheduler().random()),
                world.seams());
    }

    final ProcessLoop newLoop() {
        ProcessLoop loop = new ProcessLoop(this, world.scheduler(), world.traffic());
        loops.add(loop);
        return loop;
    }

    final void remember(WatchPipe pipe) {
        pipes.add(pipe);
        look(pipe);
    }

    /** Whether it watches objects of the kind and has received all their changes. */
    public final boolean hasHeard(Kind kind) {
        return pipes.stream().anyMatch(pipe -> pipe.kind() == kind && pipe.drained());
    }

    final void forget(WatchPipe pipe) {
        pipes.remove(pipe);
    }
}
