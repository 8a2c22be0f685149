package io.volume4j.core.csinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.migration.Translation;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
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
        nodeObject();
    }

    private void nodeObject() {
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

    /** Without its name the scheduler and the attach-detach controller do not pass volumes of the plugin to the driver. */
    @Test
    void theObjectListsTheInTreePluginsThatItsDriversReplace() {
        NodeInfo info = new NodeInfo("id", Map.of(), 3);
        entry.publish("ebs.csi.aws.com", info);
        assertThat(migrated()).isEqualTo("kubernetes.io/aws-ebs");

        annotate("kubernetes.io/aws-ebs,kubernetes.io/gce-pd");
        entry.publish("mem", info);
        entry.publish("file.csi.azure.com", info);
        assertThat(migrated()).isEqualTo("kubernetes.io/aws-ebs,kubernetes.io/azure-file,kubernetes.io/gce-pd");

        entry.remove("ebs.csi.aws.com");
        assertThat(migrated()).as("as with kubelets, also without the driver").contains("kubernetes.io/aws-ebs");
    }

    @Test
    void aLostNameOfAnInTreePluginComesBackWithTheNextReport() {
        NodeInfo info = new NodeInfo("id", Map.of(), 3);
        entry.publish("ebs.csi.aws.com", info);
        annotate("");
        entry.publish("ebs.csi.aws.com", info);
        assertThat(migrated()).isEqualTo("kubernetes.io/aws-ebs");

        long before = writes();
        entry.publish("ebs.csi.aws.com", info);
        assertThat(writes()).isEqualTo(before);
    }

    @Test
    void aHostsOwnTranslationIsListedToo() {
        CsiMigration more =
                CsiMigration.standard().with(new Translation("example.com/old", "old", "new.example.com", "id", ""));
        new CsiNodeEntry(cluster, cluster, "n1", more).publish("new.example.com", new NodeInfo("id", Map.of(), 0));

        assertThat(migrated()).isEqualTo("example.com/old");
    }

    /** The cluster has not deleted the object of the earlier node yet. */
    @Test
    void theListOfAnEarlierNodeOfTheNameDoesNotCount() {
        entry.publish("ebs.csi.aws.com", new NodeInfo("id", Map.of(), 3));
        cluster.remove(ObjectKey.node("n1"));
        nodeObject();
        entry.publish("mem", new NodeInfo("id", Map.of(), 3));

        assertThat(entries()).containsExactly(new CsiNode.Driver("mem", "id", List.of(), 3L));
        assertThat(migrated()).isEmpty();
    }

    private String migrated() {
        return cluster.get(KEY).orElseThrow().metadata().annotation("storage.alpha.kubernetes.io/migrated-plugins");
    }

    private void annotate(String value) {
        cluster.patch(
                KEY,
                new Patch(
                        Preconditions.none(),
                        false,
                        List.of(FieldChange.set(
                                value, "metadata", "annotations", "storage.alpha.kubernetes.io/migrated-plugins"))));
    }

    /** API servers limit the length of a node ID. */
    @Test
    void anEntryThatCannotBeStoredLeavesTheOldOne() {
        entry.publish("mem", new NodeInfo("id", Map.of(), 3));
        CsiNodeEntry strict = new CsiNodeEntry(cluster, new ShortIds(cluster), "n1");

        assertThatThrownBy(() -> strict.publish("mem", new NodeInfo("i".repeat(200), Map.of(), 3)))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("correct what the driver says of the node");
        assertThat(entries()).containsExactly(new CsiNode.Driver("mem", "id", List.of(), 3L));
    }

    private record ShortIds(InMemoryCluster cluster) implements ClusterWriter {
        @Override
        public ApiObject create(ApiObject object) {
            return cluster.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            if (patch.changes().toString().contains("i".repeat(193))) {
                throw new ClusterException(ClusterException.Reason.INVALID, "nodeID: Too long");
            }
            return cluster.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            cluster.delete(key, preconditions);
        }
    }

    private List<CsiNode.Driver> entries() {
        return ((CsiNode) cluster.get(KEY).orElseThrow()).spec().drivers();
    }

    private long writes() {
        return Long.parseLong(cluster.get(KEY).orElseThrow().metadata().resourceVersion());
    }
}
