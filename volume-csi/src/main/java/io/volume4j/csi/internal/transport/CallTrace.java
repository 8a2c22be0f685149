package io.volume4j.csi.internal.transport;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Follows one call through the transport to find out how far it got. A status code is not enough: gRPC creates
 * UNAVAILABLE and INTERNAL locally, and drivers send them too. gRPC reports RESOURCE_EXHAUSTED for an answer that is too
 * large, after the driver has done the work.
 *
 * <p>"Sent" begins when gRPC passes the last byte of the request to a connection. gRPC also reports when it has written
 * the headers to the socket. That report is closer to the truth but not safe: gRPC omits it for a call that is cancelled
 * while the socket is full. The kernel may still deliver that request when a stopped driver continues to read.
 *
 * <p>Belongs to one call. Transport threads write it; the caller reads it after the call.
 */
public final class CallTrace extends ClientStreamTracer.Factory {
    private final boolean untracedMeansUnsent;
    private volatile boolean traced;
    private volatile boolean sent;
    private volatile @Nullable Stream last;

    /**
     * @param untracedMeansUnsent whether a call that the tracer did not see cannot have been sent. True for the library's
     *     own channels, false for a channel of the host, whose interceptors can do anything
     */
    public CallTrace(boolean untracedMeansUnsent) {
        this.untracedMeansUnsent = untracedMeansUnsent;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        Stream stream = new Stream();
        last = stream;
        traced = true;
        return stream;
    }

    /** How far the call with this status got. */
    public CallPhase phase(Status.Code code) {
        Stream stream = last;
        if (stream != null && stream.answered(code)) {
            return CallPhase.ANSWERED;
        }
        boolean unsent = traced ? !sent : untracedMeansUnsent;
        return unsent ? CallPhase.NEVER_SENT : CallPhase.SENT_WITHOUT_ANSWER;
    }

    /** One attempt; a host's channel may make several attempts of one call. */
    private final class Stream extends ClientStreamTracer {
        private volatile boolean headers;
        private volatile boolean trailers;

        @Override
        public void outboundMessageSent(int number, long wireSize, long size) {
            sent = true;
        }

        @Override
        public void inboundHeaders() {
            headers = true;
        }

        @Override
        public void inboundTrailers(Metadata metadata) {
            trailers = true;
        }

        /**
         * A driver that refuses a call sends only trailers. After headers, RESOURCE_EXHAUSTED comes from this side's
         * limit for the size of the answer.
         */
        boolean answered(Status.Code code) {
            return trailers && !(headers && code == Status.Code.RESOURCE_EXHAUSTED);
        }
    }
}
