package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static io.volume4j.csi.driver.Fixture.MI;
import static io.volume4j.csi.driver.Fixture.block;
import static io.volume4j.csi.driver.Fixture.mounted;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The error tables of the specification, RPC by RPC, as a client that knows nothing of the driver meets them. */
@Timeout(60)
class ConformanceTableTest {
    private static final Fixture fixture =
            new Fixture(options -> options.silentNode("node-2").attachLimit(30));
    private static int names;

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private record Row(String rpc, String when, Code expected, Function<Fixture, Object> call) {}

    private static String name() {
        return "pvc-" + ++names;
    }

    private static Arguments row(String rpc, String when, Code expected, Function<Fixture, Object> call) {
        return Arguments.of(rpc, when, expected, new Row(rpc, when, expected, call));
    }

    private static Arguments create(String when, Code expected, Consumer<CreateVolumeRequest.Builder> change) {
        return row("CreateVolume", when, expected, f -> {
            CreateVolumeRequest.Builder request = Fixture.create(name());
            change.accept(request);
            return f.client().controller().createVolume(request.build());
        });
    }

    private static Arguments createAgain(String when, Code expected, Consumer<CreateVolumeRequest.Builder> change) {
        return row("CreateVolume", when, expected, f -> {
            CreateVolumeRequest.Builder request = Fixture.create(name()).putParameters("class", "gold");
            f.volume(request);
            change.accept(request);
            return f.client().controller().createVolume(request.build());
        });
    }

    static Stream<Arguments> createVolume() {
        VolumeCapability noType = mounted().toBuilder().clearMount().build();
        VolumeCapability noMode = mounted().toBuilder().clearAccessMode().build();
        CapacityRange huge =
                CapacityRange.newBuilder().setRequiredBytes(1L << 50).build();
        return Stream.of(
                create("all is well", Code.OK, r -> {}),
                create("no name", Code.INVALID_ARGUMENT, r -> r.clearName()),
                create("a name of 128 characters", Code.OK, r -> r.setName(name() + "n".repeat(120))),
                create("a name that is too long", Code.INVALID_ARGUMENT, r -> r.setName("n".repeat(129))),
                create("no capability", Code.INVALID_ARGUMENT, r -> r.clearVolumeCapabilities()),
                create("no access type", Code.INVALID_ARGUMENT, r -> r.addVolumeCapabilities(noType)),
                create("no access mode", Code.INVALID_ARGUMENT, r -> r.addVolumeCapabilities(noMode)),
                create(
                        "a negative size",
                        Code.INVALID_ARGUMENT,
                        r -> r.getCapacityRangeBuilder().setRequiredBytes(-1)),
                create(
                        "a limit below the size",
                        Code.INVALID_ARGUMENT,
                        r -> r.getCapacityRangeBuilder().setLimitBytes(MI)),
                create("larger than any volume", Code.OUT_OF_RANGE, r -> r.setCapacityRange(huge)),
                create(
                        "smaller than any volume",
                        Code.OUT_OF_RANGE,
                        r -> r.setCapacityRange(CapacityRange.newBuilder().setLimitBytes(4096))),
                create(
                        "more than is left",
                        Code.RESOURCE_EXHAUSTED,
                        r -> r.getCapacityRangeBuilder().setRequiredBytes(200L << 30)),
                create(
                        "from a place without storage",
                        Code.RESOURCE_EXHAUSTED,
                        r -> r.setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                .addRequisite(Topology.newBuilder().putSegments("topology.volume4j.io/zone", "b")))),
                create(
                        "of a snapshot that is not there",
                        Code.NOT_FOUND,
                        r -> r.setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId("none")))),
                create(
                        "of a volume that is not there",
                        Code.NOT_FOUND,
                        r -> r.setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId("none")))),
                create(
                        "of a source that is none",
                        Code.INVALID_ARGUMENT,
                        r -> r.setVolumeContentSource(VolumeContentSource.getDefaultInstance())),
                createAgain("again", Code.OK, r -> {}),
                createAgain("again with secrets", Code.OK, r -> r.putSecrets("key", "value")),
                createAgain(
                        "again, smaller",
                        Code.OK,
                        r -> r.getCapacityRangeBuilder().setRequiredBytes(MI)),
                createAgain(
                        "again, larger",
                        Code.ALREADY_EXISTS,
                        r -> r.getCapacityRangeBuilder().setRequiredBytes(9 * MI)),
                createAgain(
                        "again, limited",
                        Code.ALREADY_EXISTS,
                        r -> r.setCapacityRange(CapacityRange.newBuilder().setLimitBytes(2 * MI))),
                createAgain("again with other parameters", Code.ALREADY_EXISTS, r -> r.putParameters("class", "tin")),
                createAgain(
                        "again as a block volume",
                        Code.ALREADY_EXISTS,
                        r -> r.clearVolumeCapabilities().addVolumeCapabilities(block())),
                createAgain("again with mutable parameters", Code.ALREADY_EXISTS, r -> r.putMutableParams("a", "b")));
    }

    static Stream<Arguments> volumes() {
        return Stream.of(
                row("DeleteVolume", "no id", Code.INVALID_ARGUMENT, f -> delete(f, "")),
                row("DeleteVolume", "unknown", Code.OK, f -> delete(f, "none")),
                row("DeleteVolume", "twice", Code.OK, f -> {
                    String id = f.volume(name()).getVolumeId();
                    delete(f, id);
                    return delete(f, id);
                }),
                row("DeleteVolume", "attached", Code.FAILED_PRECONDITION, f -> {
                    Volume volume = f.volume(name());
                    f.attached(volume);
                    return delete(f, volume.getVolumeId());
                }),
                row("ValidateVolumeCapabilities", "no id", Code.INVALID_ARGUMENT, f -> validate(f, "", mounted())),
                row(
                        "ValidateVolumeCapabilities",
                        "no capability",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .controller()
                                .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                        .setVolumeId(f.volume(name()).getVolumeId())
                                        .build())),
                row("ValidateVolumeCapabilities", "unknown", Code.NOT_FOUND, f -> validate(f, "none", mounted())),
                row(
                        "ValidateVolumeCapabilities",
                        "known",
                        Code.OK,
                        f -> validate(f, f.volume(name()).getVolumeId(), mounted())),
                row("ListVolumes", "negative", Code.INVALID_ARGUMENT, f -> list(f, -1, "")),
                row("ListVolumes", "a token that is none", Code.ABORTED, f -> list(f, 1, "invalid-token")),
                row("ListVolumes", "all", Code.OK, f -> list(f, 0, "")),
                row("ControllerGetVolume", "no id", Code.INVALID_ARGUMENT, f -> get(f, "")),
                row("ControllerGetVolume", "unknown", Code.NOT_FOUND, f -> get(f, "none")),
                row("ControllerExpandVolume", "no id", Code.INVALID_ARGUMENT, f -> expand(f, "", 9 * MI)),
                row(
                        "ControllerExpandVolume",
                        "no range",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .controller()
                                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                        .setVolumeId(f.volume(name()).getVolumeId())
                                        .build())),
                row("ControllerExpandVolume", "unknown", Code.NOT_FOUND, f -> expand(f, "none", 9 * MI)),
                row(
                        "ControllerExpandVolume",
                        "smaller",
                        Code.OK,
                        f -> expand(f, f.volume(name()).getVolumeId(), MI)),
                row(
                        "ControllerExpandVolume",
                        "too large",
                        Code.OUT_OF_RANGE,
                        f -> expand(f, f.volume(name()).getVolumeId(), 1L << 50)),
                row("ControllerModifyVolume", "no id", Code.INVALID_ARGUMENT, f -> modify(f, "", "iops")),
                row(
                        "ControllerModifyVolume",
                        "nothing",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .controller()
                                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                                        .setVolumeId(f.volume(name()).getVolumeId())
                                        .build())),
                row("ControllerModifyVolume", "unknown", Code.NOT_FOUND, f -> modify(f, "none", "iops")),
                row(
                        "ControllerModifyVolume",
                        "known",
                        Code.OK,
                        f -> modify(f, f.volume(name()).getVolumeId(), "iops")));
    }

    static Stream<Arguments> attachments() {
        String rpc = "ControllerPublishVolume";
        String un = "ControllerUnpublishVolume";
        return Stream.of(
                row(rpc, "no volume", Code.INVALID_ARGUMENT, f -> attach(f, r -> r.clearVolumeId())),
                row(rpc, "no node", Code.INVALID_ARGUMENT, f -> attach(f, r -> r.clearNodeId())),
                row(rpc, "no capability", Code.INVALID_ARGUMENT, f -> attach(f, r -> r.clearVolumeCapability())),
                row(rpc, "unknown volume", Code.NOT_FOUND, f -> attach(f, r -> r.setVolumeId("none"))),
                row(rpc, "unknown node", Code.NOT_FOUND, f -> attach(f, r -> r.setNodeId("none"))),
                row(rpc, "another context", Code.INVALID_ARGUMENT, f -> attach(f, r -> r.putVolumeContext("a", "b"))),
                row(rpc, "all is well", Code.OK, f -> attach(f, r -> {})),
                row(rpc, "again", Code.OK, f -> attachTwice(f, r -> {})),
                row(rpc, "again, readonly", Code.ALREADY_EXISTS, f -> attachTwice(f, r -> r.setReadonly(true))),
                row(
                        rpc,
                        "again as a block volume",
                        Code.ALREADY_EXISTS,
                        f -> attachTwice(f, r -> r.setVolumeCapability(block()))),
                row(rpc, "to another node", Code.FAILED_PRECONDITION, f -> attachTwice(f, r -> r.setNodeId("node-2"))),
                row(un, "no volume", Code.INVALID_ARGUMENT, f -> detach(f, "", "node-1")),
                row(un, "unknown volume", Code.NOT_FOUND, f -> detach(f, "none", "node-1")),
                row(
                        un,
                        "unknown node",
                        Code.NOT_FOUND,
                        f -> detach(f, f.volume(name()).getVolumeId(), "none")),
                row(
                        un,
                        "never attached",
                        Code.OK,
                        f -> detach(f, f.volume(name()).getVolumeId(), "node-1")),
                row(un, "deleted", Code.OK, f -> {
                    String id = f.volume(name()).getVolumeId();
                    delete(f, id);
                    return detach(f, id, "node-1");
                }),
                row(un, "twice and from all nodes", Code.OK, f -> {
                    Volume volume = f.volume(name());
                    f.attached(volume);
                    detach(f, volume.getVolumeId(), "node-1");
                    detach(f, volume.getVolumeId(), "node-1");
                    f.attached(volume);
                    return detach(f, volume.getVolumeId(), "");
                }),
                row(un, "while staged", Code.FAILED_PRECONDITION, f -> {
                    Fixture.Staged staged = f.staged(name(), Mode.SINGLE_NODE_WRITER);
                    return detach(f, staged.volume().getVolumeId(), "node-1");
                }));
    }

    static Stream<Arguments> snapshots() {
        return Stream.of(
                row("CreateSnapshot", "no name", Code.INVALID_ARGUMENT, f -> cut(f, "vol-1", "")),
                row("CreateSnapshot", "no source", Code.INVALID_ARGUMENT, f -> cut(f, "", name())),
                row("CreateSnapshot", "unknown source", Code.NOT_FOUND, f -> cut(f, "none", name())),
                row("CreateSnapshot", "again", Code.OK, f -> {
                    Volume volume = f.volume(name());
                    String name = name();
                    f.snapshot(volume, name);
                    return f.snapshot(volume, name);
                }),
                row("CreateSnapshot", "again of another volume", Code.ALREADY_EXISTS, f -> {
                    String name = name();
                    f.snapshot(f.volume(name()), name);
                    return f.snapshot(f.volume(name()), name);
                }),
                row("DeleteSnapshot", "no id", Code.INVALID_ARGUMENT, f -> drop(f, "")),
                row("DeleteSnapshot", "unknown", Code.OK, f -> drop(f, "none")),
                row(
                        "DeleteSnapshot",
                        "of a group",
                        Code.INVALID_ARGUMENT,
                        f -> drop(f, group(f).getSnapshots(0).getSnapshotId())),
                row("GetSnapshot", "no id", Code.INVALID_ARGUMENT, f -> snapshot(f, "")),
                row("GetSnapshot", "unknown", Code.NOT_FOUND, f -> snapshot(f, "none")),
                row(
                        "ListSnapshots",
                        "negative",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .controller()
                                .listSnapshots(ListSnapshotsRequest.newBuilder()
                                        .setMaxEntries(-1)
                                        .build())),
                row(
                        "ListSnapshots",
                        "a token that is none",
                        Code.ABORTED,
                        f -> f.client()
                                .controller()
                                .listSnapshots(ListSnapshotsRequest.newBuilder()
                                        .setStartingToken("x")
                                        .build())),
                row(
                        "ListSnapshots",
                        "unknown id",
                        Code.OK,
                        f -> f.client()
                                .controller()
                                .listSnapshots(ListSnapshotsRequest.newBuilder()
                                        .setSnapshotId("none")
                                        .build())),
                row(
                        "CreateVolumeGroupSnapshot",
                        "no name",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                                        .addSourceVolumeIds("vol-1")
                                        .build())),
                row(
                        "CreateVolumeGroupSnapshot",
                        "no source",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                                        .setName(name())
                                        .build())),
                row(
                        "CreateVolumeGroupSnapshot",
                        "unknown source",
                        Code.NOT_FOUND,
                        f -> f.client()
                                .groups()
                                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                                        .setName(name())
                                        .addSourceVolumeIds("none")
                                        .build())),
                row(
                        "GetVolumeGroupSnapshot",
                        "unknown",
                        Code.NOT_FOUND,
                        f -> f.client()
                                .groups()
                                .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId("none")
                                        .build())),
                row(
                        "GetVolumeGroupSnapshot",
                        "no members",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId(group(f).getGroupSnapshotId())
                                        .build())),
                row(
                        "DeleteVolumeGroupSnapshot",
                        "no id",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.getDefaultInstance())),
                row(
                        "DeleteVolumeGroupSnapshot",
                        "unknown",
                        Code.OK,
                        f -> f.client()
                                .groups()
                                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId("none")
                                        .build())),
                row(
                        "DeleteVolumeGroupSnapshot",
                        "other members",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId(group(f).getGroupSnapshotId())
                                        .addSnapshotIds("none")
                                        .build())),
                row("GetMetadataAllocated", "no id", Code.INVALID_ARGUMENT, f -> allocated(f, "", 0)),
                row("GetMetadataAllocated", "unknown", Code.NOT_FOUND, f -> allocated(f, "none", 0)),
                row(
                        "GetMetadataAllocated",
                        "behind the end",
                        Code.OUT_OF_RANGE,
                        f -> allocated(f, f.snapshot(f.volume(name()), name()).getSnapshotId(), 1L << 40)),
                row("GetMetadataDelta", "no base", Code.INVALID_ARGUMENT, f -> delta(f, "", "snap-1")),
                row("GetMetadataDelta", "unknown", Code.NOT_FOUND, f -> delta(f, "none", "none")),
                row(
                        "GetMetadataDelta",
                        "of two volumes",
                        Code.INVALID_ARGUMENT,
                        f -> delta(
                                f,
                                f.snapshot(f.volume(name()), name()).getSnapshotId(),
                                f.snapshot(f.volume(name()), name()).getSnapshotId())));
    }

    static Stream<Arguments> nodes() {
        Mode one = Mode.SINGLE_NODE_WRITER;
        return Stream.of(
                row("NodeStageVolume", "no volume", Code.INVALID_ARGUMENT, f -> stage(f, r -> r.clearVolumeId())),
                row(
                        "NodeStageVolume",
                        "no path",
                        Code.INVALID_ARGUMENT,
                        f -> stage(f, r -> r.clearStagingTargetPath())),
                row(
                        "NodeStageVolume",
                        "no capability",
                        Code.INVALID_ARGUMENT,
                        f -> stage(f, r -> r.clearVolumeCapability())),
                row("NodeStageVolume", "unknown", Code.NOT_FOUND, f -> stage(f, r -> r.setVolumeId("none"))),
                row(
                        "NodeStageVolume",
                        "no directory",
                        Code.FAILED_PRECONDITION,
                        f -> stage(f, r -> r.setStagingTargetPath(f.place().target("nowhere/at/all")))),
                row(
                        "NodeStageVolume",
                        "a block volume of a mounted one",
                        Code.FAILED_PRECONDITION,
                        f -> stage(f, r -> r.setVolumeCapability(block()))),
                row(
                        "NodeStageVolume",
                        "another publish context",
                        Code.INVALID_ARGUMENT,
                        f -> stage(f, r -> r.putPublishContext("a", "b"))),
                row(
                        "NodeStageVolume",
                        "not attached",
                        Code.FAILED_PRECONDITION,
                        f -> f.client()
                                .node()
                                .nodeStageVolume(
                                        f.stage(f.volume(name()), Map.of(), one).build())),
                row("NodeStageVolume", "again", Code.OK, f -> stageTwice(f, r -> {})),
                row(
                        "NodeStageVolume",
                        "again with another mode",
                        Code.ALREADY_EXISTS,
                        f -> stageTwice(f, r -> r.setVolumeCapability(mounted(Mode.SINGLE_NODE_READER_ONLY)))),
                row(
                        "NodeStageVolume",
                        "again elsewhere",
                        Code.FAILED_PRECONDITION,
                        f -> stageTwice(f, r -> r.setStagingTargetPath(f.place().staging("elsewhere")))),
                row("NodeUnstageVolume", "no volume", Code.INVALID_ARGUMENT, f -> unstage(f, "", "/s")),
                row("NodeUnstageVolume", "no path", Code.INVALID_ARGUMENT, f -> unstage(f, "vol-1", "")),
                row("NodeUnstageVolume", "unknown", Code.NOT_FOUND, f -> unstage(f, "none", "/s")),
                row(
                        "NodeUnstageVolume",
                        "not staged",
                        Code.OK,
                        f -> unstage(f, f.volume(name()).getVolumeId(), "/s")),
                row("NodeUnstageVolume", "while published", Code.FAILED_PRECONDITION, f -> {
                    Fixture.Staged staged = f.staged(name(), one);
                    f.client()
                            .node()
                            .nodePublishVolume(staged.publish(f, name()).build());
                    String id = staged.volume().getVolumeId();
                    return unstage(f, id, f.place().staging(id));
                }),
                row("NodePublishVolume", "no volume", Code.INVALID_ARGUMENT, f -> publish(f, r -> r.clearVolumeId())),
                row("NodePublishVolume", "no target", Code.INVALID_ARGUMENT, f -> publish(f, r -> r.clearTargetPath())),
                row(
                        "NodePublishVolume",
                        "no capability",
                        Code.INVALID_ARGUMENT,
                        f -> publish(f, r -> r.clearVolumeCapability())),
                row(
                        "NodePublishVolume",
                        "no staging path",
                        Code.FAILED_PRECONDITION,
                        f -> publish(f, r -> r.clearStagingTargetPath())),
                row("NodePublishVolume", "unknown", Code.NOT_FOUND, f -> publish(f, r -> r.setVolumeId("none"))),
                row(
                        "NodePublishVolume",
                        "a target with a dot",
                        Code.INVALID_ARGUMENT,
                        f -> publish(f, r -> r.setTargetPath(f.place().target("../x")))),
                row(
                        "NodePublishVolume",
                        "no parent",
                        Code.FAILED_PRECONDITION,
                        f -> publish(f, r -> r.setTargetPath(f.place().target("nowhere/at/all")))),
                row("NodePublishVolume", "not staged", Code.FAILED_PRECONDITION, f -> {
                    Volume volume = f.volume(name());
                    return f.client()
                            .node()
                            .nodePublishVolume(f.publish(volume, f.attached(volume), one, name())
                                    .build());
                }),
                row("NodePublishVolume", "again", Code.OK, f -> publishTwice(f, r -> {})),
                row(
                        "NodePublishVolume",
                        "again, readonly",
                        Code.ALREADY_EXISTS,
                        f -> publishTwice(f, r -> r.setReadonly(true))),
                row("NodeUnpublishVolume", "no volume", Code.INVALID_ARGUMENT, f -> unpublish(f, "", "/t")),
                row("NodeUnpublishVolume", "no target", Code.INVALID_ARGUMENT, f -> unpublish(f, "vol-1", "")),
                row("NodeUnpublishVolume", "unknown", Code.NOT_FOUND, f -> unpublish(f, "none", "/t")),
                row(
                        "NodeUnpublishVolume",
                        "not published",
                        Code.OK,
                        f -> unpublish(f, f.volume(name()).getVolumeId(), "/t")),
                row("NodeGetVolumeStats", "no volume", Code.INVALID_ARGUMENT, f -> stats(f, "", "/t")),
                row("NodeGetVolumeStats", "no path", Code.INVALID_ARGUMENT, f -> stats(f, "vol-1", "")),
                row("NodeGetVolumeStats", "unknown", Code.NOT_FOUND, f -> stats(f, "none", "/t")),
                row(
                        "NodeGetVolumeStats",
                        "not there",
                        Code.NOT_FOUND,
                        f -> stats(f, f.volume(name()).getVolumeId(), "/t")),
                row("NodeExpandVolume", "no volume", Code.INVALID_ARGUMENT, f -> grow(f, "", "/t", MI)),
                row("NodeExpandVolume", "no path", Code.INVALID_ARGUMENT, f -> grow(f, "vol-1", "", MI)),
                row("NodeExpandVolume", "unknown", Code.NOT_FOUND, f -> grow(f, "none", "/t", MI)),
                row(
                        "NodeExpandVolume",
                        "not there",
                        Code.NOT_FOUND,
                        f -> grow(f, f.volume(name()).getVolumeId(), "/t", MI)),
                row("NodeExpandVolume", "larger than the volume", Code.OUT_OF_RANGE, f -> {
                    Fixture.Staged staged = f.staged(name(), one);
                    String id = staged.volume().getVolumeId();
                    return grow(f, id, f.place().staging(id), 1L << 40);
                }));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource({"createVolume", "volumes", "attachments", "snapshots", "nodes"})
    void answersAsTheErrorTableSays(String rpc, String when, Code expected, Row row) {
        assertThat(code(() -> row.call.apply(fixture))).as("%s, %s", rpc, when).isEqualTo(expected);
        freeTheNode();
    }

    /** Attachments of one row must not fill the node for the next. */
    private static void freeTheNode() {
        for (String node : new String[] {"node-1", "node-2"}) {
            fixture.driver().reboot(node);
        }
        for (String attachment : fixture.driver().inventory().attachments()) {
            String[] words = attachment.split(" on ");
            detach(fixture, words[0], words[1]);
        }
    }

    private static Object delete(Fixture f, String id) {
        return f.client()
                .controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    private static Object validate(Fixture f, String id, VolumeCapability capability) {
        return f.client()
                .controller()
                .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId(id)
                        .addVolumeCapabilities(capability)
                        .build());
    }

    private static Object list(Fixture f, int most, String token) {
        return f.client()
                .controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(most)
                        .setStartingToken(token)
                        .build());
    }

    private static Object get(Fixture f, String id) {
        return f.client()
                .controller()
                .controllerGetVolume(
                        ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    private static Object expand(Fixture f, String id, long bytes) {
        return f.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .build());
    }

    private static Object modify(Fixture f, String id, String key) {
        return f.client()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putMutableParams(key, "1")
                        .build());
    }

    private static Object attach(Fixture f, Consumer<ControllerPublishVolumeRequest.Builder> change) {
        ControllerPublishVolumeRequest.Builder request = f.attach(f.volume(name()), "node-1", Mode.SINGLE_NODE_WRITER);
        change.accept(request);
        return f.client().controller().controllerPublishVolume(request.build());
    }

    private static Object attachTwice(Fixture f, Consumer<ControllerPublishVolumeRequest.Builder> change) {
        ControllerPublishVolumeRequest.Builder request = f.attach(f.volume(name()), "node-1", Mode.SINGLE_NODE_WRITER);
        f.client().controller().controllerPublishVolume(request.build());
        change.accept(request);
        return f.client().controller().controllerPublishVolume(request.build());
    }

    private static Object detach(Fixture f, String id, String node) {
        return f.client()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .build());
    }

    private static Object cut(Fixture f, String source, String name) {
        return f.client()
                .controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setSourceVolumeId(source)
                        .setName(name)
                        .build());
    }

    private static Object drop(Fixture f, String id) {
        return f.client()
                .controller()
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    private static Object snapshot(Fixture f, String id) {
        return f.client()
                .controller()
                .getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    private static VolumeGroupSnapshot group(Fixture f) {
        return f.client()
                .groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName(name())
                        .addSourceVolumeIds(f.volume(name()).getVolumeId())
                        .build())
                .getGroupSnapshot();
    }

    private static Object allocated(Fixture f, String id, long offset) {
        return f.client()
                .metadata()
                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId(id)
                        .setStartingOffset(offset)
                        .build())
                .next();
    }

    private static Object delta(Fixture f, String base, String target) {
        return f.client()
                .metadata()
                .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId(base)
                        .setTargetSnapshotId(target)
                        .build())
                .next();
    }

    private static Object stage(Fixture f, Consumer<NodeStageVolumeRequest.Builder> change) {
        Volume volume = f.volume(name());
        NodeStageVolumeRequest.Builder request = f.stage(volume, f.attached(volume), Mode.SINGLE_NODE_WRITER);
        change.accept(request);
        return f.client().node().nodeStageVolume(request.build());
    }

    private static Object stageTwice(Fixture f, Consumer<NodeStageVolumeRequest.Builder> change) {
        Volume volume = f.volume(name());
        NodeStageVolumeRequest.Builder request = f.stage(volume, f.attached(volume), Mode.SINGLE_NODE_WRITER);
        f.client().node().nodeStageVolume(request.build());
        change.accept(request);
        return f.client().node().nodeStageVolume(request.build());
    }

    private static Object unstage(Fixture f, String id, String path) {
        return f.client()
                .node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(path)
                        .build());
    }

    private static Object publish(Fixture f, Consumer<NodePublishVolumeRequest.Builder> change) {
        NodePublishVolumeRequest.Builder request =
                f.staged(name(), Mode.SINGLE_NODE_WRITER).publish(f, name());
        change.accept(request);
        return f.client().node().nodePublishVolume(request.build());
    }

    private static Object publishTwice(Fixture f, Consumer<NodePublishVolumeRequest.Builder> change) {
        NodePublishVolumeRequest.Builder request =
                f.staged(name(), Mode.SINGLE_NODE_WRITER).publish(f, name());
        f.client().node().nodePublishVolume(request.build());
        change.accept(request);
        return f.client().node().nodePublishVolume(request.build());
    }

    private static Object unpublish(Fixture f, String id, String target) {
        return f.client()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target)
                        .build());
    }

    private static Object stats(Fixture f, String id, String path) {
        return f.client()
                .node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(path)
                        .build());
    }

    private static Object grow(Fixture f, String id, String path, long bytes) {
        return f.client()
                .node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(path)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .build());
    }
}
