package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.AttachmentErrors.detach;
import static io.volume4j.csi.driver.ErrorRow.row;
import static io.volume4j.csi.driver.Fixture.block;
import static io.volume4j.csi.driver.VolumeErrors.delete;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The error tables of attaching and detaching. */
final class AttachmentErrors {
    private AttachmentErrors() {}

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
                        f -> detach(f, f.volume(f.newName()).getVolumeId(), "none")),
                row(
                        un,
                        "never attached",
                        Code.OK,
                        f -> detach(f, f.volume(f.newName()).getVolumeId(), "node-1")),
                row(un, "deleted", Code.OK, f -> {
                    String id = f.volume(f.newName()).getVolumeId();
                    delete(f, id);
                    return detach(f, id, "node-1");
                }),
                row(un, "twice and from all nodes", Code.OK, f -> {
                    Volume volume = f.volume(f.newName());
                    f.attached(volume);
                    detach(f, volume.getVolumeId(), "node-1");
                    detach(f, volume.getVolumeId(), "node-1");
                    f.attached(volume);
                    return detach(f, volume.getVolumeId(), "");
                }),
                row(un, "while staged", Code.FAILED_PRECONDITION, f -> {
                    Fixture.Staged staged = f.staged(f.newName(), Mode.SINGLE_NODE_WRITER);
                    return detach(f, staged.volume().getVolumeId(), "node-1");
                }));
    }

    private static Object attach(Fixture f, Consumer<ControllerPublishVolumeRequest.Builder> change) {
        ControllerPublishVolumeRequest.Builder request =
                f.attach(f.volume(f.newName()), "node-1", Mode.SINGLE_NODE_WRITER);
        change.accept(request);
        return f.client().controller().controllerPublishVolume(request.build());
    }

    private static Object attachTwice(Fixture f, Consumer<ControllerPublishVolumeRequest.Builder> change) {
        ControllerPublishVolumeRequest.Builder request =
                f.attach(f.volume(f.newName()), "node-1", Mode.SINGLE_NODE_WRITER);
        f.client().controller().controllerPublishVolume(request.build());
        change.accept(request);
        return f.client().controller().controllerPublishVolume(request.build());
    }

    static Object detach(Fixture f, String id, String node) {
        return f.client()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .build());
    }
}
