package io.volume4j.core.csinode;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The entry of a driver in the CSINode object, which a server lets change its limit only. */
class CsiNodeEntryTest {
    private static final ObjectKey KEY = new ObjectKey(Kind.CSI_NODE, "", "n1");

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final CsiNodeEntry entry = new CsiNodeEntry(cluster, cluster, "n1");

    CsiNodeEntryTest() {
        cluster.apply(new Node(
                ObjectMeta.named("", "n1"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    @Test
    void aDriverMayHaveOtherTopologyKeysAndAnotherNodeIdAfterItsUpdate() {
        entry.publish("other", new NodeInfo("o", Map.of(), 0));
        entry.publish("mem", new NodeInfo("id", Map.of("zone", "a"), 3));
        entry.publish("mem", new NodeInfo("id", Map.of("zone", "a", "rack", "7"), 3));
        assertThat(entries())
                .containsExactlyInAnyOrder(
                        new CsiNode.Driver("other", "o", List.of(), null),
                        new CsiNode.Driver("mem", "id", List.of("rack", "zone"), 3L));

        entry.publish("mem", new NodeInfo("new-id", Map.of("zone", "a"), 4));
        assertThat(entries())
                .containsExactlyInAnyOrder(
                        new CsiNode.Driver("other", "o", List.of(), null),
                        new CsiNode.Driver("mem", "new-id", List.of("zone"), 4L));
    }

    @Test
    void theLimitChangesInItsPlace() {
        entry.publish("mem", new NodeInfo("id", Map.of(), 3));
        long before = writes();
        entry.publish("mem", new NodeInfo("id", Map.of(), 5));

        assertThat(entries()).containsExactly(new CsiNode.Driver("mem", "id", List.of(), 5L));
        assertThat(writes() - before).as("one write").isEqualTo(1);
    }

    private List<CsiNode.Driver> entries() {
        return ((CsiNode) cluster.get(KEY).orElseThrow()).spec().drivers();
    }

    private long writes() {
        return Long.parseLong(cluster.get(KEY).orElseThrow().metadata().resourceVersion());
    }
}
