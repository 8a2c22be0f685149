package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeMode;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A claim that was deleted and made anew under a running pod: two volumes, one place. */
class ReplacedVolumeTest {
    private final InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
    private final NodeHarness node = NodeHarness.withMachine(1, runtime);

    @AfterEach
    void nothingWrong() {
        assertThat(node.storage.violations()).isEmpty();
        assertThat(Objects.requireNonNull(node.machine).violations()).isEmpty();
    }

    @Test
    void theNewVolumeWaitsForThePlaceThatTheOldOneHas() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        assertThat(node.mounted("a").volumes()).hasSize(1);
        runtime.started("a");

        replaceClaim();
        node.settle();
        assertThat(node.calls()).noneMatch(call -> call.startsWith("mount h-other"));
        assertThat(node.explainPod("a").text()).contains("volume mem^h-data is still mounted in its place");

        runtime.stopped("a");
        node.settle();
        assertThat(node.calls()).containsSubsequence("unmount h-data n1 a", "mount h-other n1 a");
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.cluster.delete(ObjectKey.pod("default", "a"), Preconditions.none());
        node.settle();
        assertThat(node.leftOnMachine()).isEmpty();
    }

    @Test
    void aRestartInBetweenChangesNothing() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        runtime.started("a");
        replaceClaim();
        node.settle();
        node.kill();
        node.start().settle();
        assertThat(node.calls()).noneMatch(call -> call.startsWith("mount h-other"));

        runtime.stopped("a");
        node.settle();
        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.calls()).containsSubsequence("unmount h-data n1 a", "mount h-other n1 a");
    }

    private void replaceClaim() {
        node.storage.add("h-other", BoundVolumes.SIZE.bytes());
        node.cluster.delete(ObjectKey.claim("default", "data"), Preconditions.none());
        PersistentVolumeClaim before = BoundVolumes.claim("other", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolumeClaim anew = new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-other"),
                before.spec(),
                before.status(),
                before.unmodeled());
        node.cluster.apply(anew);
        node.cluster.apply(BoundVolumes.volume("other", anew, BoundVolumes.SIZE));
    }
}
