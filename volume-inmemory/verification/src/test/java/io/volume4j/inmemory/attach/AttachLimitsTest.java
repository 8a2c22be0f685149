package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many volumes a node can have: said by its plugin, told to the cluster by its agent, counted by the controller. */
class AttachLimitsTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;

    private AttachHarness cluster =
            new AttachHarness(1, InMemoryStorage.builder().maxVolumesPerNode(2).build(), builder -> builder);

    @Test
    void countsAtAttachTimeWhatThePluginOfTheNodeSays() {
        cluster.node("n1").controller().settle();
        assertThat(allocatable("n1")).containsEntry("attachable-volumes-csi-mem", Quantity.parse("2"));

        cluster.volume("v", RWO).volume("w", RWO).volume("x", RWO);
        cluster.pod("a", "n1", "v").pod("b", "n1", "w").settle();
        cluster.pod("c", "n1", "x").settle();
        assertThat(cluster.attached("x")).isEmpty();
        assertThat(cluster.told("FailedAttachVolume"))
                .containsExactly(
                        "WARNING FailedAttachVolume Pod/c: node n1 has 2 volumes of driver mem and can have 2");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("x")).containsExactly("n1");
        assertThat(cluster.on("n1").mounted("c").volumes()).containsOnlyKeys("x");
    }

    /** Only the VolumeAttachment tells a node that another process attaches for. */
    @ParameterizedTest
    @CsvSource({"EXHAUSTED, 2", "TRANSIENT, 1"})
    void aNodeThatWaitsAsksItsPluginAgainOnlyIfTheAttacherHadNoRoom(FaultKind refusal, long asked) {
        cluster.node("n1").volume("v", RWO).controller().settle();
        cluster.storage.faults().add(Fault.on("attach").of("h-v").always().as(refusal));

        cluster.pod("a", "n1", "v");
        cluster.world.advance(Duration.ofSeconds(4));
        assertThat(limitsAsked()).as("a controller usually attaches sooner").isEqualTo(1);
        cluster.world.advance(Duration.ofMinutes(10));
        assertThat(limitsAsked()).isGreaterThanOrEqualTo(asked);
        assertThat(limitsAsked() > 1).isEqualTo(asked > 1);
    }

    @Test
    void aNodeThatWaitsSaysWhyTheAttacherFailsAsLongAsItDoes() {
        cluster.node("n1").volume("v", RWO).controller().settle();
        cluster.storage.faults().add(Fault.on("attach").of("h-v").always().as(FaultKind.EXHAUSTED));
        cluster.pod("a", "n1", "v");
        cluster.world.advance(Duration.ofSeconds(30));

        assertThat(cluster.on("n1").explainPod("a").text())
                .contains("volume v could not be attached, says its VolumeAttachment: ");

        cluster.storage.faults().heal();
        cluster.settle();
        assertThat(cluster.on("n1").mounted("a").volumes()).containsOnlyKeys("v");
        assertThat(cluster.on("n1").explainPod("a").text()).doesNotContain("could not be attached");
    }

    @Test
    void recordsThatTheDriverRefusedForWantOfRoomAndNothingOfOtherFailures() {
        cluster = new AttachHarness(1);
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.storage.faults().add(Fault.on("attach").of("h-v").always().as(FaultKind.EXHAUSTED));
        cluster.storage.faults().add(Fault.on("attach").of("h-w").always().as(FaultKind.TRANSIENT));
        cluster.pod("a", "n1", "v").pod("b", "n1", "w").settle();

        assertThat(cluster.records())
                .filteredOn(record -> record.status().refusedForRoom())
                .extracting(record -> record.spec().persistentVolumeName())
                .containsExactly("pv-v");
        assertThat(cluster.records())
                .filteredOn(record -> record.status().attachError() != null)
                .hasSize(1);

        cluster.storage.faults().heal();
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
        assertThat(cluster.records()).allMatch(record -> record.status().attachError() == null);
    }

    /** The refusal may not be recorded yet when the record is deleted: it is no failure of the detach, which is under way then. */
    @Test
    void recordsARefusalAsNoFailureOfADetach() {
        for (int steps = 1; steps < 60; steps++) {
            cluster = new AttachHarness(1);
            cluster.foreignNode("n1").volume("v", RWO).controller();
            cluster.storage.faults().add(Fault.on("attach").always().as(FaultKind.EXHAUSTED));
            cluster.storage.faults().add(Fault.on("detach").always());
            cluster.pod("a", "n1", "v");
            for (int i = 0; i < steps; i++) {
                cluster.world.step();
            }
            cluster.deletePod("a");
            cluster.records().forEach(record -> cluster.cluster.delete(record.key(), Preconditions.none()));
            cluster.run();
            assertThat(cluster.records())
                    .as("deleted after %d steps", steps)
                    .allMatch(record -> record.status().detachError() == null)
                    .allMatch(record -> Long.parseLong(record.metadata().resourceVersion()) < 100);
        }
    }

    @Test
    void reportsItAgainWhenAnotherProgramOverwroteIt() {
        cluster.node("n1").settle();
        cluster.limit("n1", "mem", 99);
        cluster.settle();

        assertThat(allocatable("n1")).containsEntry("attachable-volumes-csi-mem", Quantity.parse("2"));
    }

    @Test
    void asksAgainUntilThePluginAnswers() {
        cluster.storage.faults().add(Fault.on("limits").times(3).as(FaultKind.TRANSIENT));
        cluster.node("n1").run();
        assertThat(allocatable("n1")).isEmpty();

        cluster.settle();
        assertThat(allocatable("n1")).containsEntry("attachable-volumes-csi-mem", Quantity.parse("2"));
    }

    @Test
    void saysNothingWhereThereIsNoLimit() {
        cluster = new AttachHarness(1);
        cluster.node("n1").settle();

        assertThat(allocatable("n1")).isEmpty();
    }

    @Test
    void attachesAtOnceWhenTheNodeCanHaveMore() {
        cluster = new AttachHarness(1);
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.limit("n1", "mem", 1);
        cluster.pod("a", "n1", "v").run();
        cluster.pod("b", "n1", "w").run();
        assertThat(cluster.controlCalls()).hasSize(1);

        cluster.limit("n1", "mem", 2);
        cluster.run();
        assertThat(cluster.controlCalls()).containsExactlyInAnyOrder("attach h-v n1", "attach h-w n1");
    }

    @Test
    void keepsThePlaceOfARecordWhoseMakerHeardNoAnswer() {
        madeUnheard();
        assertThat(cluster.records())
                .as("w has no room beside what may be there")
                .hasSize(1);

        cluster.the("c").link.mend();
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("FailedAttachVolume"))
                .containsExactly(
                        "WARNING FailedAttachVolume Pod/b: node n1 has 1 volumes of driver mem and can have 1");
    }

    @Test
    void triesTheStepsThatWaitedForThatPlaceWhenNoPodWantsItAnyMore() {
        madeUnheard();
        cluster.deletePod("a");
        cluster.world.runReady();
        assertThat(cluster.records()).as("w is tried at once").hasSize(2);

        cluster.the("c").link.mend();
        cluster.settle();
        assertThat(cluster.attached("w")).containsExactly("n1");
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).hasSize(1);
    }

    @Test
    void triesTheOtherNodeThatWaitedForItAsWell() {
        madeUnheard();
        cluster.foreignNode("n2").run();
        cluster.pod("c", "n2", "v").run();
        assertThat(cluster.records()).as("v may be on its way to n1").hasSize(1);

        cluster.deletePod("a");
        cluster.world.runReady();
        assertThat(cluster.records())
                .extracting(record -> record.spec().nodeName())
                .contains("n2");
    }

    @Test
    void givesThePlaceOfARecordThatWasRefusedToAnother() {
        cluster = new AttachHarness(1);
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.limit("n1", "mem", 1);
        cluster.cluster.fail(
                ClusterFault.on(ClusterVerb.CREATE).of(Kind.VOLUME_ATTACHMENT).as(ClusterFault.Rejection.FORBIDDEN));
        cluster.pod("a", "n1", "v").pod("b", "n1", "w").run();

        assertThat(cluster.controlCalls()).containsExactly("attach h-w n1");
    }

    /** The record of v is stored, but its maker heard neither an answer nor of the object, and w waits for its place. */
    private void madeUnheard() {
        cluster = new AttachHarness(1);
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.limit("n1", "mem", 1);
        cluster.run();
        cluster.the("c").link.hide(Kind.VOLUME_ATTACHMENT);
        cluster.cluster.fail(ClusterFault.on(ClusterVerb.CREATE)
                .of(Kind.VOLUME_ATTACHMENT)
                .as(ClusterFault.Rejection.UNAVAILABLE_AFTER));
        cluster.pod("a", "n1", "v").pod("b", "n1", "w").world.runReady();
    }

    @Test
    void countsWhatADriversRegistrarAnnounced() {
        cluster = new AttachHarness(1);
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.change(
                "n1",
                node -> NodeObjects.with(node, node.metadata().withAnnotation(GrantKeys.ANNOUNCED_LIMIT + "mem", "1")));
        cluster.pod("a", "n1", "v").run();
        cluster.pod("b", "n1", "w").settle();
        assertThat(cluster.controlCalls()).hasSize(1);

        cluster.limit("n1", "mem", 2);
        cluster.world.advance(Duration.ofSeconds(1));
        assertThat(cluster.controlCalls()).as("the status goes before it").hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "ebs.csi.aws.com, attachable-volumes-csi-ebs.csi.aws.com",
        "a23456789.123456789.123456789.123456789, attachable-volumes-csi-a23456789.123456789.123456789.123456789",
        "a23456789.123456789.123456789.1234567890, attachable-volumes-csi-a23456789.123456789.123a5ce03514a080248"
    })
    void namesLimitsAsTheFieldDoes(String driver, String name) {
        assertThat(AttachLimitKey.of(driver)).isEqualTo(name);
    }

    private long limitsAsked() {
        return cluster.storage.calls().stream()
                .filter(call -> call.name().equals("limits"))
                .count();
    }

    private Map<String, Quantity> allocatable(String node) {
        return cluster.nodeNow(node).status().allocatable();
    }
}
