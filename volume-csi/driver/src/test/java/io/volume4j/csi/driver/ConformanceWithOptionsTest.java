package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static io.volume4j.csi.driver.Fixture.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What needs a driver with other options than that of {@link ConformanceTableTest}, and success of every call that has none
 * there.
 */
@Timeout(120)
class ConformanceWithOptionsTest {
    private static final Mode ONE = Mode.SINGLE_NODE_WRITER;

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
                            return expand(f, volume, 16 * MI);
                        }),
                row(
                        "ControllerExpandVolume",
                        "to the largest size, which is no multiple of the rounding",
                        Code.OK,
                        o -> o.maximumSize(16 * MI + 1),
                        f -> expand(f, f.volume("a"), 16 * MI + 1)),
                row(
                        "ControllerModifyVolume",
                        "what cannot be changed",
                        Code.INVALID_ARGUMENT,
                        o -> o.mutableKeys(Set.of("iops")),
                        f -> modify(f, f.volume("a"), "colour")),
                row(
                        "CreateVolume",
                        "with what cannot be changed",
                        Code.INVALID_ARGUMENT,
                        o -> o.mutableKeys(Set.of("iops")),
                        f -> mutable(f, "colour")),
                row(
                        "CreateVolume",
                        "with what can be changed",
                        Code.OK,
                        o -> o.mutableKeys(Set.of("iops")),
                        f -> mutable(f, "iops")),
                row(
                        "CreateSnapshot",
                        "elsewhere than its volume",
                        Code.RESOURCE_EXHAUSTED,
                        o -> o,
                        f -> SnapshotTopologyCheck.cut(f, "pvc-1", "s", "elsewhere")),
                row("CreateSnapshot", "again, elsewhere", Code.ALREADY_EXISTS, o -> o, f -> {
                    SnapshotTopologyCheck.cut(f, "pvc-1", "s", "a");
                    return SnapshotTopologyCheck.cut(f, "pvc-1", "s", "elsewhere");
                }),
                row(
                        "CreateSnapshot",
                        "a place without the capability",
                        Code.INVALID_ARGUMENT,
                        o -> o.without("plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"),
                        f -> SnapshotTopologyCheck.cut(f, "pvc-1", "s", "a")),
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
                    expand(f, staged.volume(), 16 * MI);
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

    private static VolumeContentSource clone(Volume source) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source.getVolumeId()))
                .build();
    }

    private static Message expand(Fixture f, Volume volume, long bytes) {
        return f.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
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

    private static Message mutable(Fixture f, String key) {
        return f.volume(Fixture.create("a").putMutableParams(key, "1"));
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
