package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the backend has attached elsewhere, or not any more. */
class DanglingAttachmentTest extends AttachBench {
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

    /** The cluster has no such node, so no node reports anything and no controller detaches there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOnWhenTheBackendDetachedFromANodeThatTheClusterDoesNotHave(boolean nextPod) {
        cluster = new AttachHarness(
                1, InMemoryStorage.builder().refusesSecondNode().build(), builder -> builder);
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        cluster.foreignNode("n1").foreignNode("n2").volume("v", RWO);
        cluster.storage.attachBehindOurBack("h-v", "strange");
        cluster.pod("a", "n1", "v").controller().settle();
        assertThat(cluster.attached("v")).containsExactly("strange");
        if (nextPod) {
            cluster.deletePod("a");
            cluster.settle();
            cluster.pod("b", "n2", "v").settle();
        }

        cluster.storage.detachBehindOurBack("h-v", "strange");
        cluster.world.advance(Duration.ofMinutes(2));
        assertThat(cluster.attached("v")).containsExactly(nextPod ? "n2" : "n1");
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

    /** The answer that the volume is absent is older than the attach call that followed it. */
    @Test
    void doesNotTakeAVolumeThatAnUnansweredCallMayHaveBroughtBack() {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        inUseOn("n1");
        cluster.storage.detachBehindOurBack("h-v", "n1");
        cluster.plugin.faults().add(Fault.on("attach").always().as(FaultKind.UNCERTAIN_AFTER));
        for (int i = 0; i < 1000 && cluster.controlCalls().size() < 2; i++) {
            cluster.world.advance(Duration.ofMillis(100));
        }
        assertThat(cluster.attached("v")).containsExactly("n1");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("detach"));

        cluster.inUse("n1");
        cluster.settle();
        assertGone();
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

    @Test
    void takesNothingFromADeadNodeThatReportedItInUseForOneAnswerFromAnOldList() {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        cluster.storage.detachBehindOurBack("h-v", "n1");
        cluster.world.advance(Duration.ofMinutes(1));
        cluster.storage.attachBehindOurBack("h-v", "n1");
        cluster.world.advance(Duration.ofMinutes(5));

        assertThat(cluster.told("AttachmentLost")).hasSize(1);
        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("detach"));
        assertThat(cluster.records()).hasSize(1);
    }

    /** The backend may answer from an old list. */
    @Test
    void takesNothingThatAHealthyNodeReportsInUseAlthoughTheBackendSaysThatItIsNotThere() {
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        inUseOn("n1");
        cluster.deletePod("a");
        cluster.run();
        cluster.storage.detachBehindOurBack("h-v", "n1");
        cluster.world.advance(Duration.ofMinutes(3));

        assertThat(cluster.told("AttachmentLost")).hasSize(1);
        assertThat(cluster.records()).hasSize(1);
        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("detach"));

        cluster.inUse("n1");
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
    }
}
