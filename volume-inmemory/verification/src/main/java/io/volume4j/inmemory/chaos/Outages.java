package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The processes of a world that are down, cut off or without a plugin, and the state of their nodes in the cluster. */
final class Outages {
    private final Setting setting;
    private final Simulation world;
    private final PodHost pods;

    Outages(Setting setting, Simulation world, PodHost pods) {
        this.setting = setting;
        this.world = world;
        this.pods = pods;
    }

    void reboot(NodeProcess node, boolean powerLoss) {
        node.reboot(powerLoss);
        pods.rebooted(node.name());
    }

    /**
     * Switches the machine off; an authority can prove it.
     *
     * @param person whether a person asserts it too, in the node's object
     */
    void powerOff(NodeProcess node, boolean person) {
        node.powerOff();
        pods.rebooted(node.name());
        ready(node, false);
        if (person) {
            change(
                    node.name(),
                    now -> Given.tainted(now, List.of(new Node.Taint(WellKnown.OUT_OF_SERVICE, "off", "NoExecute"))));
        }
    }

    void powerOn(NodeProcess node) {
        if (!node.poweredOff()) {
            return;
        }
        node.powerOn();
        change(node.name(), now -> Given.tainted(now, List.of()));
        revive(node);
    }

    void partition(SimProcess process) {
        process.partition();
        ready(process, false);
    }

    void join(SimProcess process) {
        process.join();
        ready(process, true);
    }

    /** Cuts the node off from the cluster and from its storage. */
    void fence(NodeProcess node) {
        node.partition();
        world.fence(node.name(), true);
        ready(node, false);
    }

    /** Creates new instances of missing plugins. */
    void pluginsCome() {
        for (NodeProcess node : world.nodes()) {
            node.plugins()
                    .ifPresent(plugins -> world.pluginsOf(node).stream()
                            .filter(plugin -> plugins.byName(plugin.name()).isEmpty())
                            .forEach(plugins::replace));
        }
    }

    /** Kills every process. */
    void crashAll() {
        world.nodes().forEach(SimProcess::crash);
        world.controllers().forEach(SimProcess::crash);
    }

    /** Starts and connects everything that ever ran, with all plugins. */
    void end() {
        for (NodeProcess node : world.nodes()) {
            Internals.journal(node).setFull(false);
            Internals.journal(node).failSyncs(0);
            Internals.journal(node).failSnapshots(0);
            powerOn(node);
            revive(node);
        }
        world.controllers().forEach(controller -> {
            if (controller.incarnation() > 0) {
                revive(controller);
            }
        });
        pluginsCome();
    }

    private void revive(SimProcess process) {
        process.join();
        if (!process.alive()) {
            process.start();
        }
        ready(process, true);
    }

    /** Sets the Ready condition of a disconnected or connected node; a controller has none. */
    private void ready(SimProcess process, boolean value) {
        if (setting.attachesCentrally() && process instanceof NodeProcess node && !(value && node.poweredOff())) {
            change(node.name(), now -> Given.ready(now, value));
        }
    }

    private void change(String node, UnaryOperator<Node> change) {
        world.cluster()
                .get(ObjectKey.node(node))
                .ifPresent(now -> world.cluster().apply(change.apply((Node) now)));
    }

    /** The node of a number, empty without nodes. */
    Optional<NodeProcess> node(int number) {
        List<NodeProcess> all = world.nodes();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(number % all.size()));
    }

    /** The node or controller of a number. */
    SimProcess process(int number) {
        List<SimProcess> all = processes();
        return all.get(number % all.size());
    }

    List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(world.nodes());
        all.addAll(world.controllers());
        return all;
    }
}
