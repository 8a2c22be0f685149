package io.volume4j.inmemory.sim;

import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.host.LeaderEpoch;

/** What one incarnation of a process without a machine works with: the cluster and plugins, shared by its agents. */
final class ControlGear {
    private final SimProcess process;
    private final LeaderEpoch leader;
    private final ProcessCluster cluster;
    private final PluginRegistry plugins;

    ControlGear(SimProcess process, LeaderEpoch leader) {
        Simulation world = process.world();
        this.process = process;
        this.leader = leader;
        this.cluster = process.newCluster();
        this.plugins = process.newPlugins(DefaultPluginHost.builder(NodeProcess.ROOT)
                .secrets(world.secrets())
                .clock(() -> world.scheduler().now())
                .build());
    }

    PluginRegistry plugins() {
        return plugins;
    }

    /** The ports of one more agent, which has a loop and randomness of its own. */
    ControlPorts ports() {
        Simulation world = process.world();
        return new ControlPorts(
                process.name() + "-" + process.incarnation(),
                cluster,
                cluster,
                plugins,
                process.newLoop(),
                world.threads().of(process, world.traffic().workersOf(process)),
                world.scheduler().random(),
                leader,
                world.secretSearch().in(world.events()),
                world.secretSearch().metrics());
    }
}
