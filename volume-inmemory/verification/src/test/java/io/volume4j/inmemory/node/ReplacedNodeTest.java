package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A user deletes the object of a node whose agent runs, and another object takes its name. */
class ReplacedNodeTest {
    private static final ObjectKey CSI_NODE = new ObjectKey(Kind.CSI_NODE, "", NodeHarness.NODE);

    private final NodeHarness node =
            NodeHarness.withPlugin(builder -> builder.registersNodes().saysLimit(5));

    /** The CSINode object goes with the Node object that owns it. */
    @Test
    void theDriversAreRegisteredWithTheNextObjectToo() {
        node.nodeObject(Map.of());
        node.start().settle();
        assertThat(registered().spec().drivers())
                .extracting(CsiNode.Driver::name)
                .containsExactly("mem");

        node.cluster.remove(ObjectKey.node(NodeHarness.NODE));
        node.cluster.remove(CSI_NODE);
        nextObject();
        node.settle();

        assertThat(registered().spec().drivers()).containsExactly(new CsiNode.Driver("mem", "id-n1", List.of(), 5L));
        assertThat(registered().metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly("next");
    }

    /** The cluster deletes it later: it belongs to an object that is gone. */
    @Test
    void theEntriesOfTheObjectBeforeAreNotKept() {
        node.nodeObject(Map.of());
        node.start().settle();

        node.cluster.remove(ObjectKey.node(NodeHarness.NODE));
        nextObject();
        node.settle();

        assertThat(registered().spec().drivers()).containsExactly(new CsiNode.Driver("mem", "id-n1", List.of(), 5L));
        assertThat(registered().metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly("next");
    }

    private void nextObject() {
        node.cluster.apply(new Node(
                ObjectMeta.named("", NodeHarness.NODE).withUid("next"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    private CsiNode registered() {
        return (CsiNode) node.cluster.get(CSI_NODE).orElseThrow();
    }
}
