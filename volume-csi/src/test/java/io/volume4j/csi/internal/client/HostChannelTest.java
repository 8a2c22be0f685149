package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.csi.internal.transport.HostConnection;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host brings a channel of its own; who is at its other end, and for how long it lives, is the host's affair. */
@Timeout(180)
class HostChannelTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final SocketConnection owner =
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));
    private final TestContext context = TestContext.patient();

    @BeforeEach
    void startDriver() {
        Capabilities.all(driver).answeringEverything().start();
    }

    @Test
    void closingTheClientLeavesTheChannelOpen() throws Exception {
        ManagedChannel channel = (ManagedChannel) owner.lease().channel();
        CsiClient client = client(channel);
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        client.close();
        assertThat(channel.isShutdown()).isFalse();
        client(channel).controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(driver.calls("DeleteVolume")).isEqualTo(2);
    }

    /** Nothing tells that the host's channel has connected anew, so a lost call is the sign to ask for the version. */
    @Test
    void asksForTheVersionAfterALostCall() throws Exception {
        driver.onStream(ControllerGrpc.getControllerModifyVolumeMethod(), (request, out) -> driver.breakOff());
        CsiClient client = client((ManagedChannel) owner.lease().channel());
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        Capabilities.named(driver, "all.example.com", "2.0");
        client.controller().deleteVolume(Requests.deleteVolume(), context);
        assertThat(client.capabilities(context).vendorVersion()).isEqualTo("1.0");

        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> client.controller().controllerModifyVolume(Requests.controllerModify(), context))
                .satisfies(e -> assertThat(e.phase()).isEqualTo(CallPhase.SENT_WITHOUT_ANSWER))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.UNCERTAIN));
        assertThat(client.capabilities(context).vendorVersion()).isEqualTo("2.0");
    }

    @Test
    void itsFailuresAreClassifiedLikeOurs() throws Exception {
        driver.failing(ControllerGrpc.getDeleteVolumeMethod(), Status.INTERNAL);
        CsiClient client = client((ManagedChannel) owner.lease().channel());
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> client.controller().deleteVolume(Requests.deleteVolume(), context))
                .satisfies(e -> assertThat(e.phase()).isEqualTo(CallPhase.ANSWERED))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.UNCERTAIN));
    }

    private static CsiClient client(ManagedChannel channel) {
        return new CsiClient(new HostConnection(channel), Deadlines.defaults(), RpcObserver.NONE);
    }
}
