package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Stages and publishes volumes on the node, and reverts that for steps that need it. The ledger has each use before the driver
 * gets the call.
 */
final class Placement {
    private final Driver driver;
    private final Abilities can;
    private final Arguments arguments;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;
    private final @Nullable NodeGetInfoResponse node;
    private final String run;

    Placement(
            Driver driver,
            Abilities can,
            Arguments arguments,
            Ledger ledger,
            Undo undo,
            @Nullable NodeGetInfoResponse node,
            String run) {
        this.driver = driver;
        this.can = can;
        this.arguments = arguments;
        this.requests = new Requests(arguments);
        this.ledger = ledger;
        this.undo = undo;
        this.node = node;
        this.run = run;
    }

    void attach(Item item) {
        String nodeId = nodeId();
        ControllerPublishVolumeRequest request = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setNodeId(nodeId)
                .setVolumeCapability(requests.capability())
                .setReadonly(arguments.onlyReads() && can.controller(RPC.Type.PUBLISH_READONLY))
                .putAllVolumeContext(item.context())
                .putAllSecrets(requests.secrets())
                .build();
        ledger.begin("volume." + item.key() + ".attached", nodeId);
        item.attachedWith(driver.call(
                        item.id() + " on " + nodeId,
                        context -> driver.controller().controller().controllerPublishVolume(request, context))
                .getPublishContextMap());
    }

    String nodeId() {
        if (node == null) {
            throw new Failed("the driver attaches volumes and has no NodeGetInfo", "NodeGetInfo gives the node's id");
        }
        return node.getNodeId();
    }

    void stage(Item item) {
        ledger.begin("volume." + item.key() + ".staged", item.staging().toString());
        make(item.staging());
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setStagingTargetPath(item.staging().toString())
                .setVolumeCapability(requests.capability())
                .putAllVolumeContext(item.context())
                .putAllPublishContext(item.publishContext())
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(item.id(), context -> driver.node().node().nodeStageVolume(request, context));
    }

    void publish(Item item) {
        publish(item, arguments.onlyReads());
    }

    /** If the driver accepts the call, this reverts it and publishes the volume as before. */
    void publishOtherwise(Item item) {
        try {
            Refusals.demand(
                    Code.ALREADY_EXISTS,
                    "NodePublishVolume with readonly at a target that is published for writing",
                    () -> publish(item, true));
        } catch (Failed granted) {
            undo.unpublish(item.key());
            publish(item);
            throw granted;
        }
    }

    private void publish(Item item, boolean readonly) {
        ledger.begin("volume." + item.key() + ".published", item.target().toString());
        make(item.target().getParent());
        NodePublishVolumeRequest.Builder request = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setTargetPath(item.target().toString())
                .setVolumeCapability(requests.capability())
                .setReadonly(readonly)
                .putAllVolumeContext(item.context())
                .putAllPublishContext(item.publishContext())
                .putAllSecrets(requests.secrets());
        if (can.stage()) {
            request.setStagingTargetPath(item.staging().toString());
        }
        driver.call(item.id(), context -> driver.node().node().nodePublishVolume(request.build(), context));
    }

    void publishInline(Item item) {
        item.is("v4j-lifecycle-" + run + "-inline", 0, arguments.setting("--context"));
        ledger.learn("volume." + item.key() + ".id", item.id());
        ledger.begin("volume." + item.key() + ".published", item.target().toString());
        make(item.target().getParent());
        NodePublishVolumeRequest request = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setTargetPath(item.target().toString())
                .setVolumeCapability(requests.inlineCapability())
                .putAllVolumeContext(item.context())
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putAllSecrets(requests.secrets())
                .build();
        driver.call(item.id(), context -> driver.node().node().nodePublishVolume(request, context));
    }

    /** An inline volume is deleted with its mount. */
    void unpublish(Item item) {
        undo.unpublish(item.key());
        if (item.key().equals(Plan.INLINE)) {
            undo.delete(item.key());
        }
    }

    private static void make(@Nullable Path directory) {
        try {
            if (directory != null) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void lower(Item item) {
        undo.unpublish(item.key());
        undo.unstage(item.key());
        undo.detach(item.key());
    }

    void raise(Item item) {
        if (can.attach()) {
            attach(item);
        }
        if (can.stage()) {
            stage(item);
        }
        publish(item);
    }
}
