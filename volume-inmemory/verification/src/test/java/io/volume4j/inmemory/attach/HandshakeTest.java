package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.WellKnown;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node's volume manager and the controller, which meet in the cluster's objects only. */
class HandshakeTest {
    private final AttachHarness cluster = new AttachHarness(1);

    @Test
    void bringsAVolumeToAPodAndTakesItAwayAgain() {
        cluster.node("n1").controller();
        cluster.volume("data", AccessMode.READ_WRITE_ONCE).pod("a", "n1", "data");
        cluster.settle();

        assertThat(cluster.on("n1").mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(cluster.calls()).containsExactly("attach h-data n1", "mountDevice h-data n1", "mount h-data n1 a");
        assertThat(cluster.nodeNow("n1").metadata().annotation(WellKnown.CONTROLLER_MANAGED_ATTACH))
                .isEqualTo("true");
        assertThat(cluster.nodeNow("n1").status().volumesInUse()).containsExactly("kubernetes.io/csi/mem^h-data");
        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-data");
        assertThat(cluster.explain("data").settled()).isTrue();

        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.calls()).endsWith("unmount h-data n1 a", "unmountDevice h-data n1", "detach h-data n1");
        assertThat(cluster.nodeNow("n1").status().volumesInUse()).isEmpty();
        assertThat(cluster.attachedTo("n1")).isEmpty();
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The next report counts all the same, though it follows an older one or none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOnAfterAnotherProgramStoredAnOldCopyOfTheNode(boolean withoutReport) {
        cluster.node("n1").controller();
        cluster.volume("old", AccessMode.READ_WRITE_ONCE).volume("data", AccessMode.READ_WRITE_ONCE);
        cluster.run();
        Node copy = cluster.nodeNow("n1");
        for (int i = 0; i < 5; i++) {
            cluster.pod("a", "n1", "old").settle();
            cluster.deletePod("a");
            cluster.settle();
        }
        cluster.pod("b", "n1", "data").settle();
        if (withoutReport) {
            copy = NodeObjects.node("n1", true);
            cluster.on("n1").kill();
        }

        Map<String, String> annotations = copy.metadata().annotations();
        cluster.change(
                "n1",
                node -> NodeObjects.with(
                        node,
                        node.metadata().toBuilder().annotations(annotations).build()));
        cluster.settle();
        if (withoutReport) {
            cluster.on("n1").start();
        }
        cluster.settle();
        cluster.deletePod("b");
        cluster.settle();

        assertThat(cluster.calls()).endsWith("unmount h-data n1 b", "unmountDevice h-data n1", "detach h-data n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The controller must not delete the storage under it, though there is no VolumeAttachment. */
    @Test
    void isToldWhatANodeUsesThatAttachesByItself() {
        cluster.node("n1", AttachMode.SELF).controller();
        cluster.volume("data", AccessMode.READ_WRITE_ONCE).pod("a", "n1", "data");
        cluster.settle();

        assertThat(cluster.on("n1").mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(cluster.calls()).containsExactly("attach h-data n1", "mountDevice h-data n1", "mount h-data n1 a");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.nodeNow("n1").status().volumesInUse()).containsExactly("kubernetes.io/csi/mem^h-data");
        assertThat(cluster.nodeNow("n1").metadata().annotations())
                .containsKey(GrantKeys.IN_USE)
                .doesNotContainKey(WellKnown.CONTROLLER_MANAGED_ATTACH);

        cluster.on("n1").kill();
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.nodeNow("n1").status().volumesInUse())
                .as("as long as it may be there")
                .containsExactly("kubernetes.io/csi/mem^h-data");

        cluster.on("n1").start();
        cluster.settle();
        assertThat(cluster.calls()).endsWith("unmount h-data n1 a", "unmountDevice h-data n1", "detach h-data n1");
        assertThat(cluster.nodeNow("n1").status().volumesInUse()).isEmpty();
    }
}
