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
 * Which volumes the control plane is to attach to which nodes, and for which pods. It follows from the cluster's pods, claims, volumes
 * and nodes alone; only nodes that leave attaching to the controller are in it. Thread-safe.
 *
 * @since 0.1.0
 */
public interface AttachDesiredStateOfWorld {
    /** What is wanted now. Costs time in proportion to all volumes on all nodes. */
    CompletableFuture<Reading> read();

    /** Whether a pod on the node wants the volume; false while another process leads. */
    CompletableFuture<Boolean> wants(VolumeId volume, String node);

    /**
     * What is wanted at one moment. Immutable.
     *
     * @param revision the same as that of an earlier reading of this controller only if both are equal; later readings never have a
     *     smaller one
     * @param complete whether all pods, claims, volumes, nodes and attachments of the cluster are known; false while another process
     *     leads, and then the reading is empty
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
     * @param volumes that pods want there, in the order of their ids
     */
    record Node(String name, List<Volume> volumes) {
        public Node {
            volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
        }
    }

    /**
     * One volume that a node is to have.
     *
     * @param pods that want it there, by UID
     */
    record Volume(VolumeId volume, Map<String, ObjectKey> pods) {
        public Volume {
            pods = Collections.unmodifiableMap(new LinkedHashMap<>(pods));
        }
    }
}
