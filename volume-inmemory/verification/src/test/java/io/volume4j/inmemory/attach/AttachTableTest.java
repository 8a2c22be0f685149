package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.VolumeAttachment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the field's own attach/detach tests: what is attached, what is detached, and how many at a time. */
class AttachTableTest extends AttachBench {
    @Test
    void doesNothingWhereNothingIsWanted() {
        cluster.foreignNode("n1").volume("v", RWO).controller().settle();

        assertThat(cluster.calls()).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void attachesWhatAPodWants() {
        attachedOn("n1");

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-v");
        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().name()).isEqualTo(AttachmentName.exclusive("mem", AttachHarness.id("v")));
        assertThat(record.spec().attacher()).isEqualTo("mem");
        assertThat(record.spec().nodeName()).isEqualTo("n1");
        assertThat(record.spec().persistentVolumeName()).isEqualTo("pv-v");
        assertThat(record.status().attached()).isTrue();
        assertThat(record.status().attachmentMetadata()).containsKey("storage.mem/device");
        assertThat(cluster.told("SuccessfulAttachVolume"))
                .containsExactly("NORMAL SuccessfulAttachVolume Pod/a: AttachVolume.Attach succeeded for volume"
                        + " \"pv-v\" on node n1");
    }

    @Test
    void detachesWhatTheNodeDoesNotUse() {
        attachedOn("n1");
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertGone();
    }

    @Test
    void keepsWhatTheNodeUsesHoweverLongItTakes() {
        inUseOn("n1");
        cluster.deletePod("a");
        cluster.world.advance(Duration.ofSeconds(119));
        assertThat(cluster.told("DetachWaits")).as("unmounting takes its time").isEmpty();

        cluster.world.advance(Duration.ofHours(5));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("DetachWaits")).hasSize(1);
        assertThat(cluster.explain("v").text()).contains("node n1 reports that it uses the volume");

        cluster.inUse("n1");
        cluster.settle();
        assertGone();
    }

    @Test
    void doesNotDetachUntilTheNodesObjectSaysSo() {
        attachedOn("n1");
        cluster.cluster.fail(ClusterFault.on(ClusterVerb.PATCH).of(Kind.NODE).always());
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.cluster.heal();
        cluster.settle();
        assertGone();
    }

    /** Two PersistentVolumes of one storage: the filesystem of the first is for one node, whatever the second says. */
    @Test
    void attachesAStorageToOneNodeIfOneOfItsVolumesIsForOne() {
        cluster.foreignNode("n1")
                .foreignNode("n2")
                .volume("v", RWO)
                .volume("w", RWX)
                .controller();
        cluster.rehandle("w", "h-v");
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("b", "n2", "w").settle();
        cluster.pod("c", "n2", "w").settle();

        assertThat(cluster.attached("v")).containsExactly("n1");
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void attachesAVolumeForManyNodesToMany() {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWX).controller();
        cluster.pod("a", "n1", "v").pod("b", "n2", "v").settle();

        assertThat(cluster.controlCalls()).containsExactlyInAnyOrder("attach h-v n1", "attach h-v n2");
        assertThat(cluster.records()).hasSize(2);
    }

    @Test
    void attachesAVolumeForOneNodeToOneAndSaysWhoHasIt() {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO).controller();
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("b", "n2", "v").settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("FailedAttachVolume"))
                .containsExactly(
                        "WARNING FailedAttachVolume Pod/b: Multi-Attach error for volume \"pv-v\": only one node"
                                + " may have it; node n1 has it or may have it for pod(s) a");

        List<String> before = cluster.controlCalls();
        cluster.world.advance(Duration.ofHours(1));
        assertThat(cluster.told("FailedAttachVolume")).as("said once").hasSize(1);
        assertThat(cluster.controlCalls()).isEqualTo(before);

        cluster.deletePod("a");
        cluster.run();
        assertThat(cluster.controlCalls())
                .as("retried at once when it is released")
                .containsExactly("attach h-v n1", "detach h-v n1", "attach h-v n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNCERTAIN_AFTER", "UNCERTAIN_BEFORE"})
    void countsAnUncertainAttachmentAsOne(String kind) {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").at("n1").always().as(FaultKind.valueOf(kind)));
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("b", "n2", "v").settle();

        assertThat(cluster.controlCalls()).noneMatch(call -> call.endsWith("n2"));
        assertThat(cluster.attachedTo("n1"))
                .as("what is uncertain is not reported")
                .isEmpty();
        assertThat(cluster.told("FailedAttachVolume")).anyMatch(text -> text.contains("Multi-Attach"));

        cluster.plugin.faults().heal();
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void attachesAgainToTheNodeWhereItFailed() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").times(2));
        cluster.pod("a", "n1", "v").settle();

        assertThat(cluster.attached("v")).containsExactly("n1");
        assertThat(cluster.told("FailedAttachVolume"))
                .isNotEmpty()
                .allMatch(text -> text.contains("AttachVolume.Attach failed for volume \"pv-v\" on node n1"));
    }

    @Test
    void undoesWhatTimedOutWhenNoPodWantsItAnyMore() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").always().as(FaultKind.UNCERTAIN_AFTER));
        cluster.pod("a", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.run();

        assertThat(cluster.controlCalls()).endsWith("detach h-v n1");
        assertGone();
    }

    @Test
    void saysWhyDetachingFails() {
        attachedOn("n1");
        cluster.plugin.faults().add(Fault.on("detach").times(2));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.told("FailedDetachVolume")).hasSize(1);
        assertGone();
    }

    @Test
    void failsOneCallWhileOthersGoOn() {
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").of("h-v").always());
        cluster.pod("a", "n1", "v", "w").settle();

        assertThat(cluster.attached("w")).containsExactly("n1");
        assertThat(cluster.attached("v")).isEmpty();
    }

    @Test
    void attachesNoMoreThanANodeCanHaveAndGoesOnWhenThereIsRoom() {
        cluster.foreignNode("n1")
                .volume("v", RWO)
                .volume("w", RWO)
                .volume("x", RWO)
                .controller();
        cluster.limit("n1", "mem", 2);
        cluster.pod("a", "n1", "v").pod("b", "n1", "w").settle();
        cluster.pod("c", "n1", "x").settle();
        assertThat(cluster.controlCalls()).hasSize(2);
        assertThat(cluster.told("FailedAttachVolume"))
                .containsExactly(
                        "WARNING FailedAttachVolume Pod/c: node n1 has 2 volumes of driver mem and can have 2");

        cluster.deletePod("a");
        cluster.run();
        assertThat(cluster.attached("x")).containsExactly("n1");
    }

    @Test
    void countsUncertainAttachmentsAgainstTheLimit() {
        cluster.options = cluster.options.withAttachLimits(Map.of("mem", 1));
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").of("h-v").always().as(FaultKind.UNCERTAIN_AFTER));
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("b", "n1", "w").settle();

        assertThat(cluster.attached("w")).isEmpty();
    }
}
