package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.csinode.CsiNodeEntry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver says of its node becomes an entry and labels that a real server takes and that harm no others. */
class CsiNodeReportTest {
    private static final String DRIVER = "d.example.com";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String OWN = "topology.d.example.com/rack";

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final CsiNodeEntry entries = new CsiNodeEntry(cluster, cluster, "n1");

    /** {@code allocatable.count} is an int32: a server refuses more, and the driver would never be registered. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 1L << 31})
    void aLimitThatDoesNotFitIsTheLargestThatDoes(long limit) {
        node(Map.of());
        entries.publish(DRIVER, new NodeInfo("i-1", Map.of(), limit));
        assertThat(entry(DRIVER).volumeLimit()).isEqualTo(Integer.MAX_VALUE);
        String revision = revision();
        entries.publish(DRIVER, new NodeInfo("i-1", Map.of(), limit));
        assertThat(revision()).isEqualTo(revision);
    }

    @ParameterizedTest
    @ValueSource(strings = {ZONE, "kubernetes.io/hostname", "topology.k8s.io/x", "rack"})
    void aLabelThatIsNotTheDriversStaysAndTheDriverIsNotRegistered(String key) {
        node(Map.of(key, "a"));
        VolumeException refused =
                catchThrowableOfType(VolumeException.class, () -> entries.publish(DRIVER, at(Map.of(key, "b"))));
        assertThat(refused.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(refused)
                .hasMessageContaining("driver d.example.com says that node n1 has " + key + "=b")
                .hasMessageContaining("the node's label says a");
        assertThat(labels()).containsExactly(Map.entry(key, "a"));
        assertThat(cluster.all(Kind.CSI_NODE)).isEmpty();

        assertThatCode(() -> entries.publish(DRIVER, at(Map.of(key, "a")))).doesNotThrowAnyException();
    }

    @Test
    void aLabelOfTheDriversOwnDomainFollowsWhatItSays() {
        node(Map.of(OWN, "1"));
        entries.publish(DRIVER, at(Map.of(OWN, "2")));
        assertThat(labels()).containsExactly(Map.entry(OWN, "2"));
    }

    /** A node that moves takes its place along. */
    @Test
    void aLabelThatOnlyThisDriverReportsFollowsWhatItSays() {
        node(Map.of());
        entries.publish(DRIVER, at(Map.of(ZONE, "a")));
        entries.publish(DRIVER, at(Map.of(ZONE, "b")));
        assertThat(labels()).containsExactly(Map.entry(ZONE, "b"));
    }

    @Test
    void twoDriversCannotSayDifferentThingsByOneLabel() {
        node(Map.of());
        entries.publish("other.example.com", at(Map.of(ZONE, "a", OWN, "1")));
        for (Map<String, String> place : List.of(Map.of(ZONE, "b"), Map.of(OWN, "2"))) {
            assertThat(catchThrowableOfType(VolumeException.class, () -> entries.publish(DRIVER, at(place))))
                    .hasMessageContaining("the label stays");
        }
        entries.publish(DRIVER, at(Map.of(ZONE, "a")));
        assertThat(labels()).containsOnly(Map.entry(ZONE, "a"), Map.entry(OWN, "1"));
        assertThat(entry(DRIVER).topologyKeys()).containsExactly(ZONE);
    }

    private static NodeInfo at(Map<String, String> segments) {
        return new NodeInfo("i-1", segments, 0);
    }

    private void node(Map<String, String> labels) {
        cluster.apply(new Node(
                ObjectMeta.named("", "n1").withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    private Map<String, String> labels() {
        return cluster.get(ObjectKey.node("n1")).orElseThrow().metadata().labels();
    }

    private CsiNode.Driver entry(String driver) {
        return object().driver(driver).orElseThrow();
    }

    private String revision() {
        return object().metadata().resourceVersion();
    }

    private CsiNode object() {
        return (CsiNode) cluster.get(new ObjectKey(Kind.CSI_NODE, "", "n1")).orElseThrow();
    }
}
