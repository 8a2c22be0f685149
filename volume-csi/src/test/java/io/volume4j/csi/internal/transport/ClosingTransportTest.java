package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.StatusRuntimeException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.RawServer;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The I/O threads of one transport end with it, whatever the drivers do, and those of another transport go on. */
@Timeout(180)
class ClosingTransportTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final List<EventLoopGroup> groups = new CopyOnWriteArrayList<>();
    private final UnixSocketChannels channels = transport();
    private final SocketConnection connection = connection(channels);

    @Test
    void theThreadEndsAlthoughADriverDoesNotAnswer() throws Exception {
        hangingDriver();
        ListenableFuture<ProbeResponse> running = running();
        connection.close();
        channels.close();
        assertEnded(running);
    }

    /** It takes the connection and not even the first bytes of HTTP/2. */
    @Test
    void theThreadEndsAlthoughADriverDoesNotRead() throws Exception {
        closing.later(new RawServer(directory.socket(), accepted -> arrived.countDown()));
        ListenableFuture<ProbeResponse> running = running();
        connection.close();
        channels.close();
        assertEnded(running);
    }

    /** That is the wrong order, but no reason to let a caller wait for ever. */
    @Test
    void aTransportThatIsClosedBeforeItsConnectionsEndsTheirCalls() throws Exception {
        hangingDriver();
        ListenableFuture<ProbeResponse> running = running();
        channels.close();
        assertEnded(running);
        connection.close();
    }

    @Test
    void anotherTransportGoesOn() throws Exception {
        hangingDriver();
        SocketConnection other = connection(transport());
        IdentityCalls.info(connection);
        IdentityCalls.info(other);
        connection.close();
        channels.close();
        assertThat(groups.get(0).awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        IdentityCalls.info(other);
        assertThat(groups.get(1).isShuttingDown()).isFalse();
    }

    private void assertEnded(ListenableFuture<ProbeResponse> running) throws InterruptedException {
        assertThat(groups.get(0).awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> running.get(60, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(StatusRuntimeException.class);
    }

    private void hangingDriver() {
        closing.later(new ScriptedDriver(directory.socket()))
                .answeringEverything()
                .onStream(IdentityGrpc.getProbeMethod(), (request, out) -> arrived.countDown())
                .start();
    }

    /** A call that has arrived at the driver. */
    private ListenableFuture<ProbeResponse> running() throws Exception {
        ListenableFuture<ProbeResponse> running = IdentityCalls.probe(connection);
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        return running;
    }

    private UnixSocketChannels transport() {
        return closing.later(new UnixSocketChannels(
                ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)), this::group));
    }

    private SocketConnection connection(UnixSocketChannels from) {
        return closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), from));
    }

    @SuppressWarnings("deprecation") // the same group as the client's
    private EventLoopGroup group() {
        EventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("closing-io", true));
        groups.add(group);
        return group;
    }
}
