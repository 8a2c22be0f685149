package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An interrupt comes when the driver has sent everything already, so that nothing is left to cancel. */
@Timeout(60)
class StreamedAnswerTest {
    private final List<Long> taken = new ArrayList<>();

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void anAnswerOfWhichAnInterruptLeftAPartOutIsNotComplete() {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> read(2, part -> Thread.currentThread().interrupt()))
                .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.CANCELLED));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(taken).containsExactly(1L);
    }

    @Test
    void anInterruptAfterTheLastPartLeavesTheAnswerComplete() {
        read(2, part -> {
            if (part == 2) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(taken).containsExactly(1L, 2L);
    }

    private void read(long parts, Consumer<Long> then) {
        StreamedAnswer.read(
                new Sent(parts),
                SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                CallOptions.DEFAULT,
                GetMetadataDeltaRequest.getDefaultInstance(),
                part -> {
                    taken.add(part.getVolumeCapacityBytes());
                    then.accept(part.getVolumeCapacityBytes());
                });
    }

    /** Has all parts and the end of the answer, and gives a part for each request; the number is in the capacity. */
    private static final class Sent extends Channel {
        private final long parts;

        Sent(long parts) {
            this.parts = parts;
        }

        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            return new SentCall<>(method, Objects.requireNonNull(options.getExecutor()), parts);
        }

        @Override
        public String authority() {
            return "localhost";
        }
    }

    private static final class SentCall<Q, R> extends ClientCall<Q, R> {
        private final MethodDescriptor<Q, R> method;
        private final Executor reports;
        private final long parts;
        private @Nullable Listener<R> listener;
        private long given;

        SentCall(MethodDescriptor<Q, R> method, Executor reports, long parts) {
            this.method = method;
            this.reports = reports;
            this.parts = parts;
        }

        @Override
        public void start(Listener<R> reader, Metadata headers) {
            listener = reader;
        }

        @Override
        public void request(int messages) {
            if (given == parts) {
                return;
            }
            given++;
            Listener<R> reader = Objects.requireNonNull(listener);
            R part = method.parseResponse(GetMetadataDeltaResponse.newBuilder()
                    .setVolumeCapacityBytes(given)
                    .build()
                    .toByteString()
                    .newInput());
            reports.execute(() -> reader.onMessage(part));
            if (given == parts) {
                reports.execute(() -> reader.onClose(Status.OK, new Metadata()));
            }
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
