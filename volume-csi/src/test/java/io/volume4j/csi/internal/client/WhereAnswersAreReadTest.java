package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The I/O thread serves all drivers, so it must not decode one driver's answers, which may be large. */
@Timeout(180)
class WhereAnswersAreReadTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    private final UnixSocketChannels channels = closing.later(new UnixSocketChannels(ChannelOptions.defaults()));
    private final RpcCaller caller = new RpcCaller(
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels)),
            Deadlines.defaults(),
            RpcObserver.NONE);
    private final List<Thread> readers = new CopyOnWriteArrayList<>();

    @Test
    void anAnswerIsReadByTheThreadThatAsked() {
        driver.answeringEverything().start();
        caller.unary(
                Rpc.PROBE,
                watched(IdentityGrpc.getProbeMethod()),
                ProbeRequest.getDefaultInstance(),
                TestContext.patient());
        assertThat(readers).containsExactly(Thread.currentThread());
    }

    @Test
    void eachPartOfAStreamIsReadByTheThreadThatAsked() {
        serve(3, Status.OK);
        List<Thread> sinks = new CopyOnWriteArrayList<>();
        stream(part -> sinks.add(Thread.currentThread()));
        assertThat(readers).hasSize(3).containsOnly(Thread.currentThread());
        assertThat(sinks).hasSize(3).containsOnly(Thread.currentThread());
    }

    @Test
    void aBrokenStreamGivesWhatCameBeforeItBroke() {
        serve(2, Status.FAILED_PRECONDITION);
        List<GetMetadataDeltaResponse> parts = new CopyOnWriteArrayList<>();
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> stream(parts::add))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Status.Code.FAILED_PRECONDITION));
        assertThat(parts).hasSize(2);
    }

    @Test
    void anInterruptEndsAStreamThatDoesNotGoOn() {
        driver.onStream(
                        SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                        (GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> out) ->
                                out.onNext(GetMetadataDeltaResponse.getDefaultInstance()))
                .start();
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> stream(part -> Thread.currentThread().interrupt()))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Status.Code.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallerThatFailsEndsTheStreamForTheDriver() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        driver.onStream(
                        SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                        (GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> out) -> {
                            ((ServerCallStreamObserver<GetMetadataDeltaResponse>) out)
                                    .setOnCancelHandler(ended::countDown);
                            out.onNext(GetMetadataDeltaResponse.getDefaultInstance());
                        })
                .start();
        assertThatIllegalStateException()
                .isThrownBy(() -> stream(part -> {
                    throw new IllegalStateException("there is no room for the part");
                }));
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private void serve(int parts, Status end) {
        driver.onStream(
                        SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                        (GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> out) -> {
                            for (int i = 0; i < parts; i++) {
                                out.onNext(GetMetadataDeltaResponse.getDefaultInstance());
                            }
                            if (end.isOk()) {
                                out.onCompleted();
                            } else {
                                out.onError(end.asRuntimeException());
                            }
                        })
                .start();
    }

    private void stream(Consumer<GetMetadataDeltaResponse> sink) {
        caller.stream(
                Rpc.GET_METADATA_DELTA,
                watched(SnapshotMetadataGrpc.getGetMetadataDeltaMethod()),
                Requests.metadataDelta(),
                TestContext.patient(),
                generation -> {},
                sink);
    }

    /** The same method; notes who reads its answers. */
    private <Q extends Message, R> MethodDescriptor<Q, R> watched(MethodDescriptor<Q, R> method) {
        MethodDescriptor.Marshaller<R> plain = method.getResponseMarshaller();
        return method.toBuilder(method.getRequestMarshaller(), new MethodDescriptor.Marshaller<R>() {
                    @Override
                    public InputStream stream(R value) {
                        return plain.stream(value);
                    }

                    @Override
                    public R parse(InputStream stream) {
                        readers.add(Thread.currentThread());
                        return plain.parse(stream);
                    }
                })
                .build();
    }
}
