package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SnapshotMetadataCallsTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    private final CsiClient client = closing.later(new CsiClient(
            new SocketConnection(new CsiEndpoint(directory.socket()), channels),
            Deadlines.defaults(),
            RpcObserver.NONE));

    private final List<Long> asked = new CopyOnWriteArrayList<>();
    private final List<Long> received = new ArrayList<>();

    @Test
    void passesOnEveryPart() {
        serve((offset, out) -> {
            out.onNext(part(0, 10));
            out.onNext(part(20));
            out.onCompleted();
        });
        read();
        assertThat(received).containsExactly(0L, 10L, 20L);
        assertThat(asked).containsExactly(0L);
    }

    @Test
    void continuesBehindTheLastByteWhenTheStreamBreaks() {
        serve((offset, out) -> {
            out.onNext(part(offset));
            if (offset < 20) {
                out.onError(Status.UNAVAILABLE.asRuntimeException());
            } else {
                out.onCompleted();
            }
        });
        read();
        assertThat(asked).containsExactly(0L, 10L, 20L);
        assertThat(received).containsExactly(0L, 10L, 20L);
    }

    @Test
    void givesUpWhenAContinuationGetsNoFurther() {
        serve((offset, out) -> {
            if (offset == 0) {
                out.onNext(part(0));
            }
            out.onError(Status.UNAVAILABLE.asRuntimeException());
        });
        assertThatExceptionOfType(CsiException.class).isThrownBy(this::read);
        assertThat(asked).containsExactly(0L, 10L);
    }

    /** Many drivers refuse an offset where the volume ends, and nothing can be missing. */
    @Test
    void isCompleteWhenTheStreamBreaksBehindTheLastByteOfTheVolume() {
        serve((offset, out) -> {
            if (offset == 0) {
                out.onNext(part(0, 990));
                out.onError(Status.UNAVAILABLE.asRuntimeException());
            } else {
                out.onError(Status.OUT_OF_RANGE.asRuntimeException());
            }
        });
        read();
        assertThat(received).containsExactly(0L, 990L);
        assertThat(asked).containsExactly(0L);
    }

    @Test
    void aRefusalBehindTheLastByteIsStillARefusal() {
        serve((offset, out) -> {
            out.onNext(part(990));
            out.onError(Status.FAILED_PRECONDITION.asRuntimeException());
        });
        assertThatExceptionOfType(CsiException.class).isThrownBy(this::read);
    }

    @Test
    void doesNotContinueAfterARefusal() {
        serve((offset, out) -> {
            out.onNext(part(0));
            out.onError(Status.FAILED_PRECONDITION.asRuntimeException());
        });
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(this::read)
                .satisfies(e -> assertThat(e.advice()).isEqualTo(Advice.SCAN_ALL));
        assertThat(asked).containsExactly(0L);
    }

    /** A backup that believed it would miss data without a sign. */
    @Test
    void refusesAStreamInDisorder() {
        serve((offset, out) -> {
            out.onNext(part(10));
            out.onNext(part(0));
            out.onCompleted();
        });
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(this::read)
                .withMessageContaining("block at 0 comes after byte 20 was reached")
                .satisfies(e -> assertThat(e.advice()).isEqualTo(Advice.REPORT_DRIVER));
        assertThat(asked).containsExactly(0L);
        assertThat(received).containsExactly(10L);
    }

    @Test
    void endsTheStreamWhenTheReaderFails() {
        serve((offset, out) -> {
            out.onNext(part(0));
            out.onNext(part(10));
        });
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> client.metadata()
                        .getMetadataDelta(
                                Requests.metadataDelta(), TestContext.patient(), (style, capacity, blocks) -> {
                                    throw new IllegalStateException("disk full");
                                }))
                .withMessage("disk full");
    }

    private void serve(BiConsumer<Long, StreamObserver<GetMetadataDeltaResponse>> script) {
        Capabilities.all(driver)
                .onStream(
                        SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                        (GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> out) -> {
                            asked.add(request.getStartingOffset());
                            script.accept(request.getStartingOffset(), out);
                        })
                .start();
    }

    private void read() {
        client.metadata()
                .getMetadataDelta(
                        Requests.metadataDelta(),
                        TestContext.patient(),
                        (style, capacity, blocks) -> blocks.forEach(block -> received.add(block.getByteOffset())));
    }

    private static GetMetadataDeltaResponse part(long... offsets) {
        GetMetadataDeltaResponse.Builder part = GetMetadataDeltaResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                .setVolumeCapacityBytes(1000);
        for (long offset : offsets) {
            part.addBlockMetadata(
                    BlockMetadata.newBuilder().setByteOffset(offset).setSizeBytes(10));
        }
        return part.build();
    }
}
