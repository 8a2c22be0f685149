package io.volume4j.examples.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
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

    @Override
    public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
        channel = next;
        return next.newCall(method, options);
    }

    /** The failure of TLS because of which no member is connected; null if there is another reason, or none is known. */
    @Nullable
    SSLException failureOfTls() {
        Channel used = channel;
        if (used != null) {
            try {
                // if a member is connected after all, it refuses the request, which has no key
                ClientCalls.blockingUnaryCall(
                        used,
                        KVGrpc.getRangeMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(MILLIS, TimeUnit.MILLISECONDS),
                        RangeRequest.getDefaultInstance());
            } catch (StatusRuntimeException failed) {
                return failureOfTls(failed);
            }
        }
        return null;
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
