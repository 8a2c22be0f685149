package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.ErrorRow.row;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The error tables of snapshots, of groups of them, and of what is in them. */
final class SnapshotErrors {
    private SnapshotErrors() {}

    static Stream<Arguments> snapshots() {
        return Stream.of(
                row("CreateSnapshot", "no name", Code.INVALID_ARGUMENT, f -> cut(f, "vol-1", "")),
                row("CreateSnapshot", "no source", Code.INVALID_ARGUMENT, f -> cut(f, "", f.newName())),
                row("CreateSnapshot", "unknown source", Code.NOT_FOUND, f -> cut(f, "none", f.newName())),
                row("CreateSnapshot", "again", Code.OK, f -> {
                    Volume volume = f.volume(f.newName());
                    String name = f.newName();
                    f.snapshot(volume, name);
                    return f.snapshot(volume, name);
                }),
                row("CreateSnapshot", "again of another volume", Code.ALREADY_EXISTS, f -> {
                    String name = f.newName();
                    f.snapshot(f.volume(f.newName()), name);
                    return f.snapshot(f.volume(f.newName()), name);
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
                                        .setName(f.newName())
                                        .build())),
                row(
                        "CreateVolumeGroupSnapshot",
                        "unknown source",
                        Code.NOT_FOUND,
                        f -> f.client()
                                .groups()
                                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                                        .setName(f.newName())
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
                        f -> allocated(
                                f,
                                f.snapshot(f.volume(f.newName()), f.newName()).getSnapshotId(),
                                1L << 40)),
                row("GetMetadataDelta", "no base", Code.INVALID_ARGUMENT, f -> delta(f, "", "snap-1")),
                row("GetMetadataDelta", "unknown", Code.NOT_FOUND, f -> delta(f, "none", "none")),
                row(
                        "GetMetadataDelta",
                        "of two volumes",
                        Code.INVALID_ARGUMENT,
                        f -> delta(
                                f,
                                f.snapshot(f.volume(f.newName()), f.newName()).getSnapshotId(),
                                f.snapshot(f.volume(f.newName()), f.newName()).getSnapshotId())));
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
                        .setName(f.newName())
                        .addSourceVolumeIds(f.volume(f.newName()).getVolumeId())
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
}
