package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiNode.Driver;
import io.volume4j.spi.model.CsiNode.Spec;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CsiNodeObjectsTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();

    @Test
    void whatANodeAnnouncesTheControlPlaneReads() {
        node("n1", Map.of());
        CsiNode node = new CsiNode("n1", "i-1", Map.of("zone", "a", "rack", "7"), 8);
        CsiNodeObjects.announce(cluster, "d.example.com", node);
        CsiNodes nodes = CsiNodeObjects.of(cluster, "d.example.com");
        assertThat(nodes.byName("n1")).contains(node);
        assertThat(nodes.all()).containsExactly(node);
        assertThat(((Node) cluster.get(ObjectKey.node("n1")).orElseThrow())
                        .metadata()
                        .labels())
                .containsEntry("zone", "a");
    }

    @Test
    void driversOfOneNodeAreKeptApart() {
        node("n1", Map.of());
        CsiNodeObjects.announce(cluster, "a.example.com", new CsiNode("n1", "i-a", Map.of(), 0));
        CsiNodeObjects.announce(cluster, "b.example.com", new CsiNode("n1", "i-b", Map.of(), 0));
        assertThat(CsiNodeObjects.of(cluster, "a.example.com")
                        .byName("n1")
                        .orElseThrow()
                        .nodeId())
                .isEqualTo("i-a");
        assertThat(CsiNodeObjects.of(cluster, "c.example.com").byName("n1")).isEmpty();
    }

    /** Volumes and pods of others are placed by such a label. */
    @Test
    void aLabelThatOthersUseIsNotOverwritten() {
        node("n1", Map.of());
        CsiNodeObjects.announce(cluster, "a.example.com", new CsiNode("n1", "i-a", Map.of("example.com/pool", "1"), 0));
        CsiNode second = new CsiNode("n1", "i-b", Map.of("example.com/pool", "2"), 0);
        assertThatThrownBy(() -> CsiNodeObjects.announce(cluster, "b.example.com", second))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("driver b.example.com says that node n1 has example.com/pool=2")
                .hasMessageContaining("the node's label says 1");
        assertThat(((Node) cluster.get(ObjectKey.node("n1")).orElseThrow())
                        .metadata()
                        .labels())
                .containsEntry("example.com/pool", "1");
        assertThat(CsiNodeObjects.of(cluster, "b.example.com").byName("n1"))
                .as("with its id, and without the place that the labels deny")
                .contains(new CsiNode("n1", "i-b", Map.of(), 0));
    }

    @Test
    void aLabelThatTheDriverReportedFollowsItsReport() {
        node("n1", Map.of());
        CsiNodeObjects.announce(cluster, "d.example.com", new CsiNode("n1", "i-d", Map.of("example.com/pool", "1"), 0));
        CsiNode moved = new CsiNode("n1", "i-d", Map.of("example.com/pool", "2", "zone", "b"), 0);
        CsiNodeObjects.announce(cluster, "d.example.com", moved);
        CsiNode again = new CsiNode("n1", "i-d", Map.of("example.com/pool", "2", "zone", "c"), 0);
        CsiNodeObjects.announce(cluster, "d.example.com", again);

        assertThat(((Node) cluster.get(ObjectKey.node("n1")).orElseThrow())
                        .metadata()
                        .labels())
                .containsEntry("example.com/pool", "2")
                .containsEntry("zone", "c");
        assertThat(CsiNodeObjects.of(cluster, "d.example.com").byName("n1")).contains(again);
    }

    @Test
    void theIdThatKubernetesNodeAgentsWriteIsUnderstood() {
        node("n1", Map.of("csi.volume.kubernetes.io/nodeid", "{\"x\":\"i-x\",\"d.example.com\": \"i-d\"}"));
        assertThat(CsiNodeObjects.of(cluster, "d.example.com")
                        .byName("n1")
                        .orElseThrow()
                        .nodeId())
                .isEqualTo("i-d");
    }

    @Test
    void aNodeThatIsNotThereIsNotKnown() {
        assertThat(CsiNodeObjects.of(cluster, "d.example.com").byName("gone")).isEmpty();
    }

    /** No call was sent yet: a refusal of the cluster leaves no doubt about the driver. */
    @Test
    void whatTheClusterDoesNotTellIsTriedAgain() {
        CsiNodes nodes = CsiNodeObjects.of(cluster, "d.example.com");
        cluster.fail(ClusterFault.onAny().always());

        for (ThrowingCallable question : List.<ThrowingCallable>of(() -> nodes.byName("n1"), nodes::all)) {
            assertThatThrownBy(question)
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                    .hasMessageContaining("what driver d.example.com calls")
                    .hasMessageContaining("get and list nodes and csinodes");
        }
    }

    @Test
    void theCsiNodeObjectCountsBeforeAnnotationsOfTheNode() {
        node("n1", Map.of());
        CsiNodeObjects.announce(cluster, "d.example.com", new CsiNode("n1", "announced", Map.of("zone", "a"), 0));
        node("n2", Map.of());
        CsiNode second = new CsiNode("n2", "announced-2", Map.of("zone", "b"), 7);
        CsiNodeObjects.announce(cluster, "d.example.com", second);
        cluster.apply(new io.volume4j.spi.model.CsiNode(
                ObjectMeta.named("", "n1"),
                new Spec(List.of(
                        new Driver("other", "o-1", List.of(), null),
                        new Driver("d.example.com", "i-1", List.of("zone"), 3L))),
                Unmodeled.none()));
        CsiNodes nodes = CsiNodeObjects.of(cluster, "d.example.com");
        CsiNode first = new CsiNode("n1", "i-1", Map.of("zone", "a"), 3);
        assertThat(nodes.byName("n1")).contains(first);
        assertThat(nodes.all()).containsExactly(first, second);
    }

    /** A part of the place may be the wrong rack of the right zone. */
    @Test
    void aNodeWithoutOneOfTheLabelsThatItsEntryNamesHasNoPlace() {
        node("n1", Map.of());
        Node labelled = (Node) cluster.get(ObjectKey.node("n1")).orElseThrow();
        cluster.apply(new Node(
                labelled.metadata().toBuilder().labels(Map.of("zone", "a")).build(),
                labelled.spec(),
                labelled.status(),
                Unmodeled.none()));
        cluster.apply(new io.volume4j.spi.model.CsiNode(
                ObjectMeta.named("", "n1"),
                new Spec(List.of(new Driver("d.example.com", "i-1", List.of("zone", "rack"), null))),
                Unmodeled.none()));

        assertThat(CsiNodeObjects.of(cluster, "d.example.com").byName("n1"))
                .contains(new CsiNode("n1", "i-1", Map.of(), 0));
    }

    private void node(String name, Map<String, String> annotations) {
        cluster.apply(new Node(
                new ObjectMeta(name, "", "", "", 0, Map.of(), annotations, List.of(), List.of(), null, null),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }
}
