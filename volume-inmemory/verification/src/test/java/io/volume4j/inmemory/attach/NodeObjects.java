package io.volume4j.inmemory.attach;

import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Map;

/** Nodes as objects, and what is changed of them. */
final class NodeObjects {
    private NodeObjects() {}

    static Node node(String name, boolean ready) {
        return new Node(
                ObjectMeta.named("", name),
                new Node.Spec(List.of()),
                new Node.Status(ready, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    static Node ready(Node node, boolean ready) {
        return with(
                node,
                new Node.Status(
                        ready,
                        node.status().volumesInUse(),
                        node.status().volumesAttached(),
                        node.status().allocatable()));
    }

    static Node outOfService(Node node, boolean outOfService) {
        List<Node.Taint> taints = outOfService
                ? List.of(new Node.Taint(WellKnown.OUT_OF_SERVICE, "nodeshutdown", "NoExecute"))
                : List.of();
        return new Node(node.metadata(), new Node.Spec(taints), node.status(), node.unmodeled());
    }

    static Node using(Node node, String... volumes) {
        return with(
                node,
                new Node.Status(
                        node.status().ready(),
                        List.of(volumes),
                        node.status().volumesAttached(),
                        node.status().allocatable()));
    }

    static Node limited(Node node, String driver, int volumes) {
        return with(
                node,
                new Node.Status(
                        node.status().ready(),
                        node.status().volumesInUse(),
                        node.status().volumesAttached(),
                        Map.of("attachable-volumes-csi-" + driver, Quantity.parse(String.valueOf(volumes)))));
    }

    static Node with(Node node, ObjectMeta meta) {
        return new Node(meta, node.spec(), node.status(), node.unmodeled());
    }

    private static Node with(Node node, Node.Status status) {
        return new Node(node.metadata(), node.spec(), status, node.unmodeled());
    }
}
