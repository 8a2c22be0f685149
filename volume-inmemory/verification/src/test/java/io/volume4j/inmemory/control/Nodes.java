package io.volume4j.inmemory.control;

import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;

/** Nodes as tests want them. */
final class Nodes {
    private Nodes() {}

    static Node nodeUsing(String name, String... volumeIds) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(volumeIds), List.of(), Map.of()),
                Unmodeled.none());
    }

    static Node node(String name, Map<String, String> labels) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name).withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }
}
