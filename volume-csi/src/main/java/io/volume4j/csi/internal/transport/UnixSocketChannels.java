package io.volume4j.csi.internal.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.volume4j.csi.ChannelOptions;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The I/O threads for all driver sockets of one host. Only this class creates Netty channels. It uses Java's own Unix sockets,
 * so it loads no native code. All threads start before the first connection and sleep without traffic: if gRPC finds no thread
 * for a connection, the channel fails for good. New threads replace lost ones; see {@link IoThreads}.
 *
 * <p>Thread-safe. Closing ends the threads; close the channels first.
 */
public final class UnixSocketChannels implements AutoCloseable {
    /** A driver may put the output of a failed tool into its message. With a smaller limit gRPC would drop such an answer. */
    private static final int MAX_METADATA_BYTES = 64 << 10;

    /** A server for users' names that does not answer keeps so many threads at most; then new connections wait for it. */
    private static final int LOOKUPS_AT_ONCE = 4;

    private static final Duration LOOKUPS_IDLE = Duration.ofSeconds(10);

    private final ChannelOptions options;
    private final SocketGuard guard;
    private final Supplier<EventLoopGroup> groups;
    private final ExecutorService lookups;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private IoThreads threads;

    @GuardedBy("lock")
    private boolean closed;

    @SuppressWarnings("deprecation") // its successor does not exist in Netty 4.1, which a host may use
    public UnixSocketChannels(ChannelOptions options) {
        this(
                options,
                () -> new NioEventLoopGroup(options.ioThreads(), new DefaultThreadFactory("volume-csi-io", true)),
                lookupThreads());
    }

    UnixSocketChannels(ChannelOptions options, Supplier<EventLoopGroup> groups) {
        this(options, groups, lookupThreads());
    }

    UnixSocketChannels(ChannelOptions options, Supplier<EventLoopGroup> groups, ExecutorService lookups) {
        this.options = options;
        this.lookups = lookups;
        this.groups = groups;
        this.threads = new IoThreads(groups.get());
        this.guard = new SocketGuard(options.trust(), ownUid());
    }

    ChannelOptions options() {
        return options;
    }

    SocketGuard guard() {
        return guard;
    }

    /**
     * A channel that connects at the first call. The authority is fixed: the default is the socket's path, which several HTTP/2
     * servers refuse. Retries are off, so that one call is one stream and the trace of the call can tell its phase.
     *
     * @param onConnected runs for each connection, on an I/O thread
     * @throws IOException if there is no thread for the connection, or the transport is closed
     */
    Opened open(Path socket, Runnable onConnected) throws IOException {
        IoThreads serving = startedThreads();
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(serving.group())
                .intercept(serving)
                .channelFactory(() -> newChannel(serving, new PeerCheck(socket, guard.trusted(), lookups, onConnected)))
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .overrideAuthority("localhost")
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(options.maxInboundBytes())
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .build();
        return new Opened(channel, serving);
    }

    /** A channel and the threads that serve it. */
    record Opened(ManagedChannel channel, IoThreads threads) {}

    /** Threads for {@link PeerCheck}, as long as there are new connections. */
    private static ExecutorService lookupThreads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                LOOKUPS_AT_ONCE,
                LOOKUPS_AT_ONCE,
                LOOKUPS_IDLE.toNanos(),
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("volume-csi-peer", true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private IoThreads startedThreads() throws IOException {
        IoThreads lost = null;
        try {
            synchronized (lock) {
                if (closed) {
                    throw new IOException("the transport is closed");
                }
                if (threads.lost()) {
                    lost = threads;
                    threads = new IoThreads(newGroup());
                }
                threads.start();
                return threads;
            }
        } finally {
            if (lost != null) {
                lost.abandon();
            }
        }
    }

    private EventLoopGroup newGroup() throws IOException {
        try {
            return groups.get();
        } catch (RuntimeException | Error noThread) {
            throw IoThreads.noThread(noThread);
        }
    }

    private static Channel newChannel(IoThreads serving, PeerCheck check) {
        Channel channel;
        try {
            channel = new NioDomainSocketChannel(serving.newSocket());
        } catch (IOException e) {
            throw new ChannelException("cannot make a socket: " + e.getMessage(), e);
        }
        check.guard(channel);
        return channel;
    }

    /** The user of this process; root if it is unknown, which only makes the check stricter. */
    private static int ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | UnsupportedOperationException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        IoThreads last;
        synchronized (lock) {
            closed = true;
            last = threads;
        }
        last.close(options.closeTimeout().toMillis());
        lookups.shutdownNow();
    }
}
