package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.ClusterWatch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept while it is not known what became of its pods, or while who attaches changes. */
class KeptVolumesTest {
    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void keepsEverythingWhenThePodsAreNotKnownAnyMore() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        node.cluster.watches().forEach(ClusterWatch::expire);
        node.deletePod("a");
        node.settle();

        assertThat(node.count("unmount"))
                .as("what became of the pod is not known")
                .isZero();
        node.cluster.heal();
        node.settle();
        node.nothingIsLeft();
    }

    @Test
    void detachesNothingInUseWhenTheAttachModeChanges() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();
        node.kill();
        node.attachMode(AttachMode.CONTROLLER);
        node.start().settle();
        assertThat(node.calls()).as("from SELF to CONTROLLER").isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.kill();
        node.attachMode(AttachMode.SELF);
        node.start().settle();
        assertThat(node.calls()).as("and back").isEqualTo(before);
        assertThat(node.storage.violations()).isEmpty();

        node.deletePod("a");
        node.settle();
        node.nothingIsLeft();
    }

    @Test
    void leavesTheAttachmentToTheControlPlaneAfterTheModeChanged() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.kill();
        node.attachMode(AttachMode.CONTROLLER);
        node.deletePod("a");
        node.start().settle();

        assertThat(node.count("unmountDevice")).isEqualTo(1);
        assertThat(node.count("detach")).isZero();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(node.storage.violations()).isEmpty();
    }
}
