package io.volume4j.csi.internal.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.volume4j.spi.CallContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel for one call. The call ends when its context is cancelled or when the caller has finished. */
final class CancellableChannel extends Channel {
    private final Channel channel;
    private final CallContext context;
    private volatile @Nullable ClientCall<?, ?> call;

    CancellableChannel(Channel channel, CallContext context) {
        this.channel = channel;
        this.context = context;
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        ClientCall<Q, R> begun = new SimpleForwardingClientCall<>(channel.newCall(method, options)) {
            /** Registers only now, because gRPC rejects a request that is sent after the cancellation. */
            @Override
            public void halfClose() {
                super.halfClose();
                context.onCancel(CancellableChannel.this::cancel);
            }
        };
        call = begun;
        return begun;
    }

    @Override
    public String authority() {
        return Objects.requireNonNull(channel.authority());
    }

    /** Drops the reference to a finished call, so that a longer-lived context does not keep it in memory. */
    void end() {
        call = null;
    }

    void cancel() {
        ClientCall<?, ?> running = call;
        if (running != null) {
            running.cancel("no longer wanted", null);
        }
    }
}
