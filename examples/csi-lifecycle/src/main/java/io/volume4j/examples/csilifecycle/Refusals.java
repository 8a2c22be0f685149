package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.ControllerCalls;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerModifyVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.ValidateVolumeCapabilitiesRequest;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.SnapshotSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.VolumeSource;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.function.BiFunction;

/**
 * Calls that the driver must refuse, for example for objects that do not exist. If the driver accepts one, the ledger has it from before
 * the call, and the run reverts it.
 */
final class Refusals {
    /** Key in the ledger for objects that must not be created. */
    private static final String NOTHING = "nothing";

    private static final String ODD_TOKEN = "csi-lifecycle-odd-token";

    private final Driver driver;
    private final Abilities can;
    private final Arguments arguments;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;

    Refusals(Driver driver, Abilities can, Arguments arguments, Ledger ledger, Undo undo) {
        this.driver = driver;
        this.can = can;
        this.arguments = arguments;
        this.requests = new Requests(arguments);
        this.ledger = ledger;
        this.undo = undo;
    }

    void validateUnknown(String id) {
        ValidateVolumeCapabilitiesRequest request = ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(id)
                .addVolumeCapabilities(requests.capability())
                .putAllSecrets(requests.secrets())
                .build();
        demandUnknown(
                "ValidateVolumeCapabilities",
                id,
                (calls, context) -> calls.validateVolumeCapabilities(request, context));
    }

    void getUnknown(String id) {
        ControllerGetVolumeRequest request =
                ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build();
        demandUnknown("ControllerGetVolume", id, (calls, context) -> calls.controllerGetVolume(request, context));
    }

    void healthOfUnknown(String id) {
        ControllerGetVolumeHealthRequest request = ControllerGetVolumeHealthRequest.newBuilder()
                .setVolumeId(id)
                .putAllSecrets(requests.secrets())
                .build();
        demandUnknown(
                "ControllerGetVolumeHealth", id, (calls, context) -> calls.controllerGetVolumeHealth(request, context));
    }

    void expandUnknown(String id, long bytes) {
        ControllerExpandVolumeRequest request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .setVolumeCapability(requests.capability())
                .putAllSecrets(requests.secrets())
                .build();
        demandUnknown("ControllerExpandVolume", id, (calls, context) -> calls.controllerExpandVolume(request, context));
    }

    void modifyUnknown(String id) {
        ControllerModifyVolumeRequest request = ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllMutableParams(arguments.setting("--mutable"))
                .putAllSecrets(requests.secrets())
                .build();
        demandUnknown("ControllerModifyVolume", id, (calls, context) -> calls.controllerModifyVolume(request, context));
    }

    void getUnknownSnapshot(String id) {
        GetSnapshotRequest request = GetSnapshotRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        demandUnknown("GetSnapshot", id, (calls, context) -> calls.getSnapshot(request, context));
    }

    private void demandUnknown(String call, String id, BiFunction<ControllerCalls, CallContext, ?> attempt) {
        demand(
                Code.NOT_FOUND,
                call + " of " + id + ", which there is not,",
                () -> driver.call(
                        id, context -> attempt.apply(driver.controller().controller(), context)));
    }

    void getUnknownGroup(String id) {
        GetVolumeGroupSnapshotRequest request = GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addSnapshotIds(id)
                .putAllSecrets(requests.secrets())
                .build();
        demand(
                Code.NOT_FOUND,
                "GetVolumeGroupSnapshot of a group that there is not",
                () -> driver.call(
                        id, context -> driver.controller().groups().getVolumeGroupSnapshot(request, context)));
    }

    void statsOfUnknown(String id, Item item) {
        NodeGetVolumeStatsRequest.Builder request = NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(item.target().resolveSibling("none").toString());
        if (can.stage()) {
            request.setStagingTargetPath(item.staging().toString());
        }
        demand(
                Code.NOT_FOUND,
                "NodeGetVolumeStats of a volume that there is not",
                () -> driver.call(id, context -> driver.node().node().nodeGetVolumeStats(request.build(), context)));
    }

    void listWithOddToken() {
        ListVolumesRequest request =
                ListVolumesRequest.newBuilder().setStartingToken(ODD_TOKEN).build();
        demand(
                Code.ABORTED,
                "ListVolumes with a token that was never given",
                () -> driver.callOnce(
                        "odd token", context -> driver.controller().controller().listVolumes(request, context)));
    }

    void listSnapshotsWithOddToken() {
        ListSnapshotsRequest request = ListSnapshotsRequest.newBuilder()
                .setStartingToken(ODD_TOKEN)
                .putAllSecrets(requests.secrets())
                .build();
        demand(
                Code.ABORTED,
                "ListSnapshots with a token that was never given",
                () -> driver.callOnce(
                        "odd token", context -> driver.controller().controller().listSnapshots(request, context)));
    }

    void listUnknownSnapshot(String id) {
        ListSnapshotsRequest request = ListSnapshotsRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        int entries = driver.call(
                        id, context -> driver.controller().controller().listSnapshots(request, context))
                .getEntriesCount();
        if (entries > 0) {
            throw new Failed(
                    "ListSnapshots of a snapshot that there is not gives " + Console.count(entries, "snapshot"),
                    "the specification wants an empty list");
        }
    }

    /** Deleting an object that does not exist must succeed. */
    void deleteUnknown(String id) {
        DeleteVolumeRequest request = DeleteVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(id, context -> driver.controller().controller().deleteVolume(request, context));
    }

    void deleteUnknownSnapshot(String id) {
        DeleteSnapshotRequest request = DeleteSnapshotRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(id, context -> driver.controller().controller().deleteSnapshot(request, context));
    }

    void deleteUnknownGroup(String id) {
        DeleteVolumeGroupSnapshotRequest request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addSnapshotIds(id)
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(id, context -> driver.controller().groups().deleteVolumeGroupSnapshot(request, context));
    }

    void createFromUnknownSnapshot(String id, CreateVolumeRequest like) {
        createFrom(
                VolumeContentSource.newBuilder()
                        .setSnapshot(SnapshotSource.newBuilder().setSnapshotId(id))
                        .build(),
                "a snapshot",
                like);
    }

    void createFromUnknownVolume(String id, CreateVolumeRequest like) {
        createFrom(
                VolumeContentSource.newBuilder()
                        .setVolume(VolumeSource.newBuilder().setVolumeId(id))
                        .build(),
                "a volume",
                like);
    }

    private void createFrom(VolumeContentSource source, String what, CreateVolumeRequest like) {
        CreateVolumeRequest request = like.toBuilder()
                .setName(like.getName() + "-of-nothing")
                .setVolumeContentSource(source)
                .build();
        String key = "volume." + NOTHING;
        ledger.begin(key + ".request", request);
        String made;
        try {
            made = driver.createVolume(request).getVolumeId();
        } catch (CsiException e) {
            if (undo.learnt(key, e)) {
                undo.delete(NOTHING);
                throw e;
            }
            forgetUnlessOpen(key, e);
            demand(Code.NOT_FOUND, e);
            return;
        }
        ledger.learn(key + ".id", made);
        undo.delete(NOTHING);
        throw new Failed(
                "CreateVolume from " + what + " that there is not makes volume " + made,
                "the specification wants " + Code.NOT_FOUND + ": the volume would be empty where data was expected");
    }

    /** @param node id of a node, known to the driver or not */
    void attach(String id, String node, String what) {
        ControllerPublishVolumeRequest request = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setNodeId(node)
                .setVolumeCapability(requests.capability())
                .setReadonly(arguments.onlyReads() && can.controller(RPC.Type.PUBLISH_READONLY))
                .putAllSecrets(requests.secrets())
                .build();
        demandNothing(
                ".attached",
                node,
                id,
                "ControllerPublishVolume of " + what,
                () -> driver.call(
                        id + " on " + node,
                        context -> driver.controller().controller().controllerPublishVolume(request, context)),
                () -> undo.detach(NOTHING));
    }

    void stageUnknown(String id, Item nothing) {
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(nothing.staging().toString())
                .setVolumeCapability(requests.capability())
                .putAllSecrets(requests.secrets())
                .build();
        try {
            Files.createDirectories(nothing.staging());
            demandNothing(
                    ".staged",
                    nothing.staging().toString(),
                    id,
                    "NodeStageVolume of a volume that there is not",
                    () -> driver.call(id, context -> driver.node().node().nodeStageVolume(request, context)),
                    () -> undo.unstage(NOTHING));
            Files.deleteIfExists(nothing.staging());
            Files.deleteIfExists(nothing.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void demandNothing(String use, String where, String id, String what, Runnable call, Runnable takesBack) {
        String key = "volume." + NOTHING;
        ledger.learn(key + ".id", id);
        ledger.begin(key + use, where);
        try {
            call.run();
        } catch (CsiException e) {
            forgetUnlessOpen(key, e);
            demand(Code.NOT_FOUND, e);
            return;
        }
        takesBack.run();
        ledger.remove(key);
        throw new Failed(what + " answers OK", "the specification wants " + Code.NOT_FOUND);
    }

    /** After an uncertain outcome the ledger keeps the entry, so that a teardown reverts what may exist. */
    private void forgetUnlessOpen(String key, CsiException failure) {
        if (failure.kind() != FailureKind.UNCERTAIN && failure.kind() != FailureKind.TRANSIENT) {
            ledger.remove(key);
        }
    }

    /** Makes a call to which the driver must answer with this code. */
    static void demand(Code code, String what, Runnable call) {
        try {
            call.run();
        } catch (CsiException e) {
            demand(code, e);
            return;
        }
        throw new Failed(what + " answers OK", "the specification wants " + code);
    }

    static void demand(Code code, CsiException e) {
        if (!e.answered(code)) {
            throw e;
        }
    }
}
