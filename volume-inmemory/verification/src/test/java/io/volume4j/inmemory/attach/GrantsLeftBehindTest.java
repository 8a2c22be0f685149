package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A controller of this library gave grants, and Kubernetes' controller, which gives none, has taken its place. */
class GrantsLeftBehindTest {
    private static final String OF_KUBERNETES = AttachmentName.ofKubernetes("mem", "h-v", "n1");

    private final AttachHarness cluster = new AttachHarness(1);

    @Test
    void whatTheOtherControllerAttachesIsMountedThoughNoGrantNamesIt() {
        given();
        record(OF_KUBERNETES, "");
        cluster.change("n1", GrantsLeftBehindTest::showingVAttached);
        cluster.settle();

        assertThat(cluster.on("n1").mounted("a").volumes()).hasSize(1);
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** A controller takes a grant away before it takes the volume out of the status. */
    @Test
    void aVolumeWhoseGrantIsBeingTakenAwayIsNotMounted() {
        given();
        record(AttachmentName.exclusive("mem", VolumeId.shared("mem", "h-v")), "7.c.1");
        cluster.change("n1", GrantsLeftBehindTest::showingVAttached);
        cluster.settle();

        assertThat(cluster.calls()).noneMatch(call -> call.contains("mount"));
        assertThat(cluster.on("n1").explainPod("a").text()).contains("grants it no more, or not yet");
    }

    /** Ours was killed before it granted what it had attached, and the other controller goes on with the record. */
    @Test
    void whatOursAttachedUnderTheOthersNameIsMountedWhenTheOtherShowsIt() {
        given();
        record(OF_KUBERNETES, "7.c.1");
        cluster.change("n1", GrantsLeftBehindTest::showingVAttached);
        cluster.settle();

        assertThat(cluster.on("n1").mounted("a").volumes()).hasSize(1);
        assertThat(cluster.storage.violations()).isEmpty();
    }

    private void given() {
        cluster.node("n1").volume("v", AccessMode.READ_WRITE_ONCE);
        cluster.change(
                "n1",
                node -> new Node(
                        node.metadata().withAnnotation(GrantKeys.GRANTS, ""),
                        node.spec(),
                        node.status(),
                        node.unmodeled()));
        cluster.pod("a", "n1", "v").settle();
        cluster.storage.attachBehindOurBack("h-v", "n1");
    }

    private void record(String name, String generation) {
        ObjectMeta meta = ObjectMeta.named("", name);
        cluster.cluster.apply(new VolumeAttachment(
                generation.isEmpty() ? meta : meta.withAnnotation(GrantKeys.GENERATION, generation),
                VolumeAttachment.Spec.ofVolume("mem", "n1", "pv-v"),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none()));
    }

    private static Node showingVAttached(Node node) {
        return new Node(
                node.metadata(),
                node.spec(),
                new Node.Status(
                        node.status().ready(),
                        node.status().volumesInUse(),
                        List.of(new Node.AttachedVolume("kubernetes.io/csi/mem^h-v", "/dev/mem/h-v")),
                        node.status().allocatable()),
                node.unmodeled());
    }
}
