package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(180)
class CsiClientTest {
    private static final String SECRET = "hunter2-canary";

    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    private final List<String> observed = Collections.synchronizedList(new ArrayList<>());
    private final CsiClient client = closing.later(new CsiClient(
            new SocketConnection(new CsiEndpoint(directory.socket()), channels),
            Deadlines.defaults().with(Rpc.NODE_GET_INFO, Duration.ofSeconds(3)),
            (rpc, request) -> {
                observed.add(rpc.label() + " " + request.get());
                return failure -> observed.add(rpc.label() + (failure == null ? " ok" : " " + failure.kind()));
            }));

    private final TestContext context = TestContext.patient();

    @ParameterizedTest
    @EnumSource(Rpc.class)
    void everyMethodSendsItsOwnCall(Rpc rpc) {
        Capabilities.all(driver).answeringEverything().start();
        client.capabilities(context);
        int before = driver.calls().size();
        observed.clear();
        try {
            call(rpc);
        } catch (CsiException e) {
            assertThat(e.rpc()).as("%s", e).isEqualTo(rpc);
            assertThat(e.advice()).as("an empty answer is no answer").isEqualTo(Advice.REPORT_DRIVER);
        }
        assertThat(driver.calls().subList(before, driver.calls().size())).containsExactly(rpc.label());
        assertThat(observed).hasSize(2).allMatch(line -> line.startsWith(rpc.label() + " "));
    }

    @Test
    void returnsWhatTheDriverAnswers() {
        driver.on(
                        IdentityGrpc.getProbeMethod(),
                        request -> ProbeResponse.newBuilder()
                                .setReady(com.google.protobuf.BoolValue.of(false))
                                .build())
                .start();
        assertThat(client.identity()
                        .probe(ProbeRequest.getDefaultInstance(), context)
                        .getReady()
                        .getValue())
                .isFalse();
    }

    @Test
    void sendsNothingThatADriverNeedNotUnderstand() {
        Capabilities.all(driver).start();
        CsiException failure = failure(() -> client.controller()
                .createVolume(Requests.createVolume().toBuilder().clearName().build(), context));
        assertThat(failure)
                .returns(CallPhase.NEVER_SENT, CsiException::phase)
                .returns(FailureKind.FINAL, CsiException::kind)
                .hasMessage("CreateVolume on unix://%s: not sent: name is required", directory.socket());
        assertThat(driver.calls("CreateVolume")).isZero();
    }

    @Test
    void sendsNothingThatTheDriverCannotDo() {
        Capabilities.named(driver, "d.example.com", "1");
        Capabilities.services(driver, PluginCapability.Service.Type.CONTROLLER_SERVICE);
        Capabilities.controller(driver, ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
        driver.start();
        CsiException failure =
                failure(() -> client.controller().controllerModifyVolume(Requests.controllerModify(), context));
        assertThat(failure)
                .returns(CallPhase.NEVER_SENT, CsiException::phase)
                .returns(FailureKind.FINAL, CsiException::kind)
                .returns(Advice.REFRESH_CAPABILITIES, CsiException::advice)
                .hasMessageContaining("ControllerModifyVolume needs MODIFY_VOLUME");
        assertThat(driver.calls("ControllerModifyVolume")).isZero();
    }

    @Test
    void aNodeMayBeServedWhereTheControllerIsNot() {
        Capabilities.named(driver, "d.example.com", "1");
        Capabilities.services(driver, PluginCapability.Service.Type.CONTROLLER_SERVICE);
        Capabilities.node(driver);
        driver.on(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        request -> io.volume4j.csi.internal.proto.NodePublishVolumeResponse.getDefaultInstance())
                .start();
        client.node()
                .nodePublishVolume(
                        Requests.publish().toBuilder()
                                .putPublishContext("k", "v")
                                .build(),
                        context);
        assertThat(client.capabilities(context).controller()).isEmpty();
        assertThat(driver.calls("NodePublishVolume")).isEqualTo(1);
    }

    /** A pod must be able to leave a driver that can hardly answer any more. */
    @Test
    void unpublishesWithoutAskingForCapabilities() {
        driver.on(
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        request -> io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse.getDefaultInstance())
                .start();
        client.node().nodeUnpublishVolume(Requests.unpublish(), context);
        assertThat(driver.calls()).containsExactly("NodeUnpublishVolume");
    }

    @Test
    void asksForCapabilitiesOnceForEachConnection() {
        Capabilities.all(driver).answeringEverything().start();
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("GetPluginInfo")).isEqualTo(1);
        assertThat(driver.calls("ControllerGetCapabilities")).isEqualTo(1);

        driver.kill();
        driver.start();
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("GetPluginInfo")).as("a new process").isEqualTo(2);
        assertThat(driver.calls("ControllerGetCapabilities"))
                .as("of the same version, perhaps with other options")
                .isEqualTo(2);

        driver.kill();
        Capabilities.named(driver, "all.example.com", "1.1").start();
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("ControllerGetCapabilities"))
                .as("of a new version")
                .isEqualTo(3);
        assertThat(client.capabilities(context).vendorVersion()).isEqualTo("1.1");
    }

    /** What one driver calls a volume may be anything to another. */
    @Test
    void sendsNothingToAnotherDriverThatTookTheSocketOver() {
        Capabilities.all(driver).answeringEverything().start();
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        driver.kill();
        Capabilities.named(driver, "another.example.com", "1.0").start();

        for (int i = 0; i < 2; i++) {
            assertThat(failure(() -> client.controller().deleteVolume(Requests.deleteVolume(), context)))
                    .hasMessageContaining("another.example.com answers where all.example.com did")
                    .returns(FailureKind.TRANSIENT, CsiException::kind);
        }
        assertThat(driver.calls("DeleteVolume")).isEqualTo(1);

        driver.kill();
        Capabilities.named(driver, "all.example.com", "1.0").start();
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("DeleteVolume")).isEqualTo(2);
    }

    @Test
    void asksAgainWhenACallIsUnimplementedAfterAll() {
        Capabilities.all(driver).answeringEverything();
        driver.failing(ControllerGrpc.getControllerModifyVolumeMethod(), Status.UNIMPLEMENTED)
                .start();
        CsiException failure =
                failure(() -> client.controller().controllerModifyVolume(Requests.controllerModify(), context));
        assertThat(failure).returns(FailureKind.FINAL, CsiException::kind);
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("ControllerGetCapabilities")).isEqualTo(2);
    }

    @Test
    void aMissingDriverIsTransient() {
        CsiException failure = failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), context));
        assertThat(failure)
                .returns(CallPhase.NEVER_SENT, CsiException::phase)
                .returns(FailureKind.TRANSIENT, CsiException::kind)
                .returns(Advice.REACH_DRIVER, CsiException::advice)
                .hasMessage(
                        "NodeUnpublishVolume of vol-1 on unix://%s: not sent: no driver listens at %s",
                        directory.socket(), directory.socket());
    }

    @Test
    void aDeadSocketSaysWhyItCannotBeReached() {
        directory.deadSocket();
        CsiException failure = failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), context));
        assertThat(failure)
                .returns(CallPhase.NEVER_SENT, CsiException::phase)
                .returns(FailureKind.TRANSIENT, CsiException::kind)
                .hasMessageContaining("Connection refused");
    }

    @Test
    void aDriverThatIsTooSlowLeavesDoubtOnlyWhereSomethingMayHaveHappened() {
        driver.onStream(NodeGrpc.getNodeGetInfoMethod(), (request, out) -> {})
                .onStream(NodeGrpc.getNodeUnpublishVolumeMethod(), (request, out) -> {})
                .answeringEverything()
                .start();
        client.identity().probe(ProbeRequest.getDefaultInstance(), context); // connecting is not timed here
        assertThat(overdue(() -> client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context)))
                .as("deadline of the call")
                .returns(CallPhase.SENT_WITHOUT_ANSWER, CsiException::phase)
                .returns(FailureKind.TRANSIENT, CsiException::kind);
        CallContext hurried = TestContext.within(Duration.ofSeconds(3));
        assertThat(overdue(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), hurried)))
                .as("deadline of the context")
                .returns(CallPhase.SENT_WITHOUT_ANSWER, CsiException::phase)
                .returns(FailureKind.UNCERTAIN, CsiException::kind);
    }

    @Test
    void aCallWithoutTimeIsNotSent() {
        driver.start();
        CallContext late = TestContext.within(Duration.ZERO);
        assertThat(failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), late)))
                .returns(CallPhase.NEVER_SENT, CsiException::phase)
                .returns(FailureKind.TRANSIENT, CsiException::kind)
                .hasMessageContaining("no time left");
        assertThat(driver.calls()).isEmpty();
    }

    @Test
    void aCancelledContextEndsTheCall() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        driver.onStream(NodeGrpc.getNodeUnpublishVolumeMethod(), (request, out) -> arrived.countDown())
                .start();
        CompletableFuture<CsiException> ended = CompletableFuture.supplyAsync(
                () -> failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), context)));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        context.cancel();
        assertThat(ended.get(60, TimeUnit.SECONDS))
                .returns(CallPhase.SENT_WITHOUT_ANSWER, CsiException::phase)
                .returns(Status.Code.CANCELLED, CsiException::code)
                .returns(FailureKind.UNCERTAIN, CsiException::kind);
        assertThat(failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), context)))
                .returns(CallPhase.NEVER_SENT, CsiException::phase);
    }

    @Test
    void anInterruptEndsTheCallAndIsKept() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        driver.onStream(NodeGrpc.getNodeUnpublishVolumeMethod(), (request, out) -> arrived.countDown())
                .start();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            CsiException failure = failure(() -> client.node().nodeUnpublishVolume(Requests.unpublish(), context));
            interrupted.complete(Thread.currentThread().isInterrupted() && failure.kind() == FailureKind.UNCERTAIN);
        });
        caller.start();
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        caller.join();
    }

    @Test
    void anIncredibleAnswerLeavesDoubtAndIsKept() {
        Capabilities.all(driver).answeringEverything();
        driver.on(
                        ControllerGrpc.getControllerExpandVolumeMethod(),
                        request -> io.volume4j.csi.internal.proto.ControllerExpandVolumeResponse.newBuilder()
                                .setCapacityBytes(5)
                                .build())
                .start();
        CsiException failure =
                failure(() -> client.controller().controllerExpandVolume(Requests.controllerExpand(), context));
        assertThat(failure)
                .returns(CallPhase.ANSWERED, CsiException::phase)
                .returns(FailureKind.UNCERTAIN, CsiException::kind)
                .returns(Advice.REPORT_DRIVER, CsiException::advice)
                .hasMessageContaining("capacity_bytes is 5, less than the 2097152 required");
        assertThat(failure.reply()).get().isInstanceOf(Message.class);
    }

    @Test
    void noSecretComesOutAnywhere() {
        Capabilities.all(driver);
        driver.failing(
                        NodeGrpc.getNodeStageVolumeMethod(),
                        Status.INTERNAL.withDescription("mount -o password=" + SECRET + " failed"))
                .start();
        NodeStageVolumeRequest request =
                Requests.stage().toBuilder().putSecrets("password", SECRET).build();
        CsiException failure = failure(() -> client.node().nodeStageVolume(request, context));
        assertThat(failure).hasMessageContaining("mount -o password=*** failed");
        VolumeException shown = failure.toVolumeException();
        StringWriter everything = new StringWriter();
        shown.printStackTrace(new PrintWriter(everything, true));
        assertThat(everything.toString()).contains("password=***").doesNotContain(SECRET);
        assertThat(observed).isNotEmpty().noneMatch(line -> line.contains(SECRET));
    }

    @Test
    void speaksTheWordsOfThePluginInterface() {
        Capabilities.all(driver);
        driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.NOT_FOUND)
                .failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.RESOURCE_EXHAUSTED)
                .start();
        VolumeException gone = failure(
                        () -> client.controller().controllerGetVolume(Requests.controllerGetVolume(), context))
                .toVolumeException();
        assertThat(gone.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(gone.provesAbsent()).isTrue();
        VolumeException full = failure(
                        () -> client.controller().controllerPublishVolume(Requests.controllerPublish(), context))
                .toVolumeException();
        assertThat(full.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(full.provesAbsent()).isFalse();
        assertThat(full.advice()).isEqualTo(Advice.REFRESH_NODE_INFO.text());
        assertThat(full)
                .hasMessageContaining("ControllerPublishVolume of vol-1")
                .hasMessageContaining("RESOURCE_EXHAUSTED");
    }

    @Test
    void manyCallsAtOnceShareTheConnection() throws Exception {
        Capabilities.all(driver).answeringEverything();
        driver.on(
                        ControllerGrpc.getCreateVolumeMethod(),
                        request -> CreateVolumeResponse.newBuilder()
                                .setVolume(io.volume4j.csi.internal.proto.Volume.newBuilder()
                                        .setVolumeId(request.getName()))
                                .build())
                .start();
        List<CompletableFuture<String>> created = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            String name = "pvc-" + i;
            created.add(CompletableFuture.supplyAsync(() -> client.controller()
                    .createVolume(
                            Requests.createVolume().toBuilder().setName(name).build(), context)
                    .getVolume()
                    .getVolumeId()));
        }
        for (int i = 0; i < created.size(); i++) {
            assertThat(created.get(i).get(30, TimeUnit.SECONDS)).isEqualTo("pvc-" + i);
        }
    }

    /** The call's time may end before a machine that stands still has sent the call. Then the call is made again. */
    private static CsiException overdue(Runnable call) {
        CsiException failure = failure(call);
        for (int tries = 1; failure.phase() == CallPhase.NEVER_SENT && tries < 10; tries++) {
            failure = failure(call);
        }
        return failure;
    }

    private static CsiException failure(Runnable call) {
        CsiException failure = catchThrowableOfType(CsiException.class, call::run);
        assertThat(failure).as("the call should have failed").isNotNull();
        return failure;
    }

    private void call(Rpc rpc) {
        switch (rpc) {
            case GET_PLUGIN_INFO -> client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance(), context);
            case GET_PLUGIN_CAPABILITIES ->
                client.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance(), context);
            case PROBE -> client.identity().probe(ProbeRequest.getDefaultInstance(), context);
            case CREATE_VOLUME -> client.controller().createVolume(Requests.createVolume(), context);
            case DELETE_VOLUME -> client.controller().deleteVolume(Requests.deleteVolume(), context);
            case CONTROLLER_PUBLISH_VOLUME ->
                client.controller().controllerPublishVolume(Requests.controllerPublish(), context);
            case CONTROLLER_UNPUBLISH_VOLUME ->
                client.controller().controllerUnpublishVolume(Requests.controllerUnpublish(), context);
            case VALIDATE_VOLUME_CAPABILITIES ->
                client.controller().validateVolumeCapabilities(Requests.validate(), context);
            case LIST_VOLUMES -> client.controller().listVolumes(ListVolumesRequest.getDefaultInstance(), context);
            case GET_CAPACITY -> client.controller().getCapacity(GetCapacityRequest.getDefaultInstance(), context);
            case CONTROLLER_GET_CAPABILITIES ->
                client.controller()
                        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance(), context);
            case CREATE_SNAPSHOT -> client.controller().createSnapshot(Requests.createSnapshot(), context);
            case DELETE_SNAPSHOT -> client.controller().deleteSnapshot(Requests.deleteSnapshot(), context);
            case LIST_SNAPSHOTS ->
                client.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance(), context);
            case GET_SNAPSHOT -> client.controller().getSnapshot(Requests.getSnapshot(), context);
            case CONTROLLER_EXPAND_VOLUME ->
                client.controller().controllerExpandVolume(Requests.controllerExpand(), context);
            case CONTROLLER_GET_VOLUME ->
                client.controller().controllerGetVolume(Requests.controllerGetVolume(), context);
            case CONTROLLER_MODIFY_VOLUME ->
                client.controller().controllerModifyVolume(Requests.controllerModify(), context);
            case GROUP_CONTROLLER_GET_CAPABILITIES ->
                client.groups()
                        .groupControllerGetCapabilities(
                                GroupControllerGetCapabilitiesRequest.getDefaultInstance(), context);
            case CREATE_VOLUME_GROUP_SNAPSHOT ->
                client.groups().createVolumeGroupSnapshot(Requests.createGroupSnapshot(), context);
            case DELETE_VOLUME_GROUP_SNAPSHOT ->
                client.groups().deleteVolumeGroupSnapshot(Requests.deleteGroupSnapshot(), context);
            case GET_VOLUME_GROUP_SNAPSHOT ->
                client.groups().getVolumeGroupSnapshot(Requests.getGroupSnapshot(), context);
            case GET_METADATA_ALLOCATED ->
                client.metadata()
                        .getMetadataAllocated(Requests.metadataAllocated(), context, (style, capacity, blocks) -> {});
            case GET_METADATA_DELTA ->
                client.metadata().getMetadataDelta(Requests.metadataDelta(), context, (style, capacity, blocks) -> {});
            case NODE_STAGE_VOLUME -> client.node().nodeStageVolume(Requests.stage(), context);
            case NODE_UNSTAGE_VOLUME -> client.node().nodeUnstageVolume(Requests.unstage(), context);
            case NODE_PUBLISH_VOLUME -> client.node().nodePublishVolume(Requests.publish(), context);
            case NODE_UNPUBLISH_VOLUME -> client.node().nodeUnpublishVolume(Requests.unpublish(), context);
            case NODE_GET_VOLUME_STATS -> client.node().nodeGetVolumeStats(Requests.stats(), context);
            case NODE_EXPAND_VOLUME -> client.node().nodeExpandVolume(Requests.nodeExpand(), context);
            case NODE_GET_CAPABILITIES ->
                client.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance(), context);
            case NODE_GET_INFO -> client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context);
            case CONTROLLER_LIST_VOLUME_HEALTH,
                    CONTROLLER_GET_VOLUME_HEALTH,
                    NODE_GET_VOLUME_HEALTH,
                    NODE_GET_STORAGE_HEALTH -> HealthCallsTest.call(client, rpc, context);
        }
    }
}
