package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumePhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With Kubernetes' names the controller keeps the object of a volume that it attaches, by the finalizer of the driver's attacher. It
 * lets a deleted object go as soon as it can, whatever prevented that at first. There is no resync, unless a test says so.
 */
class DeletedVolumesTest extends AttachBench {
    private static final ObjectKey V = ObjectKey.volume("pv-v");

    @BeforeEach
    void given() {
        cluster.options = cluster.options.withKubernetesNames(true);
    }

    @Test
    void goWhenTheirDriverIsRegisteredAgain() {
        detachedFrom("n1");
        cluster.the("c").plugins.remove("mem");
        cluster.cluster.remove(V);
        cluster.settle();
        assertThat(cluster.has(V))
                .as("without a driver it is not known whose volume it is")
                .isTrue();

        cluster.the("c").plugins.add(cluster.plugin);
        cluster.settle();
        assertThat(cluster.has(V)).isFalse();
    }

    @Test
    void goWhenAllAttachmentsAreListedAgain() {
        detachedFrom("n1");
        cluster.volume("w", RWO).pod("b", "n1", "w").settle();
        cluster.cluster.fail(
                ClusterFault.on(ClusterVerb.LIST).of(Kind.VOLUME_ATTACHMENT).always());
        cluster.the("c").link.hide(Kind.VOLUME_ATTACHMENT);
        VolumeAttachment touched = cluster.records().get(0);
        cluster.cluster.apply(new VolumeAttachment(
                touched.metadata().withAnnotation("touched", "by a person"),
                touched.spec(),
                touched.status(),
                touched.unmodeled()));
        cluster.run();
        cluster.the("c").link.mend();
        cluster.run();
        cluster.cluster.remove(V);
        cluster.settle();
        assertThat(cluster.has(V)).as("an attachment may exist").isTrue();

        cluster.cluster.heal();
        cluster.settle();
        assertThat(cluster.has(V)).isFalse();
    }

    @Test
    void goWhenTheStorageIsDetachedThatWasHandedOverToAnotherObject() {
        detachedFrom("n1");
        cluster.volume("w", RWO);
        cluster.rehandle("w", "h-v");
        cluster.pod("b", "n1", "w").settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
        cluster.cluster.remove(V);
        cluster.settle();
        assertThat(cluster.has(V)).as("attached").isTrue();

        cluster.deletePod("b");
        cluster.settle();
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.has(V)).isFalse();
        assertThat(cluster.has(ObjectKey.volume("pv-w"))).isTrue();
    }

    /** The pod's claim has the name of the volume's claim. It may have the volume until the volume is released. */
    @Test
    void areDetachedWhenTheyAreReleasedThoughAPodThereWaitsForAClaimOfTheSameName() {
        attachedOn("n1");
        cluster.cluster.remove(ObjectKey.claim("default", "v"));
        cluster.cluster.apply(VolumeObjects.pending("v"));
        cluster.pod("b", "n1", "v");
        cluster.deletePod("a");
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.settle();
        assertThat(cluster.explain("v").waits())
                .anyMatch(wait -> wait.contains("it is not known which volume that is"));
        assertThat(cluster.attached("v")).containsExactly("n1");

        PersistentVolume volume = (PersistentVolume) cluster.cluster.get(V).orElseThrow();
        cluster.cluster.apply(VolumeObjects.inPhase(volume, VolumePhase.RELEASED));
        cluster.settle();
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void stayForAnAttachmentOfWhichItIsNotKnownWhichVolumeItIsOf() {
        detachedFrom("n1");
        cluster.foreignNode("n2").volume("w", RWO).pod("b", "n2", "w").settle();
        VolumeAttachment spoiled = new VolumeAttachment(
                ObjectMeta.named("", "spoiled").withAnnotation(GrantKeys.VOLUME, "no volume"),
                VolumeAttachment.Spec.ofVolume("mem", "n1", V.name()),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none());
        cluster.cluster.apply(spoiled);
        cluster.cluster.remove(V);
        cluster.settle();
        assertThat(cluster.has(V)).isTrue();

        cluster.cluster.remove(spoiled.key());
        cluster.settle();
        assertThat(cluster.has(V)).isFalse();
    }

    /** A safety net for a change that reaches no record. */
    @Test
    void andAttachmentsThatWaitAreVisitedAgainWithoutAChange() {
        List<String> visited = new ArrayList<>();
        cluster.options = cluster.options.withResyncPerSecond(100);
        cluster.recordSeams = cluster.recordSeams.withPlanner(planner -> view -> {
            visited.add(view.record());
            return planner.plan(view);
        });
        inUseOn("n1");
        VolumeAttachment record = cluster.records().get(0);
        visited.clear();
        cluster.world.advance(Duration.ofMinutes(1));
        assertThat(visited).as("while nothing waits").isEmpty();

        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.run();
        visited.clear();
        cluster.world.advance(Duration.ofSeconds(10));
        assertThat(visited)
                .hasSizeGreaterThanOrEqualTo(9)
                .containsOnly(record.metadata().name());
    }

    private void detachedFrom(String node) {
        attachedOn(node);
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.cluster.get(V).orElseThrow().metadata().finalizers())
                .containsExactly("external-attacher/mem");
    }
}
