package io.volume4j.csi.internal.transport;

import static io.volume4j.csi.internal.transport.CallPhase.ANSWERED;
import static io.volume4j.csi.internal.transport.CallPhase.NEVER_SENT;
import static io.volume4j.csi.internal.transport.CallPhase.SENT_WITHOUT_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.RawServer;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way in which a call can fail, on a real socket. */
@Timeout(180)
class CallTraceTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final SocketConnection connection =
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));

    private record Outcome(CallPhase phase, Status.Code code) {}

    @Test
    void noProcessAcceptsAtTheSocket() throws Exception {
        directory.deadSocket();
        assertThat(probe(10_000)).isEqualTo(new Outcome(NEVER_SENT, Status.Code.UNAVAILABLE));
    }

    @Test
    void thePeerAcceptsAndSaysNothing() throws Exception {
        closing.later(new RawServer(directory.socket(), accepted -> {}));
        assertThat(probe(200)).isEqualTo(new Outcome(NEVER_SENT, Status.Code.DEADLINE_EXCEEDED));
    }

    @Test
    void thePeerAcceptsAndHangsUp() throws Exception {
        closing.later(new RawServer(directory.socket(), accepted -> accepted.close()));
        assertThat(probe(10_000)).isEqualTo(new Outcome(NEVER_SENT, Status.Code.UNAVAILABLE));
    }

    @Test
    void theDriverGetsTheCallAndNeverAnswers() throws Exception {
        ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket())
                        .onStream(IdentityGrpc.getProbeMethod(), (request, out) -> {}))
                .start();
        connect();
        List<Outcome> outcomes = new ArrayList<>();
        for (long millis = 3_000; driver.calls().isEmpty() && millis < 60_000; millis *= 2) {
            outcomes.add(overdueProbe(millis));
        }

        assertThat(outcomes).containsOnly(new Outcome(SENT_WITHOUT_ANSWER, Status.Code.DEADLINE_EXCEEDED));
        assertThat(driver.calls()).hasSizeBetween(1, outcomes.size()).containsOnly("Probe");
    }

    /** The peer speaks HTTP/2, takes the request and breaks off: the client cannot know what the peer did with it. */
    @Test
    void thePeerTakesTheCallAndBreaksOff() throws Exception {
        closing.later(new RawServer(directory.socket(), accepted -> {
            accepted.write(emptySettings());
            readUntilAfterFirstHeaders(accepted);
            accepted.close();
        }));
        assertThat(probe(10_000)).isEqualTo(new Outcome(SENT_WITHOUT_ANSWER, Status.Code.UNAVAILABLE));
    }

    /**
     * The trap that makes "headers were written" the wrong mark: the peer has stopped, the socket is full, and the call is
     * cancelled before the kernel took its headers. When the peer wakes up it may get the whole request.
     */
    @Test
    void thePeerHasStoppedAndTheSocketIsFull() throws Exception {
        closing.later(new RawServer(directory.socket(), accepted -> accepted.write(emptySettings())));
        connect();
        Metadata bulk = new Metadata();
        bulk.put(Metadata.Key.of("bulk", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(8 << 10));
        Channel bulky = ClientInterceptors.intercept(
                connection.lease().channel(), MetadataUtils.newAttachHeadersInterceptor(bulk));
        for (int i = 0; i < 100; i++) {
            var ignored = ClientCalls.futureUnaryCall(
                    bulky.newCall(IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT),
                    ProbeRequest.getDefaultInstance());
        }
        assertThat(overdueProbe(3_000)).isEqualTo(new Outcome(SENT_WITHOUT_ANSWER, Status.Code.DEADLINE_EXCEEDED));
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void theDriverRefuses(Status.Code code) throws Exception {
        closing.later(new ScriptedDriver(directory.socket())
                        .failing(IdentityGrpc.getProbeMethod(), code.toStatus().withDescription("no")))
                .start();
        assertThat(probe(10_000)).isEqualTo(new Outcome(ANSWERED, code));
    }

    @Test
    void theDriverDoesNotKnowTheCall() throws Exception {
        closing.later(new ScriptedDriver(directory.socket())).start();
        assertThat(probe(10_000)).isEqualTo(new Outcome(ANSWERED, Status.Code.UNIMPLEMENTED));
    }

    /** gRPC reports this with the very code by which a backend says that it is full. */
    @Test
    void theAnswerIsTooLarge() throws Exception {
        ListVolumesResponse huge = ListVolumesResponse.newBuilder()
                .setNextToken("t".repeat(5 << 20))
                .build();
        closing.later(new ScriptedDriver(directory.socket()).on(ControllerGrpc.getListVolumesMethod(), request -> huge))
                .start();
        assertThat(call(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance(), 10_000))
                .isEqualTo(new Outcome(SENT_WITHOUT_ANSWER, Status.Code.RESOURCE_EXHAUSTED));
    }

    /** A server of gRPC for Java takes its answer back when it turns out to be none. */
    @Test
    void theDriverBreaksOffTheCall() throws Exception {
        closing.later(new ScriptedDriver(directory.socket())
                        .onStream(IdentityGrpc.getProbeMethod(), (request, out) -> out.onCompleted()))
                .start();
        assertThat(probe(10_000)).isEqualTo(new Outcome(SENT_WITHOUT_ANSWER, Status.Code.CANCELLED));
    }

    /** An interceptor of a host may answer by itself; then nothing is known about what was sent. */
    @Test
    void aForeignChannelThatShowsNothingIsNotTakenForUnsent() {
        CallTrace trace = new CallTrace(false);
        try {
            ClientCalls.blockingUnaryCall(
                    new SilentChannel(),
                    IdentityGrpc.getProbeMethod(),
                    CallOptions.DEFAULT.withStreamTracerFactory(trace),
                    ProbeRequest.getDefaultInstance());
            throw new AssertionError("no failure");
        } catch (StatusRuntimeException e) {
            assertThat(trace.phase(e.getStatus().getCode())).isEqualTo(SENT_WITHOUT_ANSWER);
        }
    }

    /** So that a deadline measures the call and not the first use of gRPC. */
    private void connect() throws Exception {
        ManagedChannel channel = (ManagedChannel) connection.lease().channel();
        ConnectivityState state = channel.getState(true);
        while (state != ConnectivityState.READY) {
            CountDownLatch changed = new CountDownLatch(1);
            channel.notifyWhenStateChanged(state, changed::countDown);
            assertThat(changed.await(60, TimeUnit.SECONDS)).isTrue();
            state = channel.getState(true);
        }
    }

    /** The call's time may end before a machine that stands still has sent the call. Then the call gets more time. */
    private Outcome overdueProbe(long atFirst) throws Exception {
        Outcome outcome = probe(atFirst);
        for (long millis = 2 * atFirst; outcome.phase() == NEVER_SENT && millis < 60_000; millis *= 2) {
            outcome = probe(millis);
        }
        return outcome;
    }

    private Outcome probe(long millis) throws Exception {
        return call(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance(), millis);
    }

    private <Q, R> Outcome call(MethodDescriptor<Q, R> method, Q request, long millis) throws Exception {
        CsiConnection.Lease lease = connection.lease();
        CallTrace trace = new CallTrace(lease.ours());
        try {
            R reply = ClientCalls.blockingUnaryCall(
                    lease.channel(),
                    method,
                    CallOptions.DEFAULT
                            .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
                            .withStreamTracerFactory(trace),
                    request);
            throw new AssertionError("answered with " + reply);
        } catch (StatusRuntimeException e) {
            return new Outcome(
                    trace.phase(e.getStatus().getCode()), e.getStatus().getCode());
        }
    }

    private static ByteBuffer emptySettings() {
        return ByteBuffer.wrap(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
    }

    /** Reads frames behind the client's preface until a HEADERS frame and one more have come. */
    private static void readUntilAfterFirstHeaders(java.nio.channels.SocketChannel accepted)
            throws java.io.IOException {
        read(accepted, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
        boolean headers = false;
        while (true) {
            ByteBuffer head = read(accepted, 9);
            int length = (head.get(0) & 0xff) << 16 | (head.get(1) & 0xff) << 8 | (head.get(2) & 0xff);
            read(accepted, length);
            if (headers) {
                return;
            }
            headers = head.get(3) == 1;
        }
    }

    private static ByteBuffer read(java.nio.channels.SocketChannel accepted, int bytes) throws java.io.IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (accepted.read(buffer) < 0) {
                throw new java.io.EOFException();
            }
        }
        return buffer;
    }

    /** Fails every call without ever making a stream. */
    private static final class SilentChannel extends Channel {
        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            return new ClientCall<>() {
                @Override
                public void start(Listener<R> listener, Metadata headers) {
                    listener.onClose(Status.UNAVAILABLE, new Metadata());
                }

                @Override
                public void request(int messages) {}

                @Override
                public void cancel(@Nullable String message, @Nullable Throwable cause) {}

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q message) {}
            };
        }

        @Override
        public String authority() {
            return "host";
        }
    }
}
