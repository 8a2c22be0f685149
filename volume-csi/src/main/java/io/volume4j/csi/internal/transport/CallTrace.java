package io.volume4j.csi.internal.transport;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Follows one call through the transport and tells afterwards how far it got. A status code alone cannot: UNAVAILABLE and
 * INTERNAL are made up locally as well as sent by drivers, and RESOURCE_EXHAUSTED is what gRPC makes of an answer that is
 * too large, after the driver has done the work.
 *
 * <p>"Sent" begins when the last byte of the request is handed to a connection. gRPC also reports when the headers were
 * written to the socket, which is closer to the truth but not safe: for a call that is cancelled while the socket is full
 * it reports nothing, and the kernel may deliver the request once a stopped driver reads on.
 *
 * <p>Belongs to one call. Written by transport threads, read by the caller when the call is over.
 */
public final class CallTrace extends ClientStreamTracer.Factory {
    private final boolean untracedMeansUnsent;
    private volatile boolean traced;
    private volatile boolean sent;
    private volatile @Nullable Stream last;

    /**
     * @param untracedMeansUnsent whether a call that the tracer never saw cannot have left; true of our own channels, not
     *     of one that a host brings, whose interceptors may do as they like
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

    /** How far the call got that ended with this status. */
    public CallPhase phase(Status.Code code) {
        Stream stream = last;
        if (stream != null && stream.answered(code)) {
            return CallPhase.ANSWERED;
        }
        boolean unsent = traced ? !sent : untracedMeansUnsent;
        return unsent ? CallPhase.NEVER_SENT : CallPhase.SENT_WITHOUT_ANSWER;
    }

    /** One attempt; a host's channel may make several of one call. */
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
         * A driver that refuses sends trailers alone. Headers before them announce an answer, so RESOURCE_EXHAUSTED after
         * headers is our own complaint about the size of that answer.
         */
        boolean answered(Status.Code code) {
            return trailers && !(headers && code == Status.Code.RESOURCE_EXHAUSTED);
        }
    }
}
