package io.volume4j.csi.internal.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer that comes in parts, on the thread of the caller. gRPC's own blocking stream decodes each part on the
 * I/O thread, and a part of some MiB would keep all other drivers waiting. Asks for the next part when the sink has taken
 * the last one, so at most one part waits here.
 */
final class StreamedAnswer<R> extends ClientCall.Listener<R> {
    private final BlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();
    private @Nullable R part;
    private @Nullable Status end;
    private Metadata trailers = new Metadata();

    private StreamedAnswer() {}

    /**
     * Sends the request and passes each part to the sink.
     *
     * @throws io.grpc.StatusRuntimeException if the call fails, or the thread is interrupted, which cancels the call
     */
    static <Q, R> void read(
            Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request, Consumer<R> sink) {
        StreamedAnswer<R> answer = new StreamedAnswer<>();
        ClientCall<Q, R> call = channel.newCall(method, options.withExecutor(answer.reports::add));
        call.start(answer, new Metadata());
        call.request(1);
        call.sendMessage(request);
        call.halfClose();
        answer.pass(call, sink);
    }

    private void pass(ClientCall<?, R> call, Consumer<R> sink) {
        boolean interrupted = false;
        boolean complete = true;
        try {
            while (end == null) {
                try {
                    reports.take().run();
                } catch (InterruptedException e) {
                    interrupted = true;
                    // the end of the call still comes as a report
                    call.cancel("the thread was interrupted", e);
                }
                R next = part;
                part = null;
                if (next == null) {
                    continue;
                }
                if (interrupted) {
                    complete = false;
                } else {
                    sink.accept(next);
                    call.request(1);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (!end.isOk()) {
            throw end.asRuntimeException(trailers);
        }
        if (!complete) {
            // the driver had sent everything before the interrupt, so its end is a success
            throw Status.CANCELLED
                    .withDescription("the thread was interrupted before it took the last part")
                    .asRuntimeException();
        }
    }

    /** Only keeps the part: gRPC would take an exception of the sink for one of the driver's answer. */
    @Override
    public void onMessage(R message) {
        part = message;
    }

    @Override
    public void onClose(Status status, Metadata last) {
        end = status;
        trailers = last;
    }
}
