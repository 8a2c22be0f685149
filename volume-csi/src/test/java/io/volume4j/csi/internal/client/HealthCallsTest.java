package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import io.volume4j.csi.internal.proto.VolumeHealthErrorType;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class HealthCallsTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final ScriptedDriver driver = Capabilities.all(closing.later(new ScriptedDriver(directory.socket())));
    private final CsiClient client = closing.later(new CsiClient(
            new SocketConnection(new CsiEndpoint(directory.socket()), channels),
            Deadlines.defaults(),
            (rpc, request) -> failure -> {}));
    private final TestContext context = TestContext.patient();
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());

    @Test
    void aListIsReadToItsEndThroughShortAndEmptyPagesAndWithBounds() {
        driver.on(ControllerGrpc.getControllerListVolumeHealthMethod(), request -> {
                    assertThat(request.getMaxEntries()).isPositive();
                    assertThat(request.getSecretsMap()).containsEntry("k", "v");
                    tokens.add(request.getStartingToken());
                    return switch (request.getStartingToken()) {
                        case "" -> page("t1", "vol-1");
                        case "t1" -> page("t2");
                        default -> page("", "vol-2", "vol-1");
                    };
                })
                .start();
        assertThat(list().complete()).isTrue();
        assertThat(list().entries()).extracting(VolumeHealth::getVolumeId).containsExactly("vol-1", "vol-2");
        assertThat(tokens.subList(0, 3)).containsExactly("", "t1", "t2");
    }

    @Test
    void aStaleTokenBeginsTheListAgain() {
        driver.on(ControllerGrpc.getControllerListVolumeHealthMethod(), request -> {
                    tokens.add(request.getStartingToken());
                    if (request.getStartingToken().isEmpty()) {
                        return page("t1", "vol-1");
                    }
                    if (tokens.size() == 2) {
                        throw Status.ABORTED.asRuntimeException();
                    }
                    return page("", "vol-2");
                })
                .start();
        assertThat(list().complete()).isTrue();
        assertThat(tokens).containsExactly("", "t1", "", "t1");
    }

    @Test
    void tokensThatAreAlwaysStaleAreGivenUp() {
        driver.on(ControllerGrpc.getControllerListVolumeHealthMethod(), request -> {
                    if (request.getStartingToken().isEmpty()) {
                        return page("t1", "vol-1");
                    }
                    throw Status.ABORTED.asRuntimeException();
                })
                .start();
        assertThat(catchThrowableOfType(CsiException.class, this::list).advice())
                .isEqualTo(Advice.RESTART_LISTING);
        assertThat(driver.calls("ControllerListVolumeHealth")).isEqualTo(2L * (1 + Pager.MAX_RESTARTS));
    }

    @Test
    void aTokenThatRepeatsEndsAListThatIsNotWhole() {
        driver.on(ControllerGrpc.getControllerListVolumeHealthMethod(), request -> page("same", "vol-1"))
                .start();
        assertThat(list().complete()).isFalse();
    }

    @Test
    void aStatusOfANewerDriverArrivesBesideTheOldOne() {
        driver.on(
                        ControllerGrpc.getControllerGetVolumeHealthMethod(),
                        request -> ControllerGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(VolumeHealth.newBuilder()
                                        .setVolumeId("vol-1")
                                        .addHealthStatuses(VolumeHealthEntry.newBuilder()
                                                .setStatus(VolumeHealthErrorType.DEGRADED)
                                                .setReason("Slow"))
                                        .addHealthStatuses(VolumeHealthEntry.newBuilder()
                                                .setStatusValue(99)
                                                .setReason("New")))
                                .build())
                .start();
        assertThat(client.controller()
                        .controllerGetVolumeHealth(Requests.controllerHealth(), context)
                        .getVolumeHealth()
                        .getHealthStatusesList())
                .extracting(VolumeHealthEntry::getStatusValue)
                .containsExactly(1, 99);
    }

    @Test
    void anAnswerWithoutHealthIsNotTakenForHealthy() {
        driver.answeringEverything().start();
        assertThat(catchThrowableOfType(
                                CsiException.class,
                                () -> client.node().nodeGetVolumeHealth(Requests.nodeHealth(), context))
                        .advice())
                .isEqualTo(Advice.REPORT_DRIVER);
    }

    private Listing<VolumeHealth> list() {
        return client.controller()
                .listAllVolumeHealth(
                        ControllerListVolumeHealthRequest.newBuilder()
                                .putSecrets("k", "v")
                                .build(),
                        context);
    }

    private static ControllerListVolumeHealthResponse page(String next, String... volumes) {
        ControllerListVolumeHealthResponse.Builder page =
                ControllerListVolumeHealthResponse.newBuilder().setNextToken(next);
        for (String volume : volumes) {
            page.addEntries(VolumeHealth.newBuilder().setVolumeId(volume));
        }
        return page.build();
    }

    /** Sends one of the calls of health. */
    static void call(CsiClient client, Rpc rpc, CallContext context) {
        switch (rpc) {
            case CONTROLLER_LIST_VOLUME_HEALTH ->
                client.controller()
                        .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance(), context);
            case CONTROLLER_GET_VOLUME_HEALTH ->
                client.controller().controllerGetVolumeHealth(Requests.controllerHealth(), context);
            case NODE_GET_VOLUME_HEALTH -> client.node().nodeGetVolumeHealth(Requests.nodeHealth(), context);
            case NODE_GET_STORAGE_HEALTH ->
                client.node().nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance(), context);
            default -> throw new IllegalArgumentException(rpc.label());
        }
    }
}
