package io.volume4j.core.assembly;

import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.NodeReconciler;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.VolumeTransition;
import java.util.List;
import java.util.function.Consumer;

/** Builds the agents of nodes as production does, with the parts of a simulator. */
public final class SimulatedNodes {
    private SimulatedNodes() {}

    /**
     * An agent. It does nothing before its start.
     * @param listener called on the loop for each step that begins or ends; must not block
     */
    public static NodeReconciler node(
            NodePorts ports, NodeOptions options, Consumer<VolumeTransition> listener, EngineSeams seams) {
        return new NodeAgent(ports, options, List.of(listener), seams.node());
    }
}
