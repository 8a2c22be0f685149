package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.oracle.Oracle;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Fence;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The fenced nodes, and what an authority knows about them. */
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

    /** The evidence of an authority for a node whose machine is off. */
    static Fence off(String node) {
        return new Fence(Fence.Kind.AUTHORITY_PROOF, node, "its machine is off");
    }

    /** The evidence of the authority for a node: its machine is off, or it was fenced and is still cut off. */
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

    /** A person's assertion is in the node's object; the authority does not know it. */
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
