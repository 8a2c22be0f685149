package io.volume4j.csi.driver.server;

import io.grpc.ServerServiceDefinition;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.AttachCalls;
import io.volume4j.csi.driver.backend.ChangeCalls;
import io.volume4j.csi.driver.backend.GroupCalls;
import io.volume4j.csi.driver.backend.HealthCalls;
import io.volume4j.csi.driver.backend.ListingCalls;
import io.volume4j.csi.driver.backend.MetadataCalls;
import io.volume4j.csi.driver.backend.NodeCalls;
import io.volume4j.csi.driver.backend.NodeWatch;
import io.volume4j.csi.driver.backend.Refused;
import io.volume4j.csi.driver.backend.SnapshotCalls;
import io.volume4j.csi.driver.backend.VolumeCalls;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** All services: connects each gRPC method with its implementation. */
public final class Services {
    private final DriverCore core;
    private final Introductions introductions;

    public Services(DriverCore core) {
        this.core = core;
        this.introductions = new Introductions(core);
    }

    /** Serves all services of one node on a socket. */
    public Endpoint open(String node, Path socket) throws IOException {
        Dispatcher dispatcher = new Dispatcher(core, node);
        Endpoint endpoint = new Endpoint(
                socket,
                List.of(
                        identity(dispatcher),
                        controller(dispatcher),
                        groups(dispatcher),
                        metadata(dispatcher),
                        node(dispatcher, node)));
        dispatcher.serves(endpoint);
        return endpoint;
    }

    private ServerServiceDefinition identity(Dispatcher to) {
        var info = IdentityGrpc.getGetPluginInfoMethod();
        var capabilities = IdentityGrpc.getGetPluginCapabilitiesMethod();
        var probe = IdentityGrpc.getProbeMethod();
        return ServerServiceDefinition.builder(IdentityGrpc.getServiceDescriptor())
                .addMethod(info, to.unary(info, request -> introductions.info()))
                .addMethod(capabilities, to.unary(capabilities, request -> introductions.plugin()))
                .addMethod(probe, to.unary(probe, request -> introductions.probe()))
                .build();
    }

    private ServerServiceDefinition controller(Dispatcher to) {
        VolumeCalls volumes = new VolumeCalls(core.backend);
        AttachCalls attach = new AttachCalls(core.backend);
        ListingCalls listing = new ListingCalls(core.backend);
        HealthCalls health = new HealthCalls(core.backend, listing);
        ChangeCalls change = new ChangeCalls(core.backend);
        SnapshotCalls snapshots = new SnapshotCalls(core.backend, listing);
        var create = ControllerGrpc.getCreateVolumeMethod();
        var delete = ControllerGrpc.getDeleteVolumeMethod();
        var publish = ControllerGrpc.getControllerPublishVolumeMethod();
        var unpublish = ControllerGrpc.getControllerUnpublishVolumeMethod();
        var validate = ControllerGrpc.getValidateVolumeCapabilitiesMethod();
        var list = ControllerGrpc.getListVolumesMethod();
        var capacity = ControllerGrpc.getGetCapacityMethod();
        var capabilities = ControllerGrpc.getControllerGetCapabilitiesMethod();
        var createSnapshot = ControllerGrpc.getCreateSnapshotMethod();
        var deleteSnapshot = ControllerGrpc.getDeleteSnapshotMethod();
        var listSnapshots = ControllerGrpc.getListSnapshotsMethod();
        var getSnapshot = ControllerGrpc.getGetSnapshotMethod();
        var expand = ControllerGrpc.getControllerExpandVolumeMethod();
        var get = ControllerGrpc.getControllerGetVolumeMethod();
        var listHealth = ControllerGrpc.getControllerListVolumeHealthMethod();
        var getHealth = ControllerGrpc.getControllerGetVolumeHealthMethod();
        var modify = ControllerGrpc.getControllerModifyVolumeMethod();
        return ServerServiceDefinition.builder(ControllerGrpc.getServiceDescriptor())
                .addMethod(create, to.unary(create, volumes::create))
                .addMethod(delete, to.unary(delete, volumes::delete))
                .addMethod(publish, to.unary(publish, attach::publish))
                .addMethod(unpublish, to.unary(unpublish, attach::unpublish))
                .addMethod(validate, to.unary(validate, volumes::validate))
                .addMethod(list, to.unary(list, listing::list))
                .addMethod(capacity, to.unary(capacity, volumes::capacity))
                .addMethod(capabilities, to.unary(capabilities, request -> introductions.controller()))
                .addMethod(createSnapshot, to.unary(createSnapshot, snapshots::create))
                .addMethod(deleteSnapshot, to.unary(deleteSnapshot, snapshots::delete))
                .addMethod(listSnapshots, to.unary(listSnapshots, snapshots::list))
                .addMethod(getSnapshot, to.unary(getSnapshot, snapshots::get))
                .addMethod(expand, to.unary(expand, change::expand))
                .addMethod(get, to.unary(get, listing::get))
                .addMethod(listHealth, to.unary(listHealth, health::list))
                .addMethod(getHealth, to.unary(getHealth, health::get))
                .addMethod(modify, to.unary(modify, change::modify))
                .build();
    }

    private ServerServiceDefinition groups(Dispatcher to) {
        GroupCalls groups =
                new GroupCalls(core.backend, new SnapshotCalls(core.backend, new ListingCalls(core.backend)));
        var capabilities = GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod();
        var create = GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod();
        var delete = GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod();
        var get = GroupControllerGrpc.getGetVolumeGroupSnapshotMethod();
        return ServerServiceDefinition.builder(GroupControllerGrpc.getServiceDescriptor())
                .addMethod(capabilities, to.unary(capabilities, request -> introductions.group()))
                .addMethod(create, to.unary(create, groups::create))
                .addMethod(delete, to.unary(delete, groups::delete))
                .addMethod(get, to.unary(get, groups::get))
                .build();
    }

    private ServerServiceDefinition metadata(Dispatcher to) {
        MetadataCalls metadata =
                new MetadataCalls(core.backend, new SnapshotCalls(core.backend, new ListingCalls(core.backend)));
        var allocated = SnapshotMetadataGrpc.getGetMetadataAllocatedMethod();
        var delta = SnapshotMetadataGrpc.getGetMetadataDeltaMethod();
        return ServerServiceDefinition.builder(SnapshotMetadataGrpc.getServiceDescriptor())
                .addMethod(allocated, to.stream(allocated, (request, end) -> parts(metadata.allocated(request), end)))
                .addMethod(delta, to.stream(delta, (request, end) -> parts(metadata.delta(request), end)))
                .build();
    }

    private static <R> List<R> parts(MetadataCalls.Stream<R> stream, Consumer<Refused> end) {
        if (stream.breaksOff()) {
            end.accept(new Refused(Code.UNAVAILABLE, "the stream breaks off here"));
        }
        return stream.parts();
    }

    private ServerServiceDefinition node(Dispatcher to, String node) {
        NodeCalls calls = new NodeCalls(core.backend, node);
        NodeWatch watch = new NodeWatch(calls);
        HealthCalls health = new HealthCalls(core.backend, new ListingCalls(core.backend));
        var volumeHealth = NodeGrpc.getNodeGetVolumeHealthMethod();
        var storageHealth = NodeGrpc.getNodeGetStorageHealthMethod();
        var stage = NodeGrpc.getNodeStageVolumeMethod();
        var unstage = NodeGrpc.getNodeUnstageVolumeMethod();
        var publish = NodeGrpc.getNodePublishVolumeMethod();
        var unpublish = NodeGrpc.getNodeUnpublishVolumeMethod();
        var stats = NodeGrpc.getNodeGetVolumeStatsMethod();
        var expand = NodeGrpc.getNodeExpandVolumeMethod();
        var capabilities = NodeGrpc.getNodeGetCapabilitiesMethod();
        var info = NodeGrpc.getNodeGetInfoMethod();
        return ServerServiceDefinition.builder(NodeGrpc.getServiceDescriptor())
                .addMethod(stage, to.unary(stage, calls::stage))
                .addMethod(unstage, to.unary(unstage, calls::unstage))
                .addMethod(publish, to.unary(publish, calls::publish))
                .addMethod(unpublish, to.unary(unpublish, calls::unpublish))
                .addMethod(stats, to.unary(stats, watch::stats))
                .addMethod(expand, to.unary(expand, watch::expand))
                .addMethod(capabilities, to.unary(capabilities, request -> introductions.node()))
                .addMethod(info, to.unary(info, request -> watch.info()))
                .addMethod(volumeHealth, to.unary(volumeHealth, request -> health.onNode(node, request)))
                .addMethod(storageHealth, to.unary(storageHealth, request -> health.storage(node)))
                .build();
    }
}
