package io.volume4j.spi.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CSI drivers of a node, with what each reports about the node. The object has the name of the node.
 *
 * @since 0.1.0
 */
public record CsiNode(ObjectMeta metadata, Spec spec, Unmodeled unmodeled) implements ApiObject {
    public CsiNode {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? new Spec(List.of()) : spec;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.CSI_NODE;
    }

    /** The entry of the driver; empty if it is not registered on the node. */
    public Optional<Driver> driver(String name) {
        return spec.drivers().stream()
                .filter(driver -> driver.name().equals(name))
                .findFirst();
    }

    /** The registered drivers. */
    public record Spec(List<Driver> drivers) {
        public Spec {
            drivers = Copies.list(drivers);
        }
    }

    /**
     * A registered driver.
     *
     * @param nodeId the driver's own name for the node
     * @param topologyKeys keys of the node's labels that describe its location, in the driver's terms
     * @param volumeLimit how many of the driver's volumes the node can have, null for no limit
     */
    public record Driver(
            String name,
            String nodeId,
            List<String> topologyKeys,
            @Nullable Long volumeLimit) {
        public Driver {
            name = Copies.text(name);
            nodeId = Copies.text(nodeId);
            topologyKeys = Copies.list(topologyKeys);
        }
    }
}
