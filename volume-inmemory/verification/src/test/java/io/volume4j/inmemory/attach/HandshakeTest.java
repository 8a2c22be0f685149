package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.WellKnown;
import org.junit.jupiter.api.Test;

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
