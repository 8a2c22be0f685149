package io.volume4j.csi.internal.client;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.internal.redact.SecretRedactor;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.rules.ReplyRules;
import io.volume4j.csi.internal.rules.RequestRules;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.csi.internal.transport.CallTrace;
import io.volume4j.csi.internal.transport.CsiConnection;
import io.volume4j.csi.internal.transport.DriverUnreachableException;
import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one RPC and waits for its end. It checks the request, sends it once with a deadline, and checks the answer. It
 * never repeats a call: the caller knows the purpose of the volume and decides that.
 *
 * <p>Thread-safe. Blocks the calling thread until the answer, the deadline, an interrupt or a cancellation of the context.
 */
final class RpcCaller {
    private static final Logger log = LoggerFactory.getLogger(RpcCaller.class);

    private final CsiConnection connection;
    private final Deadlines deadlines;
    private final RpcObserver observer;

    RpcCaller(CsiConnection connection, Deadlines deadlines, RpcObserver observer) {
        this.connection = connection;
        this.deadlines = deadlines;
        this.observer = observer;
    }

    String describe() {
        return connection.describe();
    }

    /** The generation of the process at the other end, as far as known; see {@link CsiConnection#generation()}. */
    long generation() {
        return connection.generation();
    }

    /** The generation that the next call would use: another process may have replaced the socket since the last call. */
    long nextGeneration() {
        try {
            return connection.lease().generation();
        } catch (DriverUnreachableException e) {
            // the next call fails for the same reason, and its message names the call
            return connection.generation();
        }
    }

    /** Calls without a check of the capabilities, and returns a valid answer. */
    <Q extends Message, R extends Message> R unary(
            Rpc rpc, MethodDescriptor<Q, R> method, Q request, CallContext context) {
        return unary(rpc, method, request, context, generation -> {});
    }

    /** Calls if the guard permits it, and returns a valid answer. */
    <Q extends Message, R extends Message> R unary(
            Rpc rpc, MethodDescriptor<Q, R> method, Q request, CallContext context, Guard guard) {
        return observed(rpc, request, () -> {
            R reply = attempt(
                    rpc,
                    request,
                    context,
                    guard,
                    (channel, options) -> ClientCalls.blockingUnaryCall(channel, method, options, request));
            List<String> complaints = ReplyRules.complaints(request, reply);
            if (!complaints.isEmpty()) {
                throw CsiException.incredible(rpc, request, connection.describe(), complaints, reply);
            }
            return reply;
        });
    }

    /**
     * Calls if the guard permits it, and passes each part of the answer to the sink. If the sink throws, the stream ends.
     */
    <Q extends Message, R extends Message> void stream(
            Rpc rpc, MethodDescriptor<Q, R> method, Q request, CallContext context, Guard guard, Consumer<R> sink) {
        observed(
                rpc,
                request,
                () -> attempt(rpc, request, context, guard, (channel, options) -> {
                    StreamedAnswer.read(channel, method, options, request, sink);
                    return request;
                }));
    }

    private <T> T observed(Rpc rpc, Message request, Call<T> call) {
        if (log.isTraceEnabled()) {
            log.atTrace()
                    .addKeyValue("rpc", rpc.label())
                    .addKeyValue("request", SecretRedactor.describe(request))
                    .log("call begins");
        }
        RpcObserver.Span span = observer.begin(rpc, () -> SecretRedactor.describe(request));
        CsiException failure = null;
        try {
            return call.run();
        } catch (CsiException e) {
            failure = e;
            log.atDebug()
                    .addKeyValue("rpc", rpc.label())
                    .addKeyValue("result", e.code())
                    .addKeyValue("reason", e.getMessage())
                    .log("call failed");
            throw e;
        } finally {
            span.end(failure);
        }
    }

    private <T> T attempt(Rpc rpc, Message request, CallContext context, Guard guard, Attempt<T> attempt) {
        List<String> complaints = RequestRules.complaints(request);
        if (!complaints.isEmpty()) {
            throw CsiException.invalid(rpc, request, connection.describe(), complaints);
        }
        CsiConnection.Lease lease;
        try {
            lease = connection.lease();
        } catch (DriverUnreachableException e) {
            throw CsiException.unreachable(rpc, request, connection.describe(), e.getMessage(), e.refused());
        }
        guard.pass(lease.generation());
        CallOptions options = limited(rpc, request, context);
        CallTrace trace = new CallTrace(lease.ours());
        CancellableChannel channel = new CancellableChannel(lease.channel(), context);
        try {
            return attempt.on(channel, options.withStreamTracerFactory(trace));
        } catch (StatusRuntimeException e) {
            CallPhase phase = trace.phase(e.getStatus().getCode());
            if (phase == CallPhase.NEVER_SENT) {
                connection.neverSent(lease);
            }
            throw CsiException.failed(rpc, request, connection.describe(), phase, withReason(e.getStatus()));
        } catch (RuntimeException | Error e) {
            channel.cancel();
            throw e;
        } finally {
            channel.end();
        }
    }

    /** gRPC describes a failed connection as "io exception" and keeps the reason in the cause. */
    private static Status withReason(Status status) {
        Throwable cause = status.getCause();
        if (cause == null || cause.getMessage() == null) {
            return status;
        }
        String description = status.getDescription();
        return status.withDescription(
                description == null ? cause.getMessage() : description + ": " + cause.getMessage());
    }

    private CallOptions limited(Rpc rpc, Message request, CallContext context) {
        Duration limit = deadlines.of(rpc);
        Duration remaining = context.remaining();
        Duration patience = remaining.compareTo(limit) < 0 ? remaining : limit;
        if (context.cancelled() || patience.isNegative() || patience.isZero()) {
            Status none = Status.CANCELLED.withDescription(context.cancelled() ? "no longer wanted" : "no time left");
            throw CsiException.failed(rpc, request, connection.describe(), CallPhase.NEVER_SENT, none);
        }
        return CallOptions.DEFAULT.withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Decides at the last moment whether a call may be sent. */
    @FunctionalInterface
    interface Guard {
        /**
         * Returns if the call may be sent, throws if not.
         *
         * @param generation of the connection for the call
         */
        void pass(long generation);
    }

    private interface Call<T> {
        T run();
    }

    private interface Attempt<T> {
        T on(Channel channel, CallOptions options);
    }
}
