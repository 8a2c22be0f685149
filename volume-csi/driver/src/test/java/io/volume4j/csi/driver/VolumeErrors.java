package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.ErrorRow.row;
import static io.volume4j.csi.driver.Fixture.MI;
import static io.volume4j.csi.driver.Fixture.block;
import static io.volume4j.csi.driver.Fixture.mounted;
import static io.volume4j.csi.driver.VolumeErrors.delete;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The error tables of the calls that make, show, change and delete volumes. */
final class VolumeErrors {
    private VolumeErrors() {}

    private static Arguments create(String when, Code expected, Consumer<CreateVolumeRequest.Builder> change) {
        return row("CreateVolume", when, expected, f -> {
            CreateVolumeRequest.Builder request = Fixture.create(f.newName());
            change.accept(request);
            return f.client().controller().createVolume(request.build());
        });
    }

    private static Arguments createAgain(String when, Code expected, Consumer<CreateVolumeRequest.Builder> change) {
        return row("CreateVolume", when, expected, f -> {
            CreateVolumeRequest.Builder request = Fixture.create(f.newName()).putParameters("class", "gold");
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
                create("a name of 128 characters", Code.OK, r -> r.setName("n".repeat(128))),
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
                    String id = f.volume(f.newName()).getVolumeId();
                    delete(f, id);
                    return delete(f, id);
                }),
                row("DeleteVolume", "attached", Code.FAILED_PRECONDITION, f -> {
                    Volume volume = f.volume(f.newName());
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
                                        .setVolumeId(f.volume(f.newName()).getVolumeId())
                                        .build())),
                row("ValidateVolumeCapabilities", "unknown", Code.NOT_FOUND, f -> validate(f, "none", mounted())),
                row(
                        "ValidateVolumeCapabilities",
                        "known",
                        Code.OK,
                        f -> validate(f, f.volume(f.newName()).getVolumeId(), mounted())),
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
                                        .setVolumeId(f.volume(f.newName()).getVolumeId())
                                        .build())),
                row("ControllerExpandVolume", "unknown", Code.NOT_FOUND, f -> expand(f, "none", 9 * MI)),
                row(
                        "ControllerExpandVolume",
                        "smaller",
                        Code.OK,
                        f -> expand(f, f.volume(f.newName()).getVolumeId(), MI)),
                row(
                        "ControllerExpandVolume",
                        "too large",
                        Code.OUT_OF_RANGE,
                        f -> expand(f, f.volume(f.newName()).getVolumeId(), 1L << 50)),
                row(
                        "ControllerExpandVolume",
                        "to more than any multiple of the rounding",
                        Code.OUT_OF_RANGE,
                        f -> expand(f, f.volume(f.newName()).getVolumeId(), Long.MAX_VALUE)),
                row("ControllerModifyVolume", "no id", Code.INVALID_ARGUMENT, f -> modify(f, "", "iops")),
                row(
                        "ControllerModifyVolume",
                        "nothing",
                        Code.INVALID_ARGUMENT,
                        f -> f.client()
                                .controller()
                                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                                        .setVolumeId(f.volume(f.newName()).getVolumeId())
                                        .build())),
                row("ControllerModifyVolume", "unknown", Code.NOT_FOUND, f -> modify(f, "none", "iops")),
                row(
                        "ControllerModifyVolume",
                        "known",
                        Code.OK,
                        f -> modify(f, f.volume(f.newName()).getVolumeId(), "iops")));
    }

    static Object delete(Fixture f, String id) {
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
}
