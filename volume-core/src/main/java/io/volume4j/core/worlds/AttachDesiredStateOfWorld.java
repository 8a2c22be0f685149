package io.volume4j.core.worlds;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The volumes that the control plane must attach to nodes, and the pods that want them. Computed from the cluster's
 * pods, claims, volumes and nodes. Contains only nodes whose volumes the controller attaches. Thread-safe.
 *
 * @since 0.1.0
 */
public interface AttachDesiredStateOfWorld {
    /** The current state. Takes time in proportion to the number of all volumes on all nodes. */
    CompletableFuture<Reading> read();

    /** Whether a pod on the node wants the volume. False while another process leads. */
    CompletableFuture<Boolean> wants(VolumeId volume, String node);

    /**
     * The state at one moment. Immutable.
     *
     * @param revision two readings of this controller have the same revision only if they are equal. A later reading
     *     never has a smaller revision
     * @param complete whether all pods, claims, volumes, nodes and attachments of the cluster are known. False while
     *     another process leads; the reading is then empty
     * @param nodes in the order of their names
     */
    record Reading(long revision, boolean complete, List<Node> nodes) {
        public Reading {
            nodes = Collections.unmodifiableList(new ArrayList<>(nodes));
        }

        public Optional<Node> node(String name) {
            return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
        }
    }

    /**
     * One node.
     *
     * @param volumes the volumes that pods want on the node, in the order of their ids
     */
    record Node(String name, List<Volume> volumes) {
        public Node {
            volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
        }
    }

    /**
     * One volume that must be attached to a node.
     * @param pods the pods that want it there, by UID
     */
    record Volume(VolumeId volume, Map<String, ObjectKey> pods) {
        public Volume {
            pods = Collections.unmodifiableMap(new LinkedHashMap<>(pods));
        }
    }
}
