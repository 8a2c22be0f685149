package io.volume4j.csi.internal.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
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
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The I/O threads for all driver sockets of one host. Only this class creates Netty objects. It uses Java's own Unix sockets,
 * so it loads no native code. All threads start before the first connection and sleep without traffic: if gRPC finds no thread
 * for a connection, the channel fails for good.
 *
 * <p>Thread-safe. Closing ends the threads; close the channels first.
 */
public final class UnixSocketChannels implements AutoCloseable {
    /** A driver may put the output of a failed tool into its message. With a smaller limit gRPC would drop such an answer. */
    private static final int MAX_METADATA_BYTES = 64 << 10;

    private final ChannelOptions options;
    private final EventLoopGroup group;
    private final SocketGuard guard;
    private volatile boolean threadsStarted;

    @SuppressWarnings("deprecation") // its successor does not exist in Netty 4.1, which a host may use
    public UnixSocketChannels(ChannelOptions options) {
        this(options, new DefaultThreadFactory("volume-csi-io", true));
    }

    @SuppressWarnings("deprecation") // as above
    UnixSocketChannels(ChannelOptions options, ThreadFactory threads) {
        this.options = options;
        this.group = new NioEventLoopGroup(options.ioThreads(), threads);
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
     * @throws IOException if the socket cannot be used, or there is no thread for the connection
     */
    ManagedChannel open(Path socket, Runnable onConnected) throws IOException {
        startThreads();
        Set<UserPrincipal> users = principals(socket);
        return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(group)
                .channelFactory(() -> newChannel(new PeerCheck(socket, users, onConnected)))
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .overrideAuthority("localhost")
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(options.maxInboundBytes())
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .build();
    }

    private void startThreads() throws IOException {
        if (threadsStarted) {
            return;
        }
        try {
            group.forEach(thread -> thread.execute(() -> {}));
            threadsStarted = true;
        } catch (RuntimeException | Error noThread) {
            throw new IOException(
                    "there is no thread to connect with (" + noThread
                            + "); raise the limit of processes and threads (pids.max, ulimit -u) or end some",
                    noThread);
        }
    }

    private static Channel newChannel(PeerCheck check) {
        Channel channel = new NioDomainSocketChannel();
        channel.pipeline().addLast(check);
        return channel;
    }

    private Set<UserPrincipal> principals(Path socket) throws IOException {
        UserPrincipalLookupService users = socket.getFileSystem().getUserPrincipalLookupService();
        Set<UserPrincipal> principals = new LinkedHashSet<>();
        for (int uid : guard.trusted()) {
            principals.add(users.lookupPrincipalByName(Integer.toString(uid)));
        }
        return principals;
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
        group.shutdownGracefully(0, options.closeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(options.closeTimeout().toMillis());
    }
}
