package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Fence;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which nodes are cut off from the storage, and what an authority knows of that. */
final class Fences {
    private final Processes processes;
    private final InMemoryStorage storage;
    private final Oracle oracle;
    private final Map<String, Fence> known = new TreeMap<>();

    Fences(Processes processes, InMemoryStorage storage, Oracle oracle) {
        this.processes = processes;
        this.storage = storage;
        this.oracle = oracle;
    }

    /** What an authority says of a node whose machine is off. */
    static Fence off(String node) {
        return new Fence(Fence.Kind.AUTHORITY_PROOF, node, "its machine is off");
    }

    /** What an authority knows of a node: that its machine is off, or what it was told of one that is cut off. */
    Optional<Fence> evidence(String node) {
        NodeProcess process = processes.nodeOrNull(node);
        if (process == null) {
            return Optional.empty();
        }
        if (process.poweredOff()) {
            return Optional.of(off(node));
        }
        return process.partitioned() ? Optional.ofNullable(known.get(node)) : Optional.empty();
    }

    /** What a person says stands in the node's object, and the authority knows nothing of it. */
    void raise(Fence fence) {
        String node = fence.nodeName();
        oracle.fenced(node, true);
        storage.fence(node);
        if (fence.kind() != Fence.Kind.OPERATOR_ASSERTION) {
            known.put(node, fence);
        }
    }

    void lift(String node) {
        oracle.fenced(node, false);
        known.remove(node);
        storage.unfence(node);
    }
}
