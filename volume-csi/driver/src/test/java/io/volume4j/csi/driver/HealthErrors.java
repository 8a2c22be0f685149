package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.ErrorRow.row;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The error tables of the calls for health. */
final class HealthErrors {
    private HealthErrors() {}

    static Stream<Arguments> health() {
        return Stream.of(
                row("ControllerListVolumeHealth", "negative", Code.INVALID_ARGUMENT, f -> list(f, -1, "")),
                row("ControllerListVolumeHealth", "a token that is none", Code.ABORTED, f -> list(f, 1, "none")),
                row("ControllerListVolumeHealth", "all", Code.OK, f -> list(f, 0, "")),
                row("ControllerGetVolumeHealth", "no id", Code.INVALID_ARGUMENT, f -> get(f, "")),
                row("ControllerGetVolumeHealth", "unknown", Code.NOT_FOUND, f -> get(f, "none")),
                row(
                        "ControllerGetVolumeHealth",
                        "there",
                        Code.OK,
                        f -> get(f, f.volume(f.newName()).getVolumeId())),
                row("NodeGetVolumeHealth", "no id", Code.INVALID_ARGUMENT, f -> onNode(f, "")),
                row("NodeGetVolumeHealth", "unknown", Code.NOT_FOUND, f -> onNode(f, "none")),
                row(
                        "NodeGetVolumeHealth",
                        "neither staged nor published",
                        Code.OK,
                        f -> onNode(f, f.volume(f.newName()).getVolumeId())),
                row(
                        "NodeGetStorageHealth",
                        "plain",
                        Code.OK,
                        f -> f.client().node().nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())));
    }

    private static Object list(Fixture f, int most, String token) {
        return f.client()
                .controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                        .setMaxEntries(most)
                        .setStartingToken(token)
                        .build());
    }

    private static Object get(Fixture f, String volume) {
        return f.client()
                .controller()
                .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume)
                        .build());
    }

    private static Object onNode(Fixture f, String volume) {
        return f.client()
                .node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume)
                        .build());
    }
}
