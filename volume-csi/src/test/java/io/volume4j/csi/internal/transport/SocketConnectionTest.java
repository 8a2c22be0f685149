package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.RawServer;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SocketConnectionTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final SocketConnection connection =
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));

    @Test
    void oneChannelServesManyCalls() throws Exception {
        ScriptedDriver driver = closing.later(driver("one")).start();
        CsiConnection.Lease lease = connection.lease();
        assertThat(name(lease)).isEqualTo("one");
        assertThat(connection.lease().channel()).isSameAs(lease.channel());
        assertThat(name(connection.lease())).isEqualTo("one");
        assertThat(driver.calls("GetPluginInfo")).isEqualTo(2);
    }

    @Test
    void saysSoWhenNoProcessListens() {
        assertThatExceptionOfType(DriverUnreachableException.class)
                .isThrownBy(connection::lease)
                .withMessageContaining("no driver listens at " + directory.socket())
                .satisfies(e -> assertThat(e.refused()).isFalse());
    }

    @Test
    void saysInWordsWhyItCannotConnect() {
        connection.close();
        assertThatExceptionOfType(DriverUnreachableException.class)
                .isThrownBy(connection::lease)
                .withMessage("cannot look at " + directory.socket() + ": the connection is closed");
    }

    @Test
    void refusesAnUntrustedSocketAtEveryReconnect() throws Exception {
        closing.later(driver("one")).start();
        Files.setAttribute(directory.path(), "unix:mode", 0777);
        assertThatExceptionOfType(DriverUnreachableException.class)
                .isThrownBy(connection::lease)
                .satisfies(e -> assertThat(e.refused()).isTrue());
        Files.setAttribute(directory.path(), "unix:mode", 0700);
        assertThat(name(connection.lease())).isEqualTo("one");
    }

    /** A driver that is upgraded puts its socket in the place of the old one's, which may live on for a while. */
    @Test
    void goesToTheNewSocketWhileOldCallsEndOnTheOldOne() throws Exception {
        Path beside = directory.path().resolve("old.sock");
        CountDownLatch arrived = new CountDownLatch(1);
        CompletableFuture<StreamObserver<ProbeResponse>> pending = new CompletableFuture<>();
        ScriptedDriver old = closing.later(driver("old")
                        .onStream(
                                IdentityGrpc.getProbeMethod(),
                                (ProbeRequest request, StreamObserver<ProbeResponse> out) -> {
                                    pending.complete(out);
                                    arrived.countDown();
                                }))
                .start();
        ScriptedDriver young = closing.later(driver("new", beside)).start();
        CsiConnection.Lease before = connection.lease();
        long generation = connection.generation();
        var probe = ClientCalls.futureUnaryCall(
                before.channel().newCall(IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT),
                ProbeRequest.getDefaultInstance());
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();

        Files.move(beside, directory.socket(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(name(connection.lease())).isEqualTo("new");
        assertThat(connection.generation()).isGreaterThan(generation);
        assertThat(probe.isDone()).isFalse();
        pending.get().onNext(ProbeResponse.getDefaultInstance());
        pending.get().onCompleted();
        assertThat(probe.get(60, TimeUnit.SECONDS)).isEqualTo(ProbeResponse.getDefaultInstance());
        assertThat(old.calls()).containsExactly("Probe");
        assertThat(young.calls()).containsExactly("GetPluginInfo");
    }

    /** One call after the other looks once in a millisecond; the process that it is connected to is the one it looked at. */
    @Test
    void aLookHoldsForAMillisecondWhileTheDriverIsConnected() throws Exception {
        AtomicLong nanos = new AtomicLong();
        SocketConnection sparing =
                closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels, nanos::get));
        Path beside = directory.path().resolve("new.sock");
        ScriptedDriver old = closing.later(driver("old")).start();
        closing.later(driver("new", beside)).start();
        assertThat(name(sparing.lease())).isEqualTo("old");
        Files.move(beside, directory.socket(), StandardCopyOption.REPLACE_EXISTING);

        nanos.set(999_999);
        assertThat(name(sparing.lease())).isEqualTo("old");
        nanos.set(1_000_000);
        assertThat(name(sparing.lease())).isEqualTo("new");
        assertThat(old.calls()).hasSize(2);
    }

    /** Because the call would make a connection, and that must be to a socket that may be trusted. */
    @Test
    void withoutAConnectionALookIsNeededBeforeEachCall() throws Exception {
        SocketConnection sparing =
                closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels, () -> 0));
        closing.later(driver("one")).start();
        CsiConnection.Lease lease = sparing.lease();
        assertThat(sparing.lease().channel()).isSameAs(lease.channel());
        Files.delete(directory.socket());
        assertThatExceptionOfType(DriverUnreachableException.class)
                .isThrownBy(sparing::lease)
                .withMessageContaining("no driver listens");
    }

    /** gRPC by itself would wait a second and more between its attempts, and make them without being asked. */
    @Test
    void triesAfreshAtOnceAfterAFailedConnection() throws Exception {
        directory.deadSocket();
        for (int i = 0; i < 3; i++) {
            CsiConnection.Lease lease = connection.lease();
            assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> name(lease));
            connection.neverSent(lease);
        }
        closing.later(driver("one")).start();
        assertThat(name(connection.lease())).isEqualTo("one");
    }

    @Test
    void everyNewConnectionIsCounted() throws Exception {
        ScriptedDriver driver = closing.later(driver("one")).start();
        name(connection.lease());
        long first = connection.generation();
        name(connection.lease());
        assertThat(connection.generation()).isEqualTo(first);
        driver.kill();
        driver.start();
        name(connection.lease());
        assertThat(connection.generation()).isGreaterThan(first);
    }

    /** Behind a socket that stays, as with socket activation: the next call must not rely on what the last process could do. */
    @Test
    void aCallAfterALostConnectionIsOneToAnotherProcess() throws Exception {
        ScriptedDriver driver = closing.later(driver("one")).start();
        CsiConnection.Lease lease = connection.lease();
        name(lease);
        long connected = connection.generation();
        CountDownLatch lost = new CountDownLatch(1);
        ManagedChannel channel = (ManagedChannel) lease.channel();
        channel.notifyWhenStateChanged(ConnectivityState.READY, lost::countDown);
        driver.breakOff();
        assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();

        CsiConnection.Lease next = connection.lease();
        assertThat(next.generation()).isGreaterThan(connected);
        assertThat(name(next)).isEqualTo("one");
        assertThat(connection.lease().channel()).isSameAs(next.channel());
    }

    @Test
    void closingCutsOffWhatDoesNotEnd() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        closing.later(new ScriptedDriver(directory.socket())
                        .onStream(IdentityGrpc.getProbeMethod(), (request, out) -> arrived.countDown()))
                .start();
        var probe = ClientCalls.futureUnaryCall(
                connection.lease().channel().newCall(IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT),
                ProbeRequest.getDefaultInstance());
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        connection.close();
        connection.close();
        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(() -> probe.get(60, TimeUnit.SECONDS));
        assertThatExceptionOfType(DriverUnreachableException.class).isThrownBy(connection::lease);
    }

    /** A path as authority is refused by several HTTP/2 servers. */
    @Test
    void namesLocalhostAsItsAuthority() throws Exception {
        closing.later(driver("one")).start();
        assertThat(connection.lease().channel().authority()).isEqualTo("localhost");
    }

    @Test
    void hangsUpOnAPeerThatIsNotTrusted() throws Exception {
        CompletableFuture<Integer> firstRead = new CompletableFuture<>();
        closing.later(new RawServer(directory.socket(), accepted -> {
            firstRead.complete(accepted.read(java.nio.ByteBuffer.allocate(1)));
        }));
        Throwable refusal = PeerCheckProbe.connect(directory.socket());
        assertThat(refusal).isInstanceOf(UntrustedSocketException.class).hasMessageContaining("who is not trusted");
        assertThat(firstRead.get(60, TimeUnit.SECONDS))
                .as("bytes that were sent")
                .isEqualTo(-1);
    }

    private ScriptedDriver driver(String name) {
        return driver(name, directory.socket());
    }

    private static ScriptedDriver driver(String name, Path socket) {
        return new ScriptedDriver(socket)
                .on(
                        IdentityGrpc.getGetPluginInfoMethod(),
                        request ->
                                GetPluginInfoResponse.newBuilder().setName(name).build());
    }

    private static String name(CsiConnection.Lease lease) throws IOException {
        try {
            return ClientCalls.blockingUnaryCall(
                            lease.channel(),
                            IdentityGrpc.getGetPluginInfoMethod(),
                            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
                            GetPluginInfoRequest.getDefaultInstance())
                    .getName();
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            throw e;
        }
    }
}
