package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a controller makes of what it finds attached when it starts. */
class AttachRestartTest extends AttachBench {
    @Test
    void tearsNothingDownBeforeEverythingIsListed() {
        attachedOn("n1");
        cluster.killController("c");
        cluster.cluster.fail(ClusterFault.on(ClusterVerb.LIST).of(Kind.POD).always());
        cluster.controller().settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.cluster.heal();
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-v");
    }

    @Test
    void knowsAfterARestartWhatIsAttachedAndDetachesIt() {
        attachedOn("n1");
        cluster.killController("c");
        cluster.deletePod("a");
        cluster.controller().settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertGone();
    }

    @Test
    void doesNothingAfterARestartWhenNothingChanged() {
        attachedOn("n1");
        int writes = cluster.cluster.writes().size();
        cluster.killController("c");
        cluster.controller().settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.cluster.writes()).hasSize(writes);
    }

    @Test
    void takesOverWhatANodeReportsAttachedWithoutARecord() {
        cluster.foreignNode("n1").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.change("n1", AttachRestartTest::showingVAttached);
        cluster.controller().settle();

        assertThat(cluster.controlCalls()).containsExactly("detach h-v n1");
        assertGone();
    }

    @Test
    void attachesNowhereElseWhatANodeReportsAttachedAndInUse() {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.change("n1", AttachRestartTest::showingVAttached);
        cluster.inUse("n1", "mem^h-v");
        cluster.pod("b", "n2", "v").controller().settle();
        assertThat(cluster.controlCalls()).isEmpty();

        cluster.inUse("n1");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("detach h-v n1", "attach h-v n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void knowsAnAttachmentThatAnotherControllerRecorded() {
        cluster.foreignNode("n1").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.cluster.apply(new VolumeAttachment(
                ObjectMeta.named("", AttachmentName.ofKubernetes("mem", "h-v", "n1")),
                VolumeAttachment.Spec.ofVolume("mem", "n1", "pv-v"),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none()));
        cluster.pod("a", "n1", "v").controller().settle();
        assertThat(cluster.records()).as("no second record of the same").hasSize(1);
        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-v");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
    }

    private static Node showingVAttached(Node node) {
        return new Node(
                node.metadata(),
                node.spec(),
                new Node.Status(true, List.of(), List.of(new Node.AttachedVolume("mem^h-v", "/dev/mem/h-v")), Map.of()),
                node.unmodeled());
    }
}
