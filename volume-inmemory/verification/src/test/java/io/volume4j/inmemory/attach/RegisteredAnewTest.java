package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A kubelet whose Node object was deleted registers a new one when it starts again. It unmounts what it still had for pods that are gone,
 * and never shows these volumes in use: the new object does not show them attached, so it treats them as volumes that need no attachment.
 */
class RegisteredAnewTest extends AttachBench {
    private static final Duration TIME_TO_UNMOUNT = Duration.ofMinutes(2);

    @Test
    void keepsWhatTheNodeHadUntilItHadTimeToUnmount() {
        inUseOn("n1");
        registersAnew();
        cluster.run();
        assertThat(cluster.explain("v").text()).contains("its object is new, and the volume was attached before");
        cluster.world.advance(TIME_TO_UNMOUNT.minusSeconds(2));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(3));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertGone();
    }

    @Test
    void keepsItAlsoIfThisProcessNeverSawTheObjectBefore() {
        inUseOn("n1");
        cluster.killController("c");
        registersAnew();
        cluster.controller();
        cluster.world.advance(TIME_TO_UNMOUNT.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(2));
        assertGone();
    }

    @Test
    void keepsItWhileThatNodeIsNotReady() {
        inUseOn("n1");
        registersAnew();
        cluster.ready("n1", false);
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.ready("n1", true);
        cluster.run();
        assertGone();
    }

    @Test
    void keepsWhatTheNewObjectShowsInUse() {
        inUseOn("n1");
        registersAnew();
        cluster.inUse("n1", "kubernetes.io/csi/mem^h-v");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.inUse("n1");
        cluster.run();
        assertGone();
    }

    /** The record was made for a kubelet, so it does not name the Node object. Since then this library's agent runs there. */
    @Test
    void keepsWhatTheReportInTheNewObjectShowsInUse() {
        inUseOn("n1");
        registersAnew();
        cluster.change("n1", node -> reporting(node, 1, Map.of("mem^h-v", "")));
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.change("n1", node -> reporting(node, 2, Map.of()));
        cluster.run();
        assertGone();
    }

    private static Node reporting(Node node, long generation, Map<String, String> used) {
        String report = new InUseReport(generation, "agent", used).text();
        return NodeObjects.with(node, node.metadata().withAnnotation(GrantKeys.IN_USE, report));
    }

    /** A person deletes the record too. No other event follows. */
    @Test
    void keepsTheAttachmentOfADeletedRecordUntilTheNodeHadTimeToUnmount() {
        inUseOn("n1");
        VolumeAttachment record = cluster.records().get(0);
        registersAnew();
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.world.advance(TIME_TO_UNMOUNT.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofMinutes(1));
        assertGone();
    }

    @Test
    void showsTheVolumeInTheNewObjectIfItsPodStays() {
        inUseOn("n1");
        registerAgain(cluster.nodeNow("n1"), Duration.ofMinutes(1));
        cluster.run();

        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-v");
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    @Test
    void detachesAtOnceWhatWasAttachedUnderTheNewObject() {
        attachedOn("n1");
        cluster.deletePod("a");
        cluster.run();
        registerAgain(cluster.nodeNow("n1"), Duration.ofMinutes(-1));
        cluster.pod("b", "n1", "v").run();
        cluster.inUse("n1", "kubernetes.io/csi/mem^h-v");
        cluster.deletePod("b");
        cluster.run();
        cluster.inUse("n1");
        cluster.run();

        assertGone();
    }

    private void registersAnew() {
        Node before = cluster.nodeNow("n1");
        cluster.cluster.remove(before.key());
        cluster.deletePod("a");
        registerAgain(before, Duration.ofMinutes(1));
    }

    /** The kubelet's first write: it does not know yet what it has mounted. */
    private void registerAgain(Node before, Duration later) {
        cluster.cluster.remove(ObjectKey.node("n1"));
        ObjectMeta meta =
                ObjectMeta.named("", "n1").withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true").toBuilder()
                        .creationTimestamp(before.metadata().creationTimestamp().plus(later))
                        .build();
        cluster.cluster.apply(NodeObjects.with(NodeObjects.node("n1", true), meta));
    }
}
