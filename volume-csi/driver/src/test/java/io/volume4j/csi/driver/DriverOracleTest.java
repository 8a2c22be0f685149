package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static io.volume4j.csi.driver.Fixture.mounted;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.driver.oracle.Violation;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the driver notes of its caller. */
@Timeout(60)
class DriverOracleTest {
    private static final Mode ONE = Mode.SINGLE_NODE_WRITER;

    @AutoClose
    private final Place elsewhere = new Place();

    @AutoClose
    private Fixture fixture = new Fixture();

    private void with(UnaryOperator<DriverOptions.Builder> change) {
        fixture.close();
        fixture = new Fixture(change);
    }

    private List<Rule> noted() {
        return fixture.driver().oracle().violations().stream()
                .map(Violation::rule)
                .toList();
    }

    @Test
    void aCorrectCallerIsNotBlamed() {
        Fixture.Staged staged = fixture.staged("pvc-1", ONE);
        publish(staged.publish(fixture, "a"));
        publish(staged.publish(fixture, "a"));
        unpublish(staged.volume(), "a");
        unstage(staged.volume());
        detach(staged.volume());
        delete(staged.volume());

        assertThat(noted()).isEmpty();
        assertThat(fixture.driver().inventory().leaks()).isEmpty();
    }

    @Test
    void theWayBackMustBeGoneInOrder() {
        Fixture.Staged staged = fixture.staged("pvc-1", ONE);
        publish(staged.publish(fixture, "a"));

        assertThat(code(() -> delete(staged.volume()))).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(code(() -> detach(staged.volume()))).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(code(() -> unstage(staged.volume()))).isEqualTo(Code.FAILED_PRECONDITION);

        assertThat(noted()).containsExactly(Rule.DELETED_IN_USE, Rule.DETACHED_IN_USE, Rule.UNSTAGED_IN_USE);
    }

    @Test
    void theWayUpMustBeGoneInOrder() {
        Volume volume = fixture.volume("pvc-1");

        assertThat(code(() -> stage(fixture.stage(volume, Map.of(), ONE)))).isEqualTo(Code.FAILED_PRECONDITION);
        Map<String, String> context = fixture.attached(volume);
        assertThat(code(() -> publish(fixture.publish(volume, context, ONE, "a"))))
                .isEqualTo(Code.FAILED_PRECONDITION);
        stage(fixture.stage(volume, context, ONE));
        NodePublishVolumeRequest.Builder elsewhere = fixture.publish(volume, context, ONE, "a")
                .setStagingTargetPath(fixture.place().staging("elsewhere"));
        assertThat(code(() -> publish(elsewhere))).isEqualTo(Code.FAILED_PRECONDITION);

        assertThat(noted()).containsExactly(Rule.NOT_ATTACHED, Rule.NOT_STAGED, Rule.NOT_STAGED);
    }

    @Test
    void contextsMustComeBackAsTheyWereGiven() {
        Volume volume = fixture.volume("pvc-1");
        Map<String, String> context = fixture.attached(volume);

        assertThat(code(() -> stage(fixture.stage(volume, Map.of("attachment", "other"), ONE))))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> stage(fixture.stage(volume, context, ONE).putVolumeContext("more", "x"))))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(noted()).containsExactly(Rule.PUBLISH_CONTEXT, Rule.VOLUME_CONTEXT);

        NodeStageVolumeRequest.Builder withPodInfo =
                fixture.stage(volume, context, ONE).putVolumeContext("csi.storage.k8s.io/pod.name", "p");
        assertThat(code(() -> stage(withPodInfo)))
                .as("what node agents add is no change")
                .isEqualTo(Code.OK);
    }

    /** external-provisioner writes its name into the PersistentVolume, and the other sidecars and the kubelet send all of that. */
    @Test
    void whatAProvisionerAddsToTheContextIsNoChange() {
        Volume volume = fixture.volume("pvc-1");
        String key = "storage.kubernetes.io/csiProvisionerIdentity";

        assertThat(code(() -> fixture.client()
                        .controller()
                        .controllerPublishVolume(fixture.attach(volume, "node-1", ONE)
                                .putVolumeContext(key, "1550153767135-8081-csi-driver")
                                .build())))
                .isEqualTo(Code.OK);
        assertThat(fixture.client()
                        .controller()
                        .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .putAllVolumeContext(volume.getVolumeContextMap())
                                .putVolumeContext(key, "1550153767135-8081-csi-driver")
                                .addVolumeCapabilities(mounted(ONE))
                                .build())
                        .hasConfirmed())
                .isTrue();
        assertThat(noted()).isEmpty();
    }

    @Test
    void anInlineVolumeThatIsThereIsPublishedAgainWithoutAWordOfThat() {
        NodePublishVolumeRequest.Builder inline = NodePublishVolumeRequest.newBuilder()
                .setVolumeId("inline-1")
                .setTargetPath(fixture.place().target("inline"))
                .setVolumeCapability(mounted(ONE));
        assertThat(code(() -> publish(inline.clone().putVolumeContext("csi.storage.k8s.io/ephemeral", "true"))))
                .isEqualTo(Code.OK);

        assertThat(code(() -> publish(inline))).isEqualTo(Code.OK);
        assertThat(noted()).isEmpty();
    }

    @Test
    void aVolumeContextThatIsLeftOutIsNotedAndNotRefused() {
        Volume volume = fixture.volume("pvc-1");
        Map<String, String> context = fixture.attached(volume);

        assertThat(code(() -> stage(fixture.stage(volume, context, ONE).clearVolumeContext())))
                .as("the field is optional")
                .isEqualTo(Code.OK);
        assertThat(noted()).containsExactly(Rule.VOLUME_CONTEXT);
    }

    @Test
    void pathsMustBePreparedByTheCaller() throws IOException {
        Fixture.Staged staged = fixture.staged("pvc-1", ONE);
        Path full = Files.createDirectories(Path.of(fixture.place().target("full")));
        Files.writeString(full.resolve("file"), "foreign");

        assertThat(code(() -> publish(staged.publish(fixture, "no/parent")))).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(code(() -> publish(staged.publish(fixture, "full")))).isEqualTo(Code.FAILED_PRECONDITION);

        assertThat(noted()).containsExactly(Rule.PATH_MISSING, Rule.TARGET_TAKEN);
        assertThat(full.resolve("file")).hasContent("foreign");
    }

    @Test
    void targetsAreMadeAndRemovedByTheDriver() {
        Fixture.Staged staged = fixture.staged("pvc-1", ONE);
        Path target = Path.of(fixture.place().target("a"));

        publish(staged.publish(fixture, "a"));
        assertThat(target).exists();
        unpublish(staged.volume(), "a");
        assertThat(target).doesNotExist();
    }

    /** The driver shows a volume before it stores that it did. */
    @Test
    void aTargetOfACallThatAKillCutOffIsRemovedToo() throws IOException {
        Path state = fixture.place().path().resolve("state/state.json");
        Fixture.Staged staged = fixture.staged("pvc-1", ONE);
        byte[] before = Files.readAllBytes(state);
        publish(staged.publish(fixture, "a"));
        fixture.driver().crash();
        Files.write(state, before);
        fixture.driver().revive();
        fixture.reconnect();

        unpublish(staged.volume(), "a");

        assertThat(Path.of(fixture.place().target("a"))).doesNotExist();
        unstage(staged.volume());
        detach(staged.volume());
        delete(staged.volume());
        assertThat(fixture.driver().inventory().leaks()).isEmpty();
    }

    /** The table of second publications of the specification's NodePublishVolume. */
    @ParameterizedTest
    @CsvSource({
        "MULTI_NODE_MULTI_WRITER,   OK, ALREADY_EXISTS, OK",
        "MULTI_NODE_SINGLE_WRITER,  OK, ALREADY_EXISTS, OK",
        "MULTI_NODE_READER_ONLY,    OK, ALREADY_EXISTS, OK",
        "SINGLE_NODE_WRITER,        OK, ALREADY_EXISTS, FAILED_PRECONDITION",
        "SINGLE_NODE_READER_ONLY,   OK, ALREADY_EXISTS, FAILED_PRECONDITION",
        "SINGLE_NODE_SINGLE_WRITER, OK, ALREADY_EXISTS, FAILED_PRECONDITION",
        "SINGLE_NODE_MULTI_WRITER,  OK, ALREADY_EXISTS, OK"
    })
    void aSecondPublicationIsAnsweredByTheAccessMode(Mode mode, Code same, Code otherArguments, Code otherTarget) {
        Fixture.Staged staged = fixture.staged("pvc-1", mode);
        publish(staged.publish(fixture, "a"));
        Mode other = mode == ONE ? Mode.SINGLE_NODE_SINGLE_WRITER : ONE;

        assertThat(code(() -> publish(staged.publish(fixture, "a")))).isEqualTo(same);
        assertThat(code(() -> publish(staged.publish(fixture, "a").putSecrets("key", "value"))))
                .as("secrets are no argument")
                .isEqualTo(same);
        assertThat(code(() -> publish(staged.publish(fixture, "a").setVolumeCapability(mounted(other)))))
                .isEqualTo(otherArguments);
        assertThat(code(() -> publish(staged.publish(fixture, "b")))).isEqualTo(otherTarget);
    }

    @Test
    void twoNodesThatMayBothWriteAreSplitBrain() {
        with(options -> options.otherNode("node-2", elsewhere.socket()).without("attach"));
        Volume volume = fixture.volume("pvc-1");
        stage(fixture.stage(volume, Map.of(), ONE));
        publish(fixture.publish(volume, Map.of(), ONE, "a"));
        try (DriverClient second = new DriverClient(elsewhere.socket())) {
            NodeStageVolumeRequest there = fixture.stage(volume, Map.of(), ONE)
                    .setStagingTargetPath(fixture.place().staging("second"))
                    .build();
            second.node().nodeStageVolume(there);
            NodePublishVolumeRequest request = fixture.publish(volume, Map.of(), ONE, "b")
                    .setStagingTargetPath(there.getStagingTargetPath())
                    .build();
            assertThat(code(() -> second.node().nodePublishVolume(request))).isEqualTo(Code.FAILED_PRECONDITION);
        }
        assertThat(noted()).containsExactly(Rule.SPLIT_BRAIN);
    }

    /** Each capability obliges the driver to serve the call. The driver of CSI 1.13 here breaks the rule that it has both. */
    @Test
    void aCallThatOneOfTwoCapabilitiesRequiresIsServedWithEither() {
        with(options -> options.without("controller.GET_VOLUME_HEALTH"));
        Volume volume = fixture.volume("pvc-1");
        assertThat(code(() -> fixture.client()
                        .controller()
                        .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .build())))
                .isEqualTo(Code.OK);
        assertThat(noted()).isEmpty();

        with(options -> options.of112().without("stats"));
        assertThat(code(() -> stats(fixture.staged("pvc-1", ONE).volume()))).isEqualTo(Code.OK);
        assertThat(noted()).isEmpty();
    }

    /** Such a volume may be used as files or as a device. */
    @Test
    void aVolumeOfAnOperatorThatIsMountedHasTheFiguresOfAFilesystem() {
        with(options -> options.presetVolume("by-hand", Fixture.MI));
        Volume volume = Volume.newBuilder().setVolumeId("by-hand").build();
        stage(fixture.stage(volume, fixture.attached(volume), ONE));

        assertThat(stats(volume).getUsageList())
                .extracting(VolumeUsage::getUnit)
                .containsExactly(VolumeUsage.Unit.BYTES, VolumeUsage.Unit.INODES);
    }

    private NodeGetVolumeStatsResponse stats(Volume volume) {
        return fixture.client()
                .node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setVolumePath(fixture.place().staging(volume.getVolumeId()))
                        .build());
    }

    @Test
    void aNodeReachesTheVolumesOfEachPlaceThatItIsIn() {
        with(options -> options.pools(List.of(Pool.parse("zone=a:1Gi"))).place("node-1", "zone=a,rack=7"));
        Topology here = Topology.newBuilder()
                .putSegments("zone", "a")
                .putSegments("rack", "7")
                .build();

        Volume volume = fixture.volume(Fixture.create("pvc-1")
                .setAccessibilityRequirements(
                        TopologyRequirement.newBuilder().addRequisite(here).addPreferred(here)));

        assertThat(volume.getAccessibleTopology(0).getSegmentsMap()).containsExactly(Map.entry("zone", "a"));
        stage(fixture.stage(volume, fixture.attached(volume), ONE));
        assertThat(fixture.client()
                        .controller()
                        .getCapacity(GetCapacityRequest.newBuilder()
                                .setAccessibleTopology(here)
                                .build())
                        .getAvailableCapacity())
                .isPositive();
        assertThat(noted()).isEmpty();
    }

    @Test
    void aNodeThatMayBeInAnotherRackDoesNotReachTheVolumesOfARack() {
        with(options -> options.pools(List.of(Pool.parse("zone=a,rack=8:1Gi"))).place("node-1", "zone=a"));
        Volume volume = fixture.volume("pvc-1");

        assertThat(code(() -> fixture.attached(volume))).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(noted()).containsExactly(Rule.TOPOLOGY);
    }

    @Test
    void aVolumeStaysWhereItIsAccessibleFrom() {
        with(options -> options.place("node-1", "topology.volume4j.io/zone=b"));
        Volume volume = fixture.volume("pvc-1");

        assertThat(volume.getAccessibleTopology(0).getSegmentsMap()).containsValue("a");
        assertThat(code(() -> fixture.attached(volume))).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(noted()).containsExactly(Rule.TOPOLOGY);
    }

    @Test
    void secretsMustBeThereAndRight() throws IOException {
        with(options -> options.secret("token", "hunter2-canary"));

        assertThat(code(() -> fixture.volume("pvc-1"))).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> fixture.volume(Fixture.create("pvc-1").putSecrets("token", "wrong"))))
                .isEqualTo(Code.UNAUTHENTICATED);
        assertThat(code(() -> fixture.volume(Fixture.create("pvc-1").putSecrets("token", "hunter2-canary"))))
                .isEqualTo(Code.OK);

        assertThat(noted()).containsExactly(Rule.SECRETS, Rule.SECRETS);
        assertThat(fixture.driver().oracle().violations().toString()).doesNotContain("hunter2", "wrong");
        assertThat(fixture.driver().calls().records().toString()).doesNotContain("hunter2");
        Path log = Files.writeString(fixture.place().path().resolve("log"), "all is well\nsent hunter2-canary\n");
        assertThat(fixture.driver().oracle().linesWithSecrets(log)).containsExactly(2);
        assertThat(Files.readString(fixture.place().path().resolve("state/state.json")))
                .contains("pvc-1")
                .doesNotContain("hunter2");
    }

    @Test
    void whatTheDriverCannotDoMustNotBeAsked() {
        with(options -> options.without("attach").without("clone"));
        Volume volume = fixture.volume("pvc-1");

        assertThat(code(() -> fixture.attached(volume))).isEqualTo(Code.UNIMPLEMENTED);
        assertThat(noted()).containsExactly(Rule.WITHOUT_CAPABILITY);
    }

    @Test
    void readonlyNeedsItsCapability() {
        with(options -> options.without("controller.PUBLISH_READONLY"));
        Volume volume = fixture.volume("pvc-1");

        assertThat(code(() -> fixture.client()
                        .controller()
                        .controllerPublishVolume(fixture.attach(volume, "node-1", ONE)
                                .setReadonly(true)
                                .build())))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(noted()).containsExactly(Rule.READONLY);
    }

    @Test
    void anOfflineDriverMustBeTakenOfflineForGrowth() {
        with(options -> options.without("expansion.ONLINE").with("expansion.OFFLINE"));
        Volume volume = fixture.volume("pvc-1");
        fixture.attached(volume);
        ControllerExpandVolumeRequest request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(16 * Fixture.MI))
                .build();

        assertThat(code(() -> fixture.client().controller().controllerExpandVolume(request)))
                .isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(noted()).containsExactly(Rule.EXPANDED_IN_USE);
        detach(volume);
        assertThat(fixture.client().controller().controllerExpandVolume(request).getCapacityBytes())
                .isEqualTo(16 * Fixture.MI);
    }

    @Test
    void leaksAreWhatTheCallerDoesNotKnow() {
        Volume known = fixture.volume("known");
        Volume lost = fixture.volume("lost");
        fixture.attached(lost);
        fixture.snapshot(lost, "cut");

        assertThat(fixture.driver().inventory().leaks(List.of(known.getVolumeId())))
                .containsExactly("volume " + lost.getVolumeId(), "snapshot snap-4", "attachment of vol-2 on node-1");
    }

    private Object stage(NodeStageVolumeRequest.Builder request) {
        return fixture.client().node().nodeStageVolume(request.build());
    }

    private Object publish(NodePublishVolumeRequest.Builder request) {
        return fixture.client().node().nodePublishVolume(request.build());
    }

    private Object unpublish(Volume volume, String target) {
        return fixture.client()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setTargetPath(fixture.place().target(target))
                        .build());
    }

    private Object unstage(Volume volume) {
        return fixture.client()
                .node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(fixture.place().staging(volume.getVolumeId()))
                        .build());
    }

    private Object detach(Volume volume) {
        return fixture.client()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId("node-1")
                        .build());
    }

    private Object delete(Volume volume) {
        return fixture.client()
                .controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
    }
}
