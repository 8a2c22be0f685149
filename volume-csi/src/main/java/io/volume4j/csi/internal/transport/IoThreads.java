package io.volume4j.csi.internal.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of I/O threads and the calls that wait for them. Netty ends a thread for good if an Error, such as an
 * OutOfMemoryError, leaves its loop. gRPC does not notice: calls would wait for ever, because their deadlines are kept by
 * the same thread, and new calls would be rejected. So when a thread of the group ends, all calls and sockets of the group
 * end, and it is lost: {@link UnixSocketChannels} makes another one for the next connection.
 */
final class IoThreads implements ClientInterceptor {
    private static final Logger log = LoggerFactory.getLogger(IoThreads.class);

    private final EventLoopGroup group;
    private final Set<WatchedCall<?, ?>> running = ConcurrentHashMap.newKeySet();

    /** Netty leaves the sockets of a thread that an Error ended open, and their drivers would not notice anything. */
    private final Set<SocketChannel> sockets = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean started;

    IoThreads(EventLoopGroup group) {
        this.group = group;
        for (EventExecutor thread : group) {
            Future<?> ignored = thread.terminationFuture().addListener(end -> threadEnded());
        }
        Future<?> ignored = group.terminationFuture().addListener(end -> groupEnded());
    }

    EventLoopGroup group() {
        return group;
    }

    /** Starts all threads; without effect if they run. */
    void start() throws IOException {
        if (started) {
            return;
        }
        try {
            group.forEach(thread -> thread.execute(() -> {}));
            started = true;
        } catch (RuntimeException | Error noThread) {
            throw noThread(noThread);
        }
    }

    /** A new socket for a driver; open until Netty closes it, or the threads have ended. */
    SocketChannel newSocket() throws IOException {
        sockets.removeIf(socket -> !socket.isOpen());
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        sockets.add(socket);
        return socket;
    }

    static IOException noThread(Throwable reason) {
        return new IOException(
                "there is no thread to connect with (" + reason
                        + "); raise the limit of processes and threads (pids.max, ulimit -u) or end some",
                reason);
    }

    /** Whether a thread has ended. Then nothing can be expected of the group. Asks Netty, because it may report late. */
    boolean lost() {
        for (EventExecutor thread : group) {
            if (thread.isShuttingDown()) {
                return true;
            }
        }
        return false;
    }

    /** The other threads end too: a deadline may be with one and the connection with another. */
    private void threadEnded() {
        if (closing.compareAndSet(false, true)) {
            log.atError()
                    .log(
                            "a thread for the sockets of CSI drivers ended: its running calls are cut off, and the next call"
                                    + " gets a new thread; its error is in Netty's log. After an OutOfMemoryError give the"
                                    + " process more memory");
            Future<?> ignored = group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Ends what a lost group has left. It has ended by itself, unless Netty found no thread to tell that its thread ended: where
     * memory has run out once, that may fail too.
     */
    void abandon() {
        threadEnded();
        if (group.isTerminated()) {
            groupEnded();
        }
    }

    /** Ends the calls, for the drivers and for the callers: without a thread nothing else does. */
    private void groupEnded() {
        for (SocketChannel socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                log.atDebug().setCause(e).log("a socket of an ended thread was not closed");
            }
        }
        sockets.clear();
        running.forEach(WatchedCall::lose);
    }

    void close(long millis) {
        closing.set(true);
        group.shutdownGracefully(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new WatchedCall<>(next.newCall(method, options), options.getExecutor(), running, group::isTerminated);
    }
}
