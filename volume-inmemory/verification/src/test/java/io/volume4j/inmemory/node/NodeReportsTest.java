package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.TimelineEntry.Moment;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.VolumeMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node tells its host: answers, listeners, timelines, events and measurements. */
class NodeReportsTest {
    private static final VolumeId DATA = VolumeId.shared("mem", "h-data");

    private final NodeHarness node = new NodeHarness(1);

    @Test
    void saysWhichVolumesAreAttachedAndInUse() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start();

        assertThat(node.get(node.agent().attached(DATA))).isFalse();
        node.settle();
        assertThat(node.get(node.agent().attached(DATA))).isTrue();
        assertThat(node.get(node.agent().volumesInUse())).containsExactly(DATA);

        node.deletePod("a");
        node.settle();
        assertThat(node.get(node.agent().attached(DATA))).isFalse();
        assertThat(node.get(node.agent().volumesInUse())).isEmpty();
    }

    @Test
    void countsAVolumeInUseAsSoonAsItIsWantedAndUntilItIsCertainlyGone() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("attach").always().as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start();
        node.world.advance(Duration.ofSeconds(1));
        assertThat(node.get(node.agent().volumesInUse())).as("wanted").containsExactly(DATA);

        node.plugin.faults().heal();
        node.plugin.faults().add(Fault.on("detach").always().as(FaultKind.UNCERTAIN_AFTER));
        node.settle();
        node.deletePod("a");
        node.world.advance(Duration.ofSeconds(1));
        assertThat(node.get(node.agent().volumesInUse())).as("may be attached").containsExactly(DATA);
        assertThat(node.get(node.agent().attached(DATA)))
                .as("may be is not certain")
                .isFalse();
    }

    /** The control plane attaches nothing to a node that reports nothing. */
    @Test
    void reportsAgainAfterTheHostHadNoThreadForIt() {
        node.nodeStatus(List.of(), List.of());
        node.boundClaim("data");
        node.start().settle();
        node.threads(false);
        node.pod("a", "data");
        node.world.advance(Duration.ofSeconds(1));

        node.threads(true);
        node.settle();

        Node stored = (Node) node.cluster.get(ObjectKey.node(NodeHarness.NODE)).orElseThrow();
        assertThat(stored.status().volumesInUse()).containsExactly(NodeVolumeNames.of(DATA));
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    /** The first call reads the claim, the second writes the report. */
    @Test
    void reportsAgainAfterAWriteThatWasNotAnswered() {
        node.nodeStatus(List.of(), List.of());
        node.boundClaim("data");
        node.start().settle();
        node.hangCall(2);
        node.pod("a", "data");
        node.world.advance(Duration.ofSeconds(30));
        assertThat(reported()).isEmpty();

        node.settle();
        assertThat(reported()).containsExactly(NodeVolumeNames.of(DATA));
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.releaseHanging();
        node.settle();
        assertThat(reported()).containsExactly(NodeVolumeNames.of(DATA));
    }

    /** The longest pause is two minutes. */
    @Test
    void triesOneReportAtATimeHoweverOftenTheNodesObjectChanges() {
        node.nodeStatus(List.of(), List.of());
        node.boundClaim("data");
        node.start().settle();
        node.cluster.fail(ClusterFault.on(ClusterVerb.PATCH)
                .of(ObjectKey.node(NodeHarness.NODE))
                .always());
        node.pod("a", "data");
        for (int change = 0; change < 20; change++) {
            node.nodeStatus(List.of(), List.of(VolumeId.shared("other", "v" + change)));
            node.world.advance(Duration.ofSeconds(3));
        }
        node.settle();
        long before = node.tasks();

        node.world.advance(Duration.ofHours(1));

        assertThat(node.tasks() - before).isBetween(20L, 40L);
    }

    private List<String> reported() {
        return ((Node) node.cluster.get(ObjectKey.node(NodeHarness.NODE)).orElseThrow())
                .status()
                .volumesInUse();
    }

    /** A controller that attaches many volumes writes the node's object as often. */
    @Test
    void reportsWithinThreeSecondsAfterOtherProgramsWereFirstTenTimes() {
        node.nodeStatus(List.of(), List.of());
        node.boundClaim("data");
        node.start().settle();
        node.cluster.fail(ClusterFault.on(ClusterVerb.PATCH)
                .of(ObjectKey.node(NodeHarness.NODE))
                .times(10)
                .as(ClusterFault.Rejection.CONFLICT));

        node.pod("a", "data");
        node.world.advance(Duration.ofSeconds(3));

        Node stored = (Node) node.cluster.get(ObjectKey.node(NodeHarness.NODE)).orElseThrow();
        assertThat(stored.status().volumesInUse()).containsExactly(NodeVolumeNames.of(DATA));
    }

    @Test
    void saysWhatEachPodLacksThatHasNotAllItsVolumes() {
        node.boundClaim("data");
        node.boundClaim("more");
        node.plugin.faults().add(Fault.on("mount").of("h-more").always().as(FaultKind.TRANSIENT));
        node.pod("well", "data");
        node.pod("ill", "more");
        node.pod("lost", "nothing");
        node.start().settle();

        assertThat(node.get(node.agent().unmountedPods()).lines())
                .noneMatch(line -> line.contains("default/well"))
                .anyMatch(line -> line.startsWith("pod default/ill: unmounted volumes=[more]"))
                .anyMatch(line ->
                        line.startsWith("pod default/lost: ") && line.contains("failed to process volumes=[nothing]"));
    }

    @Test
    void isSyncedOnceTheClusterIsKnown() {
        node.cluster.holdNewWatches(true);
        node.cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        node.start();
        node.world.advance(Duration.ofSeconds(1));
        assertThat(node.get(node.agent().synced())).isFalse();

        NodeHarness other = new NodeHarness(2);
        other.start().settle();
        assertThat(other.get(other.agent().synced())).isTrue();
    }

    @Test
    void listsWhatAPodHasWhileMoreIsMissing() {
        node.boundClaim("data");
        node.pod("a", "data", "late");
        node.start().settle();

        MountedPod now = node.get(node.agent().mounted("a"));
        assertThat(now.volumes()).containsOnlyKeys("data");
        assertThat(now.container("app").mounts()).singleElement().satisfies(mount -> {
            assertThat(mount.volume()).isEqualTo("data");
            assertThat(mount.containerPath()).isEqualTo("/data");
            assertThat(mount.hostPath()).hasToString("/volumes/pods/a/volumes/mem/data");
        });
        assertThat(node.get(node.agent().mounted("unknown")).volumes()).isEmpty();
    }

    @Test
    void showsBothWorldsAsJson() {
        node.boundClaim("data");
        node.pod("a", "data", "late");
        node.start().settle();

        NodeSnapshot snapshot = node.get(node.agent().snapshotNow());
        assertThat(snapshot.toJson())
                .isEqualTo("{\"node\":\"n1\",\"synced\":true,"
                        + "\"desired\":[{\"volume\":\"mem^h-data\",\"specName\":\"pv-data\",\"readOnly\":false,"
                        + "\"pods\":{\"a\":\"default/a\"}}],"
                        + "\"actual\":[{\"volume\":\"mem^h-data\",\"specName\":\""
                        + snapshot.actual().get(0).specName()
                        + "\",\"attach\":\"ATTACHED\",\"devicePath\":\""
                        + snapshot.actual().get(0).devicePath()
                        + "\",\"device\":\"MOUNTED\",\"mounts\":[{\"podUid\":\"a\",\"pod\":\"default/a\","
                        + "\"outerName\":\"data\",\"state\":\"MOUNTED\",\"readOnly\":false,"
                        + "\"path\":\"/volumes/pods/a/volumes/mem/data\"}]}],"
                        + "\"problems\":[\"pod default/a: volume late: claim default/late does not exist\"]}");
    }

    @Test
    void plansToTheEndAndTakesNoStepInADryRun() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.dryRun(true).start().settle();

        assertThat(node.calls()).isEmpty();
        VolumePlan plan = node.get(node.agent().plan()).get(0);
        assertThat(plan.steps())
                .extracting(VolumePlan.PlannedStep::action)
                .containsExactly(
                        VolumeTransition.Action.ATTACH,
                        VolumeTransition.Action.MOUNT_DEVICE,
                        VolumeTransition.Action.MOUNT);
        assertThat(plan.text())
                .isEqualTo("volume pv-data:\n  attach volume pv-data\n  mount device of volume pv-data\n"
                        + "  mount volume pv-data for pod default/a");

        node.kill();
        node.dryRun(false).start().settle();
        assertThat(node.get(node.agent().plan())).as("as it should be").isEmpty();

        node.kill();
        node.deletePod("a");
        List<String> before = node.calls();
        node.dryRun(true).start().settle();
        assertThat(node.get(node.agent().plan()).get(0).steps())
                .extracting(VolumePlan.PlannedStep::action)
                .containsExactly(
                        VolumeTransition.Action.UNMOUNT,
                        VolumeTransition.Action.UNMOUNT_DEVICE,
                        VolumeTransition.Action.DETACH,
                        VolumeTransition.Action.FORGET);
        assertThat(node.calls()).isEqualTo(before);
    }

    @Test
    void tellsListenersEveryTransitionAndKeepsItInTheTimeline() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mountDevice").times(1).as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start().settle();
        node.deletePod("a");
        node.settle();

        assertThat(node.transitions.stream().filter(VolumeTransition::ended))
                .extracting(VolumeTransition::action)
                .containsExactly(
                        VolumeTransition.Action.ATTACH,
                        VolumeTransition.Action.MOUNT_DEVICE,
                        VolumeTransition.Action.MOUNT_DEVICE,
                        VolumeTransition.Action.MOUNT,
                        VolumeTransition.Action.UNMOUNT,
                        VolumeTransition.Action.UNMOUNT_DEVICE,
                        VolumeTransition.Action.DETACH,
                        VolumeTransition.Action.FORGET);
        List<TimelineEntry> timeline = node.get(node.agent().timeline(DATA));
        assertThat(timeline).hasSize(node.transitions.size());
        assertThat(timeline.stream().filter(entry -> entry.moment() == Moment.FAILED))
                .singleElement()
                .satisfies(entry -> assertThat(entry.text()).contains("mount device of volume pv-data: failed after"));
    }

    @Test
    void aTimelineIsBoundedByVolume() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mountDevice").always().as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start();
        node.world.advance(Duration.ofHours(10));

        assertThat(node.transitions.size()).isGreaterThan(200);
        assertThat(node.get(node.agent().timeline(DATA))).hasSize(64);
    }

    @Test
    void aListenerThatFailsHarmsNoOtherListener() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start();
        node.agent().listen(transition -> {
            throw new IllegalStateException("a listener's own trouble");
        });
        node.settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void tellsAPodOfItsFailuresLessAndLessOftenAndWithTheExplanation() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mountDevice").always().as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start();
        node.world.advance(Duration.ofHours(1));

        List<Event> told = node.events.withReason("FailedMount");
        long failures = node.transitions.stream()
                .filter(transition -> transition.failure() != null)
                .count();
        assertThat(failures).isGreaterThan(16);
        assertThat(told).hasSizeBetween(5, 6);
        assertThat(told).allSatisfy(event -> {
            assertThat(event.type()).isEqualTo(Event.Type.WARNING);
            assertThat(event.object().uid()).isEqualTo("a");
            assertThat(event.message())
                    .startsWith("mount device of volume pv-data failed")
                    .contains("next try in")
                    .hasSizeLessThanOrEqualTo(1024);
        });
        assertThat(told.get(3).message()).contains("(attempt 8)");
    }

    @Test
    void namesEventsAsTheFieldDoes() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("attach").times(1).as(FaultKind.TRANSIENT));
        node.plugin.faults().add(Fault.on("mount").times(1).as(FaultKind.TRANSIENT));
        node.plugin.faults().add(Fault.on("unmount").times(1).as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start().settle();
        node.deletePod("a");
        node.settle();

        assertThat(node.events.about(ObjectKey.pod("default", "a")))
                .extracting(Event::reason)
                .containsExactly("FailedAttachVolume", "SuccessfulAttachVolume", "FailedMount");
    }

    /** What is mounted of files is mapped of raw devices, in the field's words. */
    @Test
    void callsItMappingWhereThePodGetsARawDevice() {
        NodeHarness raw = NodeHarness.withMachine(1);
        raw.boundClaim("disk", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        raw.plugin.faults().add(Fault.on("mapDevice").times(1).as(FaultKind.TRANSIENT));
        raw.plugin.faults().add(Fault.on("mapPod").times(1).as(FaultKind.TRANSIENT));
        raw.pod("a", "disk");
        raw.start().settle();
        raw.deletePod("a");
        raw.settle();

        assertThat(raw.events.about(ObjectKey.pod("default", "a")))
                .extracting(Event::reason)
                .containsExactly("SuccessfulAttachVolume", "FailedMapVolume", "FailedMapVolume");
        assertThat(raw.metrics.timed())
                .contains(
                        duration("map_device", "success"),
                        duration("map_volume", "fail-unknown"),
                        duration("map_volume", "success"),
                        duration("unmap_volume", "success"),
                        duration("unmap_device", "success"))
                .doesNotContain(duration("volume_mount", "success"));
    }

    @Test
    void tellsPodAndClaimThatTheVolumeHasGrown() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.grow("data", Quantity.parse("2Gi"), ResizeStatus.NODE_PENDING);
        node.settle();

        assertThat(node.events.withReason("FileSystemResizeSuccessful"))
                .extracting(event -> event.object().kind())
                .containsExactlyInAnyOrder("Pod", "PersistentVolumeClaim");
    }

    @Test
    void tellsAPodThatAVolumeStaysSmallerBecauseItIsOnlyRead() {
        node.boundClaim("data");
        node.grow("data", Quantity.parse("2Gi"), ResizeStatus.NODE_PENDING);
        node.pod("a", true, Pod.SecurityContext.none(), "data");
        node.start().settle();

        assertThat(node.events.withReason("FileSystemResizeFailed"))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("2147483648 bytes"));
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void countsPodsWhoseContextDiffersFromThatOfOthers() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPluginBuilder::labels);
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c1"), "data");
        labels.start().settle();
        labels.pod("c", false, context("s0:c2"), "data");
        labels.settle();

        assertThat(labels.metrics.counter(
                        "volume_manager_selinux_volume_context_mismatch_errors_total{volume_plugin=mem}"))
                .isOne();
    }

    @Test
    void countsWhatItTookDownWithoutKnowingItsName() {
        NodeHarness machine = NodeHarness.withMachine(1);
        machine.boundClaim("data");
        machine.pod("a", "data");
        machine.start().settle();
        machine.kill();
        machine.deleteJournal();
        machine.tearUpCards();
        machine.deletePod("a");
        machine.start().settle();

        assertThat(machine.leftOnMachine()).isEmpty();
        assertThat(machine.metrics.counter("force_cleaned_failed_volume_operations_total"))
                .as("the pod's mount and the device's")
                .isEqualTo(2);
    }

    private static Pod.SecurityContext context(String level) {
        return new Pod.SecurityContext(null, "", List.of(), new Pod.SeLinuxOptions("", "", "", level));
    }

    @Test
    void tellsThePodWhenACallerWaitedForItInVain() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("attach").always().as(FaultKind.TRANSIENT));
        node.pod("a", "data", "late");
        node.start();
        node.world.advance(Duration.ofSeconds(1));
        String text = node.get(node.agent().timedOut("a"));

        assertThat(text)
                .startsWith("unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[late]; ")
                .contains("claim default/late does not exist", "last error");
        assertThat(node.events.about(ObjectKey.pod("default", "a")))
                .last()
                .satisfies(event -> assertThat(event.message()).startsWith("Unable to attach or mount volumes: "));
    }

    @Test
    void measuresOperationsUnderTheFieldsNames() {
        node.boundClaim("data");
        node.plugin.faults().add(Fault.on("mount").times(1).as(FaultKind.TRANSIENT));
        node.pod("a", "data");
        node.start().settle();
        node.deletePod("a");
        node.settle();

        assertThat(node.metrics.timed())
                .containsExactlyInAnyOrder(
                        duration("volume_attach", "success"),
                        duration("mount_device", "success"),
                        duration("volume_mount", "fail-unknown"),
                        duration("volume_mount", "success"),
                        duration("overall_volume_mount", "success"),
                        duration("volume_unmount", "success"),
                        duration("unmount_device", "success"),
                        duration("volume_detach", "success"));
        assertThat(node.metrics.counter("volume_operation_total_errors{operation_name=volume_mount,plugin_name=mem}"))
                .isOne();
        assertThat(node.metrics
                        .times(duration("overall_volume_mount", "success"))
                        .get(0))
                .as("the failed try is part of the wait")
                .isPositive();
    }

    @Test
    void countsThePairsOfPodsAndVolumesInBothWorlds() {
        node.boundClaim("data");
        node.boundClaim("more");
        node.pod("a", "data", "more");
        node.pod("b", "data");
        node.start().settle();

        assertThat(node.metrics.gauge("volume_manager_total_volumes{plugin_name=mem,state=desired_state_of_world}"))
                .isEqualTo(3);
        assertThat(node.metrics.gauge("volume_manager_total_volumes{plugin_name=mem,state=actual_state_of_world}"))
                .isEqualTo(3);

        node.deletePod("a");
        node.settle();
        assertThat(node.metrics.gauge("volume_manager_total_volumes{plugin_name=mem,state=desired_state_of_world}"))
                .isEqualTo(1);
        assertThat(node.metrics.gauge("volume_manager_total_volumes{plugin_name=mem,state=actual_state_of_world}"))
                .isEqualTo(1);
    }

    @Test
    void countsWhatARestartFound() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        assertThat(node.metrics.counter("reconstruct_volume_operations_total")).isZero();
        node.kill();
        node.start().settle();

        assertThat(node.metrics.counter("reconstruct_volume_operations_total"))
                .as("the volume and its mount")
                .isEqualTo(2);
        assertThat(node.metrics.counter("reconstruct_volume_operations_errors_total"))
                .isZero();
    }

    /** The sink may outlive the node. The call that unmounts one of the volumes hangs. */
    @Test
    void leavesNoGaugeBehindWhenItIsClosed() {
        node.boundClaim("data");
        node.boundClaim("more");
        node.pod("a", "data");
        node.pod("b", "more");
        node.start().settle();
        node.hangCall(1);
        node.deletePod("b");
        node.settle();
        assertThat(node.metrics.gauges())
                .containsEntry("volume4j_calls_stuck{volume_plugin=mem}", 1L)
                .containsEntry("volume_manager_total_volumes{plugin_name=mem,state=actual_state_of_world}", 2L);

        node.agent().end();
        node.settle();

        assertThat(node.metrics.gauges()).isEmpty();
    }

    @Test
    void tellsNothingWhileIdle() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        int transitions = node.transitions.size();
        int events = node.events.all().size();
        var counters = node.metrics.counters();
        var gauges = node.metrics.gauges();
        int timed = node.metrics.timed().stream()
                .mapToInt(series -> node.metrics.times(series).size())
                .sum();

        node.world.advance(Duration.ofDays(1));

        assertThat(node.transitions).hasSize(transitions);
        assertThat(node.events.all()).hasSize(events);
        assertThat(node.metrics.counters()).isEqualTo(counters);
        assertThat(node.metrics.gauges()).isEqualTo(gauges);
        assertThat(node.metrics.timed().stream()
                        .mapToInt(series -> node.metrics.times(series).size())
                        .sum())
                .isEqualTo(timed);
    }

    private static String duration(String operation, String status) {
        return "storage_operation_duration_seconds{migrated=false,operation_name=" + operation + ",status=" + status
                + ",volume_plugin=mem}";
    }
}
