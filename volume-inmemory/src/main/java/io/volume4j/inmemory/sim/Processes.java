package io.volume4j.inmemory.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The processes of a world, running or not, by role. */
final class Processes {
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private final List<NodeProcess> allNodes;
    private final List<ControlProcess> controllers = new ArrayList<>();
    private final List<OutsideProcess> outside = new ArrayList<>();
    private final Map<String, HostProcess> programs = new LinkedHashMap<>();

    Processes(Makeup.Cast cast, Simulation world) {
        for (String name : cast.nodes()) {
            nodes.put(name, new NodeProcess(name, world));
        }
        allNodes = List.copyOf(nodes.values());
        for (int i = 1; i <= cast.controllers(); i++) {
            controllers.add(new ControlProcess("controller-" + i, world));
        }
        cast.outside()
                .forEach(
                        (driver, roles) -> roles.forEach(role -> outside.add(new OutsideProcess(role, driver, world))));
        cast.programs().forEach((name, program) -> programs.put(name, new HostProcess(name, world, program)));
    }

    /** In their start order. */
    List<SimProcess> all() {
        List<SimProcess> all = new ArrayList<>(allNodes);
        all.addAll(controllers);
        all.addAll(outside);
        all.addAll(programs.values());
        return all;
    }

    List<NodeProcess> nodes() {
        return allNodes;
    }

    @Nullable
    NodeProcess nodeOrNull(String name) {
        return nodes.get(name);
    }

    NodeProcess node(String name) {
        NodeProcess node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("there is no node " + name + "; there are " + nodes.keySet());
        }
        return node;
    }

    List<ControlProcess> controllers() {
        return Collections.unmodifiableList(controllers);
    }

    List<OutsideProcess> outside() {
        return Collections.unmodifiableList(outside);
    }

    /** The drivers whose VolumeAttachments a separate attacher serves. */
    Set<String> attachedOutside() {
        Set<String> drivers = new LinkedHashSet<>();
        for (OutsideProcess process : outside) {
            if (process.role() == OutsideProcess.Role.ATTACHER) {
                drivers.add(process.driver());
            }
        }
        return drivers;
    }

    HostProcess program(String name) {
        HostProcess program = programs.get(name);
        if (program == null) {
            throw new IllegalArgumentException("there is no program " + name + "; there are " + programs.keySet());
        }
        return program;
    }

    /** Starts all processes except the controllers that do not lead. */
    void start(Leases leases) {
        allNodes.forEach(SimProcess::start);
        if (!controllers.isEmpty()) {
            leases.grant(controllers.get(0));
            controllers.get(0).start();
        }
        outside.forEach(SimProcess::start);
        programs.values().forEach(SimProcess::start);
    }

    /** A controller other than the elected one. */
    ControlProcess another(@Nullable SimProcess elected) {
        for (ControlProcess next : controllers) {
            if (!next.equals(elected)) {
                return next;
            }
        }
        throw new IllegalStateException("there is no second controller");
    }
}
