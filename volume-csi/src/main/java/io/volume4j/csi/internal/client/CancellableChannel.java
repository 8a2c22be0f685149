package io.volume4j.csi.internal.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.volume4j.spi.CallContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel for one call, which ends when the call's context is cancelled or when the caller is done with it. */
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
            /** Only now, because gRPC takes offence at a request that is sent after the call was cancelled. */
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

    /** Forgets a call that is over, so that a context that outlives it does not hold it. */
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
