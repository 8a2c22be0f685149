package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cases of the field's own attach/detach tests, against the controller with nodes that are played by the test: it
 * reports what they use, as a node's agent would that knows no generations.
 */
class AttachTableTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final AccessMode RWX = AccessMode.READ_WRITE_MANY;
    private static final Duration RISK = Duration.ofMinutes(6);

    private AttachHarness cluster = new AttachHarness(1);

    // The reconciler's cases.

    @Test
    void doesNothingWhereNobodyWantsAnything() {
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
    void keepsWhatAHealthyNodeUsesAlsoWhenTheAcceptedTimeHasPassed() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK);
        inUseOn("n1");
        cluster.deletePod("a");
        cluster.world.advance(Duration.ofHours(5));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    @Test
    void takesFromAnUnhealthyNodeAfterTheAcceptedTimeAndSaysSo() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK);
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.storage.fence("n1");
        cluster.world.advance(RISK.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(30));
        assertGone();
        assertThat(cluster.told("ForcedDetach"))
                .hasSize(1)
                .allMatch(text -> text.contains("by force (accepted_risk)") && text.contains("not safe"));
        assertThat(cluster.metrics.counter("attachdetach_controller_forced_detaches{reason=accepted_risk}"))
                .isEqualTo(1);
    }

    @Test
    void takesNothingByTimeUnlessSomebodyAcceptedTheRisk() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.world.advance(Duration.ofHours(5));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("DetachWaits")).isNotEmpty().anyMatch(text -> text.contains("needs evidence"));
    }

    @Test
    void takesFromANodeThatAPersonDeclaredOutOfService() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        cluster.taint("n1", true);
        cluster.run();

        assertGone();
        assertThat(cluster.told("ForcedDetach")).hasSize(1).allMatch(text -> text.contains("operator_assertion"));
        assertThat(cluster.metrics.counter("attachdetach_controller_forced_detaches{reason=operator_assertion}"))
                .isEqualTo(1);
    }

    @Test
    void takesFromANodeThatAnAuthorityProvedCutOff() {
        boolean[] off = {false};
        cluster.fencing = node -> off[0]
                ? Optional.of(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "the machine is powered off"))
                : Optional.empty();
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        off[0] = true;
        cluster.world.advance(Duration.ofSeconds(15));
        assertGone();
        assertThat(cluster.told("ForcedDetach")).hasSize(1).allMatch(text -> text.contains("powered off"));
    }

    @Test
    void takesFromANodeOfWhichTheHostGivesEvidence() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        assertThat(cluster.get(
                        cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug"))))
                .isTrue();
        cluster.run();

        assertGone();
    }

    @Test
    void believesNoOldEvidenceOfANodeThatWasReadyAgain() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.run();
        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug")));
        cluster.ready("n1", true);
        cluster.run();
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
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
    void takesBackWhatTimedOutWhenNobodyWantsItAnyMore() {
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

    // Desired and actual state.

    @Test
    void keepsAVolumeWhileOneOfSeveralPodsWantsIt() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.pod("a", "n1", "v").pod("b", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.deletePod("b");
        cluster.settle();
        assertGone();
    }

    @Test
    void removesAllVolumesOfAPodAtOnce() {
        cluster.foreignNode("n1")
                .volume("v", RWO)
                .volume("w", RWO)
                .volume("x", RWO)
                .controller();
        cluster.pod("a", "n1", "v", "w", "x").settle();
        cluster.deletePod("a");
        cluster.run();

        assertThat(cluster.controlCalls())
                .filteredOn(call -> call.startsWith("detach"))
                .hasSize(3);
        assertGone();
    }

    @Test
    void leavesNodesAloneThatDoNotAskForIt() {
        cluster.nodeObject("n1", true);
        cluster.volume("v", RWO).pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.change(
                "n1",
                node -> AttachHarness.with(
                        node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n1");

        cluster.change(
                "n1",
                node -> AttachHarness.with(
                        node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "false")));
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).as("left alone again").containsExactly("attach h-v n1");
    }

    @Test
    void waitsForANodeThatIsNotThereYet() {
        cluster.volume("v", RWO).pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.foreignNode("n1").settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
    }

    @Test
    void attachesOnlyWhatItsPluginAttaches() {
        cluster.plugin.set(Capability.ATTACH, false);
        cluster.foreignNode("n1")
                .volume("v", RWO)
                .pod("a", "n1", "v")
                .controller()
                .settle();

        assertThat(cluster.calls()).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void countsAVolumeThatIsNotReportedToTheNodeAsUnused() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").always());
        cluster.pod("a", "n1", "v").run();
        cluster.inUse("n1", "mem^h-v");
        cluster.run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.records())
                .as("a failed attachment does not wait for the node's word")
                .isEmpty();
    }

    // Populators.

    @Test
    void dropsVolumesOfTerminatedPods() {
        attachedOn("n1");
        cluster.pod("default", "a", "n1", PodPhase.SUCCEEDED, "v").settle();

        assertGone();
    }

    @Test
    void keepsVolumesOfTerminatedPodsWhereTheNodeAsksForIt() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.change(
                "n1",
                node -> AttachHarness.with(
                        node, node.metadata().withAnnotation(WellKnown.KEEP_TERMINATED_POD_VOLUMES, "true")));
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("default", "a", "n1", PodPhase.FAILED, "v").settle();
        assertThat(cluster.attached("v")).containsExactly("n1");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v"))
                .as("deleting the pod always removes them")
                .isEmpty();
    }

    @Test
    void attachesWhenAClaimIsBoundLater() {
        cluster.foreignNode("n1").pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.volume("v", RWO).settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
    }

    @Test
    void keepsAVolumeWhoseClaimCannotBeReadWhileItsPodIsThere() {
        attachedOn("n1");
        cluster.cluster.remove(ObjectKey.claim("default", "v"));
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.killController("c");
        cluster.controller().settle();
        assertThat(cluster.controlCalls()).as("not after a restart either").containsExactly("attach h-v n1");
        assertThat(cluster.explain("v").text()).contains("claim default/v");

        cluster.deletePod("a");
        cluster.settle();
        assertGone();
    }

    @Test
    void takesAPodOfTheSameNameForAnother() {
        attachedOn("n1");
        cluster.foreignNode("n2").volume("w", RWO);
        cluster.deletePod("a");
        cluster.cluster.apply(podOfAnotherUid());
        cluster.settle();

        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.attached("w")).containsExactly("n2");
    }

    private io.volume4j.spi.model.Pod podOfAnotherUid() {
        AttachHarness other = new AttachHarness(2);
        other.pod("a", "n2", "w");
        var pod = (io.volume4j.spi.model.Pod)
                other.cluster.get(ObjectKey.pod("default", "a")).orElseThrow();
        return new io.volume4j.spi.model.Pod(
                ObjectMeta.named("default", "a").withUid("another"), pod.spec(), pod.status(), Unmodeled.none());
    }

    // Restart and tombstones.

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
        cluster.change("n1", AttachTableTest::showingVAttached);
        cluster.controller().settle();

        assertThat(cluster.controlCalls()).containsExactly("detach h-v n1");
        assertGone();
    }

    @Test
    void attachesNowhereElseWhatANodeReportsAttachedAndInUse() {
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.change("n1", AttachTableTest::showingVAttached);
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

    @Test
    void detachesFromANodeWhoseObjectIsGoneIfItHadGivenTheVolumeBack() {
        attachedOn("n1");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void keepsWhatANodeUsedWhoseObjectIsGoneUntilThereIsEvidence() {
        inUseOn("n1");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.AUTHORITY_PROOF, "n1", "the machine was destroyed")));
        cluster.storage.fence("n1");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.told("ForcedDetach")).hasSize(1);
    }

    @Test
    void assumesTheWorstOfANodeThatWasGoneBeforeTheControllerStarted() {
        attachedOn("n1");
        cluster.killController("c");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.controller().settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.explain("v").text()).contains("it is not known whether node n1 uses the volume");

        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "scrapped")));
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
    }

    // Limits.

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

    // Dangling attachments and verification.

    @Test
    void detachesFromTheNodeThatReallyHoldsTheVolume() {
        cluster = new AttachHarness(
                1, InMemoryStorage.builder().refusesSecondNode().build(), builder -> builder);
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.pod("b", "n2", "v").controller().settle();

        assertThat(cluster.controlCalls())
                .startsWith("attach h-v n2", "detach h-v n1")
                .endsWith("attach h-v n2");
        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.records()).hasSize(1);
    }

    @Test
    void doesNotTakeADanglingVolumeFromANodeThatUsesIt() {
        cluster = new AttachHarness(
                1, InMemoryStorage.builder().refusesSecondNode().build(), builder -> builder);
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.inUse("n1", "mem^h-v");
        cluster.pod("b", "n2", "v").controller().settle();

        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("detach"));

        cluster.inUse("n1");
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n2");
    }

    @Test
    void asksABackendOnceForAllItsVolumes() {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.pod("a", "n1", "v", "w").settle();
        cluster.storage.clearCalls();
        cluster.storage.detachBehindOurBack("h-v", "n1");
        cluster.world.advance(Duration.ofMinutes(2));

        assertThat(cluster.attached("v")).as("attached again").containsExactly("n1");
        assertThat(cluster.told("AttachmentLost")).hasSize(1);
        assertThat(cluster.attachedTo("n1")).containsExactlyInAnyOrder("mem^h-v", "mem^h-w");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSIENT", "UNCERTAIN_BEFORE"})
    void takesNoFailedReadForAbsence(String kind) {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        attachedOn("n1");
        cluster.plugin.faults().add(Fault.on("observe").always().as(FaultKind.valueOf(kind)));
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("AttachmentLost")).isEmpty();
    }

    @Test
    void takesWhatTheBackendDoesNotHaveAnyMoreFromADeadNode() {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        cluster.storage.fence("n1");
        cluster.storage.detachBehindOurBack("h-v", "n1");
        cluster.world.advance(Duration.ofMinutes(3));

        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.told("ForcedDetach")).isEmpty();
    }

    // Reports that lie.

    @Test
    void believesNoStatusThatAnOldCopyBroughtBack() {
        cluster.node("n1").controller();
        cluster.volume("v", RWO).pod("a", "n1", "v").settle();
        Node now = cluster.nodeNow("n1");
        cluster.on("n1").kill();
        cluster.change(
                "n1",
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(true, List.of(), node.status().volumesAttached(), Map.of()),
                        node.unmodeled()));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(now.status().volumesInUse()).containsExactly("mem^h-v");
        assertThat(cluster.controlCalls())
                .as("the annotation still says in use")
                .containsExactly("attach h-v n1");
    }

    @Test
    void takesAnUnreadableReportForUse() {
        attachedOn("n1");
        cluster.change(
                "n1", node -> AttachHarness.with(node, node.metadata().withAnnotation(GrantKeys.IN_USE, "spoiled")));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    private static Node showingVAttached(Node node) {
        return new Node(
                node.metadata(),
                node.spec(),
                new Node.Status(true, List.of(), List.of(new Node.AttachedVolume("mem^h-v", "/dev/mem/h-v")), Map.of()),
                node.unmodeled());
    }

    private void attachedOn(String node) {
        cluster.foreignNode(node).volume("v", RWO).controller();
        cluster.pod("a", node, "v").settle();
        assertThat(cluster.attached("v")).containsExactly(node);
    }

    private void inUseOn(String node) {
        attachedOn(node);
        cluster.inUse(node, "mem^h-v");
        cluster.run();
    }

    private void assertGone() {
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.attachedTo("n1")).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }
}
