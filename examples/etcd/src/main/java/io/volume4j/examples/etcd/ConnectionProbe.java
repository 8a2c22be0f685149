package io.volume4j.examples.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why calls wait. They wait for a connection and do not fail when a connection fails, so they never tell the reason. A call
 * that does not wait tells it at once. Thread-safe.
 */
final class ConnectionProbe implements ClientInterceptor {
    private static final long MILLIS = 100;

    private volatile @Nullable Channel channel;

    /**
     * Why calls wait.
     *
     * @param silent whether they wait for a connection that no member refuses, and that no member begins to use
     * @param tls the failure of TLS because of which no member is connected; null if there is another reason, or none is known
     */
    record Finding(boolean silent, @Nullable SSLException tls) {
        private static final Finding NOTHING = new Finding(false, null);
    }

    @Override
    public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
        channel = next;
        return next.newCall(method, options);
    }

    Finding look() {
        Channel used = channel;
        if (used == null) {
            return Finding.NOTHING;
        }
        Connected connected = new Connected();
        try {
            // if a member is connected after all, it refuses the request, which has no key
            ClientCalls.blockingUnaryCall(
                    used,
                    KVGrpc.getRangeMethod(),
                    CallOptions.DEFAULT
                            .withDeadlineAfter(MILLIS, TimeUnit.MILLISECONDS)
                            .withStreamTracerFactory(connected),
                    RangeRequest.getDefaultInstance());
            return Finding.NOTHING;
        } catch (StatusRuntimeException failed) {
            boolean waited = failed.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
            return new Finding(waited && connected.waits && !connected.seen, failureOfTls(failed));
        }
    }

    /** Sees whether a call has to wait for a connection, and whether it finds one that can be used. */
    private static final class Connected extends ClientStreamTracer.Factory {
        private volatile boolean waits;
        private volatile boolean seen;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void createPendingStream() {
                    waits = true;
                }

                @Override
                public void streamCreated(Attributes transport, Metadata sent) {
                    seen = true;
                }
            };
        }
    }

    private static @Nullable SSLException failureOfTls(Throwable failed) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (each instanceof SSLException tls) {
                return tls;
            }
        }
        return null;
    }
}
