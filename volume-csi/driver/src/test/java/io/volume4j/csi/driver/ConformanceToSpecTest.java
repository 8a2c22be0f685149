package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static io.volume4j.csi.driver.Fixture.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rest of what the specification demands of a driver's answers: what needs a driver with other options than that of
 * {@link ConformanceTableTest}, success of every call, calls that are not there, and that no row of its tables is missing.
 */
@Timeout(120)
class ConformanceToSpecTest {
    private static final Mode ONE = Mode.SINGLE_NODE_WRITER;

    /** What stands in the error tables of the specification: the call, and each code that it gives a meaning for it. */
    private static final String SPECIFIED = """
            CreateVolume                INVALID_ARGUMENT NOT_FOUND ALREADY_EXISTS RESOURCE_EXHAUSTED OUT_OF_RANGE
            DeleteVolume                FAILED_PRECONDITION
            ControllerPublishVolume     NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION RESOURCE_EXHAUSTED
            ControllerUnpublishVolume   NOT_FOUND
            ValidateVolumeCapabilities  NOT_FOUND
            ListVolumes                 ABORTED
            ControllerGetVolume         NOT_FOUND
            ControllerModifyVolume      INVALID_ARGUMENT NOT_FOUND
            CreateSnapshot              ALREADY_EXISTS RESOURCE_EXHAUSTED
            DeleteSnapshot              INVALID_ARGUMENT
            ListSnapshots               ABORTED
            GetSnapshot                 NOT_FOUND
            ControllerExpandVolume      INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE
            NodeStageVolume             NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION
            NodeUnstageVolume           NOT_FOUND
            NodePublishVolume           NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION
            NodeUnpublishVolume         NOT_FOUND
            NodeGetVolumeStats          NOT_FOUND
            NodeExpandVolume            INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            CreateVolumeGroupSnapshot   NOT_FOUND ALREADY_EXISTS RESOURCE_EXHAUSTED
            DeleteVolumeGroupSnapshot   INVALID_ARGUMENT
            GetVolumeGroupSnapshot      INVALID_ARGUMENT NOT_FOUND
            GetMetadataAllocated        INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            GetMetadataDelta            INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE
            """;

    private record Row(UnaryOperator<DriverOptions.Builder> options, Function<Fixture, Object> call) {}

    private static Arguments row(
            String rpc,
            String when,
            Code expected,
            UnaryOperator<DriverOptions.Builder> options,
            Function<Fixture, Object> call) {
        return Arguments.of(rpc, when, expected, new Row(options, call));
    }

    private static Arguments row(String rpc, String when, Code expected, Function<Fixture, Object> call) {
        return row(rpc, when, expected, options -> options, call);
    }

    static Stream<Arguments> errors() {
        return Stream.of(
                row("CreateVolume", "clones, and cannot", Code.INVALID_ARGUMENT, o -> o.without("clone"), f -> {
                    Volume source = f.volume("source");
                    return f.volume(Fixture.create("copy").setVolumeContentSource(clone(source)));
                }),
                row("CreateVolume", "a copy smaller than its source", Code.OUT_OF_RANGE, f -> {
                    Volume source = f.volume("source");
                    return f.volume(Fixture.create("copy")
                            .setCapacityRange(CapacityRange.newBuilder()
                                    .setRequiredBytes(MI)
                                    .setLimitBytes(MI))
                            .setVolumeContentSource(clone(source)));
                }),
                row(
                        "CreateVolume",
                        "no secret",
                        Code.INVALID_ARGUMENT,
                        o -> o.secret("key", "canary-1"),
                        f -> f.volume("a")),
                row(
                        "CreateVolume",
                        "another secret",
                        Code.UNAUTHENTICATED,
                        o -> o.secret("key", "canary-1"),
                        f -> f.volume(Fixture.create("a").putSecrets("key", "canary-2"))),
                row(
                        "ControllerPublishVolume",
                        "the node is full",
                        Code.RESOURCE_EXHAUSTED,
                        o -> o.attachLimit(1),
                        f -> {
                            f.attached(f.volume("a"));
                            return f.attached(f.volume("b"));
                        }),
                row(
                        "ControllerExpandVolume",
                        "in use, and offline only",
                        Code.FAILED_PRECONDITION,
                        o -> o.without("expansion.ONLINE").with("expansion.OFFLINE"),
                        f -> {
                            Volume volume = f.volume("a");
                            f.attached(volume);
                            return expand(f, volume);
                        }),
                row(
                        "ControllerModifyVolume",
                        "what cannot be changed",
                        Code.INVALID_ARGUMENT,
                        o -> o.mutableKeys(Set.of("iops")),
                        f -> modify(f, f.volume("a"), "colour")),
                row("CreateSnapshot", "no more can be", Code.RESOURCE_EXHAUSTED, o -> o.snapshotLimit(1), f -> {
                    Volume volume = f.volume("a");
                    f.snapshot(volume, "one");
                    return f.snapshot(volume, "two");
                }),
                row(
                        "CreateVolumeGroupSnapshot",
                        "no more can be",
                        Code.RESOURCE_EXHAUSTED,
                        o -> o.snapshotLimit(1),
                        f -> group(f, "g", f.volume("a"), f.volume("b"))),
                row("CreateVolumeGroupSnapshot", "again of others", Code.ALREADY_EXISTS, f -> {
                    group(f, "g", f.volume("a"));
                    return group(f, "g", f.volume("b"));
                }),
                row("CreateVolumeGroupSnapshot", "again", Code.OK, f -> {
                    Volume volume = f.volume("a");
                    group(f, "g", volume);
                    return group(f, "g", volume);
                }),
                row(
                        "GetVolumeGroupSnapshot",
                        "other members",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .groups()
                                .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId(
                                                group(f, "g", f.volume("a")).getGroupSnapshotId())
                                        .addSnapshotIds("none")
                                        .build())),
                row("DeleteVolumeGroupSnapshot", "twice", Code.OK, f -> {
                    VolumeGroupSnapshot group = group(f, "g", f.volume("a"));
                    deleteGroup(f, group);
                    return deleteGroup(f, group);
                }),
                row("GetMetadataDelta", "behind the end", Code.OUT_OF_RANGE, f -> {
                    Volume volume = f.volume("a");
                    return f.client()
                            .metadata()
                            .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                    .setBaseSnapshotId(f.snapshot(volume, "one").getSnapshotId())
                                    .setTargetSnapshotId(
                                            f.snapshot(volume, "two").getSnapshotId())
                                    .setStartingOffset(1L << 40)
                                    .build())
                            .next();
                }),
                row("NodePublishVolume", "for one pod, to a second", Code.FAILED_PRECONDITION, f -> {
                    Fixture.Staged staged = f.staged("a", Mode.SINGLE_NODE_SINGLE_WRITER);
                    publish(f, staged, "one");
                    return publish(f, staged, "two");
                }),
                row(
                        "NodePublishVolume",
                        "a block volume of a mounted one",
                        Code.FAILED_PRECONDITION,
                        f -> f.client()
                                .node()
                                .nodePublishVolume(f.staged("a", ONE)
                                        .publish(f, "one")
                                        .setVolumeCapability(Fixture.block())
                                        .build())));
    }

    /** Each call that does what it is for; what has none elsewhere. */
    static Stream<Arguments> successes() {
        return Stream.of(
                row(
                        "ControllerGetVolume",
                        "known",
                        Code.OK,
                        f -> f.client()
                                .controller()
                                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                                        .setVolumeId(f.volume("a").getVolumeId())
                                        .build())),
                row(
                        "GetCapacity",
                        "all",
                        Code.OK,
                        f -> f.client().controller().getCapacity(GetCapacityRequest.getDefaultInstance())),
                row(
                        "GetSnapshot",
                        "known",
                        Code.OK,
                        f -> f.client()
                                .controller()
                                .getSnapshot(GetSnapshotRequest.newBuilder()
                                        .setSnapshotId(
                                                f.snapshot(f.volume("a"), "one").getSnapshotId())
                                        .build())),
                row("GetVolumeGroupSnapshot", "known", Code.OK, f -> {
                    VolumeGroupSnapshot group = group(f, "g", f.volume("a"));
                    return f.client()
                            .groups()
                            .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                    .setGroupSnapshotId(group.getGroupSnapshotId())
                                    .addAllSnapshotIds(ids(group))
                                    .build());
                }),
                row(
                        "GetMetadataAllocated",
                        "known",
                        Code.OK,
                        f -> f.client()
                                .metadata()
                                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                                        .setSnapshotId(
                                                f.snapshot(f.volume("a"), "one").getSnapshotId())
                                        .build())
                                .hasNext()),
                row("GetMetadataDelta", "known", Code.OK, f -> {
                    Volume volume = f.volume("a");
                    return f.client()
                            .metadata()
                            .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                    .setBaseSnapshotId(f.snapshot(volume, "one").getSnapshotId())
                                    .setTargetSnapshotId(
                                            f.snapshot(volume, "two").getSnapshotId())
                                    .build())
                            .hasNext();
                }),
                row("NodeGetVolumeStats", "published", Code.OK, f -> {
                    Fixture.Staged staged = f.staged("a", ONE);
                    NodePublishVolumeRequest published = publish(f, staged, "one");
                    return f.client()
                            .node()
                            .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                    .setVolumeId(published.getVolumeId())
                                    .setVolumePath(published.getTargetPath())
                                    .build());
                }),
                row("NodeExpandVolume", "published and grown", Code.OK, f -> {
                    Fixture.Staged staged = f.staged("a", ONE);
                    NodePublishVolumeRequest published = publish(f, staged, "one");
                    expand(f, staged.volume());
                    return f.client()
                            .node()
                            .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                    .setVolumeId(published.getVolumeId())
                                    .setVolumePath(published.getTargetPath())
                                    .setStagingTargetPath(published.getStagingTargetPath())
                                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(16 * MI))
                                    .build());
                }),
                row("DeleteVolume", "all the way back", Code.OK, f -> {
                    Fixture.Staged staged = f.staged("a", ONE);
                    NodePublishVolumeRequest published = publish(f, staged, "one");
                    String id = published.getVolumeId();
                    var unpublished = f.client()
                            .node()
                            .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                                    .setVolumeId(id)
                                    .setTargetPath(published.getTargetPath())
                                    .build());
                    var unstaged = f.client()
                            .node()
                            .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                                    .setVolumeId(id)
                                    .setStagingTargetPath(published.getStagingTargetPath())
                                    .build());
                    assertThat(unpublished.toString() + unstaged).isEmpty();
                    var detached = f.client()
                            .controller()
                            .controllerUnpublishVolume(
                                    io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest.newBuilder()
                                            .setVolumeId(id)
                                            .setNodeId("node-1")
                                            .build());
                    assertThat(detached.toString()).isEmpty();
                    return f.client()
                            .controller()
                            .deleteVolume(DeleteVolumeRequest.newBuilder()
                                    .setVolumeId(id)
                                    .build());
                }));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource({"errors", "successes"})
    void answersAsTheErrorTableSays(String rpc, String when, Code expected, Row row) {
        try (Fixture fixture = new Fixture(row.options)) {
            assertThat(code(() -> row.call.apply(fixture)))
                    .as("%s, %s", rpc, when)
                    .isEqualTo(expected);
        }
    }

    /** "Call not implemented: … any RPC … that is not supported, the plugin MUST return 12 UNIMPLEMENTED". */
    @ParameterizedTest
    @CsvSource({
        "controller.CREATE_DELETE_VOLUME, CreateVolume DeleteVolume",
        "controller.PUBLISH_UNPUBLISH_VOLUME, ControllerPublishVolume ControllerUnpublishVolume",
        "plugin.CONTROLLER_SERVICE, ValidateVolumeCapabilities ControllerGetCapabilities",
        "controller.LIST_VOLUMES, ListVolumes",
        "controller.GET_CAPACITY, GetCapacity",
        "controller.CREATE_DELETE_SNAPSHOT, CreateSnapshot DeleteSnapshot",
        "controller.LIST_SNAPSHOTS, ListSnapshots",
        "controller.GET_SNAPSHOT, GetSnapshot",
        "controller.EXPAND_VOLUME, ControllerExpandVolume",
        "controller.GET_VOLUME, ControllerGetVolume",
        "controller.MODIFY_VOLUME, ControllerModifyVolume",
        "plugin.GROUP_CONTROLLER_SERVICE, GroupControllerGetCapabilities",
        "group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,"
                + " CreateVolumeGroupSnapshot DeleteVolumeGroupSnapshot GetVolumeGroupSnapshot",
        "plugin.SNAPSHOT_METADATA_SERVICE, GetMetadataAllocated GetMetadataDelta",
        "node.STAGE_UNSTAGE_VOLUME, NodeStageVolume NodeUnstageVolume",
        "node.GET_VOLUME_STATS, NodeGetVolumeStats",
        "node.EXPAND_VOLUME, NodeExpandVolume",
    })
    void aCallThatTheDriverDoesNotHaveIsUnimplemented(String capability, String rpcs) {
        try (Fixture fixture = new Fixture(options -> options.without(capability))) {
            for (String rpc : rpcs.split(" ")) {
                assertThat(code(() -> empty(fixture, method(rpc)))).as(rpc).isEqualTo(Code.UNIMPLEMENTED);
            }
        }
    }

    /** What every driver serves answers with nothing asked for; what has required fields misses them. */
    @Test
    void everyCallOfTheSchemaIsServed() {
        try (Fixture fixture = new Fixture()) {
            for (MethodDescriptor<?, ?> method : methods()) {
                assertThat(code(() -> empty(fixture, method)))
                        .as(method.getBareMethodName())
                        .isIn(Code.OK, Code.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void eachRowOfTheSpecificationIsHeldAgainstTheDriverAndEachCallSucceedsOnce() {
        List<Arguments> rows = new ArrayList<>();
        Stream.of(
                        errors(),
                        successes(),
                        ConformanceTableTest.createVolume(),
                        ConformanceTableTest.volumes(),
                        ConformanceTableTest.attachments(),
                        ConformanceTableTest.snapshots(),
                        ConformanceTableTest.nodes())
                .forEach(part -> part.forEach(rows::add));
        Set<String> held = new TreeSet<>();
        rows.forEach(row -> held.add(row.get()[0] + " " + row.get()[2]));
        SPECIFIED.lines().map(line -> line.split("\\s+")).forEach(words -> {
            for (int i = 1; i < words.length; i++) {
                assertThat(held).contains(words[0] + " " + words[i]);
            }
        });
        // these three groups answer with nothing but what they are: every test begins with them
        Set<String> plain = Set.of(
                "GetPluginInfo",
                "GetPluginCapabilities",
                "Probe",
                "ControllerGetCapabilities",
                "GroupControllerGetCapabilities",
                "NodeGetCapabilities",
                "NodeGetInfo");
        for (MethodDescriptor<?, ?> method : methods()) {
            String name = Objects.requireNonNull(method.getBareMethodName());
            if (!plain.contains(name)) {
                assertThat(held).as(name).contains(name + " OK");
            }
        }
    }

    private static List<MethodDescriptor<?, ?>> methods() {
        List<MethodDescriptor<?, ?>> all = new ArrayList<>();
        for (ServiceDescriptor service : List.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor())) {
            all.addAll(service.getMethods());
        }
        assertThat(all).hasSize(32);
        return all;
    }

    private static MethodDescriptor<?, ?> method(String rpc) {
        return methods().stream()
                .filter(method -> rpc.equals(method.getBareMethodName()))
                .findFirst()
                .orElseThrow();
    }

    /** The call with a request that says nothing. */
    private static <Q, R> Object empty(Fixture fixture, MethodDescriptor<Q, R> method) {
        Q request = method.parseRequest(new java.io.ByteArrayInputStream(new byte[0]));
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS);
        return method.getType() == MethodDescriptor.MethodType.UNARY
                ? ClientCalls.blockingUnaryCall(fixture.client().channel(), method, options, request)
                : ClientCalls.blockingServerStreamingCall(fixture.client().channel(), method, options, request)
                        .hasNext();
    }

    private static VolumeContentSource clone(Volume source) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source.getVolumeId()))
                .build();
    }

    private static Message expand(Fixture f, Volume volume) {
        return f.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(16 * MI))
                        .build());
    }

    private static Message modify(Fixture f, Volume volume, String key) {
        return f.client()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .putMutableParams(key, "1")
                        .build());
    }

    private static VolumeGroupSnapshot group(Fixture f, String name, Volume... sources) {
        CreateVolumeGroupSnapshotRequest.Builder request =
                CreateVolumeGroupSnapshotRequest.newBuilder().setName(name);
        for (Volume source : sources) {
            request.addSourceVolumeIds(source.getVolumeId());
        }
        return f.client().groups().createVolumeGroupSnapshot(request.build()).getGroupSnapshot();
    }

    private static Message deleteGroup(Fixture f, VolumeGroupSnapshot group) {
        return f.client()
                .groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(ids(group))
                        .build());
    }

    private static List<String> ids(VolumeGroupSnapshot group) {
        return group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
    }

    private static NodePublishVolumeRequest publish(Fixture f, Fixture.Staged staged, String target) {
        NodePublishVolumeRequest request = staged.publish(f, target).build();
        var published = f.client().node().nodePublishVolume(request);
        assertThat(published.toString()).isEmpty();
        return request;
    }
}
