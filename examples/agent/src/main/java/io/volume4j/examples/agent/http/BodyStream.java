package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, read while it arrives. It requests the next chunk after the last one was read, so that memory
 * contains at most one chunk. One thread reads it; any thread may end it.
 */
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** A chunk, or the end of the body. */
    private record Arrival(
            List<ByteBuffer> chunk, boolean last, @Nullable Throwable failure) {}

    private final Consumer<Runnable> asks;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final Queue<ByteBuffer> unread = new ArrayDeque<>();
    private volatile @Nullable AsyncBody body;
    private boolean ended;

    /** @param asks runs the request for the next chunk, and so determines the thread that reads from the connection */
    BodyStream(Consumer<Runnable> asks) {
        this.asks = asks;
    }

    @Override
    public void consume(List<ByteBuffer> chunk, AsyncBody from) {
        arrivals.add(new Arrival(chunk, false, null));
    }

    /** Sets the body after the head of the answer has arrived. */
    BodyStream of(AsyncBody arriving) {
        body = arriving;
        var unused =
                arriving.done().whenComplete((nothing, failure) -> arrivals.add(new Arrival(List.of(), true, failure)));
        return this;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        for (ByteBuffer next = unread.peek(); ; next = unread.peek()) {
            if (next == null) {
                if (!await()) {
                    return -1;
                }
            } else if (!next.hasRemaining()) {
                unread.remove();
            } else {
                int some = Math.min(length, next.remaining());
                next.get(into, offset, some);
                return some;
            }
        }
    }

    /** Whether there is another chunk. */
    private boolean await() throws IOException {
        AsyncBody asked = body;
        if (ended || asked == null) {
            return false;
        }
        try {
            asks.accept(asked::consume);
            Arrival arrival = arrivals.take();
            if (arrival.failure() != null) {
                ended = true;
                throw new IOException(
                        "the connection broke: " + arrival.failure().getMessage(), arrival.failure());
            }
            ended = arrival.last();
            unread.addAll(arrival.chunk());
            return !ended;
        } catch (RejectedExecutionException closed) {
            ended = true;
            throw new IOException("the adapter has been closed", closed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void close() {
        AsyncBody ends = body;
        if (ends != null) {
            try {
                ends.cancel();
            } catch (RejectedExecutionException closed) {
                // The client has been closed with all its bodies.
            }
        }
        arrivals.add(new Arrival(List.of(), true, null));
    }
}
