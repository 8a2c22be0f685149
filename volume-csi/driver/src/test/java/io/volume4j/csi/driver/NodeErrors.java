package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.ErrorRow.row;
import static io.volume4j.csi.driver.Fixture.MI;
import static io.volume4j.csi.driver.Fixture.block;
import static io.volume4j.csi.driver.Fixture.mounted;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The error tables of a node's calls. */
final class NodeErrors {
    private NodeErrors() {}

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
                                .nodeStageVolume(f.stage(f.volume(f.newName()), Map.of(), one)
                                        .build())),
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
                        f -> unstage(f, f.volume(f.newName()).getVolumeId(), "/s")),
                row("NodeUnstageVolume", "while published", Code.FAILED_PRECONDITION, f -> {
                    Fixture.Staged staged = f.staged(f.newName(), one);
                    f.client()
                            .node()
                            .nodePublishVolume(staged.publish(f, f.newName()).build());
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
                    Volume volume = f.volume(f.newName());
                    return f.client()
                            .node()
                            .nodePublishVolume(f.publish(volume, f.attached(volume), one, f.newName())
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
                        f -> unpublish(f, f.volume(f.newName()).getVolumeId(), "/t")),
                row("NodeGetVolumeStats", "no volume", Code.INVALID_ARGUMENT, f -> stats(f, "", "/t")),
                row("NodeGetVolumeStats", "no path", Code.INVALID_ARGUMENT, f -> stats(f, "vol-1", "")),
                row("NodeGetVolumeStats", "unknown", Code.NOT_FOUND, f -> stats(f, "none", "/t")),
                row(
                        "NodeGetVolumeStats",
                        "not there",
                        Code.NOT_FOUND,
                        f -> stats(f, f.volume(f.newName()).getVolumeId(), "/t")),
                row("NodeExpandVolume", "no volume", Code.INVALID_ARGUMENT, f -> grow(f, "", "/t", MI)),
                row("NodeExpandVolume", "no path", Code.INVALID_ARGUMENT, f -> grow(f, "vol-1", "", MI)),
                row("NodeExpandVolume", "unknown", Code.NOT_FOUND, f -> grow(f, "none", "/t", MI)),
                row(
                        "NodeExpandVolume",
                        "not there",
                        Code.NOT_FOUND,
                        f -> grow(f, f.volume(f.newName()).getVolumeId(), "/t", MI)),
                row("NodeExpandVolume", "larger than the volume", Code.OUT_OF_RANGE, f -> {
                    Fixture.Staged staged = f.staged(f.newName(), one);
                    String id = staged.volume().getVolumeId();
                    return grow(f, id, f.place().staging(id), 1L << 40);
                }));
    }

    private static Object stage(Fixture f, Consumer<NodeStageVolumeRequest.Builder> change) {
        Volume volume = f.volume(f.newName());
        NodeStageVolumeRequest.Builder request = f.stage(volume, f.attached(volume), Mode.SINGLE_NODE_WRITER);
        change.accept(request);
        return f.client().node().nodeStageVolume(request.build());
    }

    private static Object stageTwice(Fixture f, Consumer<NodeStageVolumeRequest.Builder> change) {
        Volume volume = f.volume(f.newName());
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
                f.staged(f.newName(), Mode.SINGLE_NODE_WRITER).publish(f, f.newName());
        change.accept(request);
        return f.client().node().nodePublishVolume(request.build());
    }

    private static Object publishTwice(Fixture f, Consumer<NodePublishVolumeRequest.Builder> change) {
        NodePublishVolumeRequest.Builder request =
                f.staged(f.newName(), Mode.SINGLE_NODE_WRITER).publish(f, f.newName());
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
