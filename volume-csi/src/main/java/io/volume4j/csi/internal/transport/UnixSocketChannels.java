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
 * The threads that serve all driver sockets of one host, and the one place that knows Netty. Java's own Unix sockets are
 * used, so no native code is loaded. All threads start before the first connection and sleep while nothing is said: gRPC breaks
 * a channel for good whose connection finds no thread.
 *
 * <p>Thread-safe. Closing ends the threads; channels must be closed before.
 */
public final class UnixSocketChannels implements AutoCloseable {
    /** A driver may put the output of a failed tool into its message, and what is too long would be lost as an answer. */
    private static final int MAX_METADATA_BYTES = 64 << 10;

    private final ChannelOptions options;
    private final EventLoopGroup group;
    private final SocketGuard guard;
    private volatile boolean threadsStarted;

    @SuppressWarnings("deprecation") // its successor does not exist in Netty 4.1, which hosts may force upon us
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
     * A channel that connects when it is first used. The authority is fixed: by default it would be the socket's path, which
     * several HTTP/2 servers refuse. Retries are off, so that one call is one stream and what happened to it can be told.
     *
     * @param onConnected run on each connection, on an I/O thread
     * @throws IOException if the socket cannot be used, or there is no thread to connect with
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

    /** The user of this process; root if it will not say, which only makes us stricter. */
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
