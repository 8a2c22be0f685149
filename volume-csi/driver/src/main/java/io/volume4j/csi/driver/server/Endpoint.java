package io.volume4j.csi.driver.server;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A gRPC server on a Unix socket to which only its user may connect, with the faults for its connections. Thread-safe. */
public final class Endpoint {
    private static final int LARGEST_REQUEST = 64 << 20;
    private static final int BREAKING_SECONDS = 5;

    private final Path socket;
    private final EventLoopGroup group;
    private static final long NO_THREAD_MILLIS = 50;

    private final ExecutorService workers;
    private final Server server;
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private volatile Duration drip = Duration.ZERO;

    /**
     * Listens at once. Replaces the socket of a dead driver, and creates a missing directory for this user only.
     *
     * @throws IOException if it cannot listen, if other users may write to the directory, or if another process listens at the socket
     */
    public Endpoint(Path socket, List<ServerServiceDefinition> services) throws IOException {
        this(socket, services, new DefaultThreadFactory("csi-driver-call", true));
    }

    /** @param threads for the calls */
    @SuppressWarnings("deprecation") // its successor does not exist in Netty 4.1, which a host may use
    Endpoint(Path socket, List<ServerServiceDefinition> services, ThreadFactory threads) throws IOException {
        this.socket = socket;
        this.group = new NioEventLoopGroup(1, new DefaultThreadFactory("csi-driver-io", true));
        // a call that arrives after the end has begun is dropped, as if the client had not sent it
        this.workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                threads,
                new ThreadPoolExecutor.DiscardPolicy());
        boolean listens = false;
        try {
            PrivateDirectory.prepare(socket);
            NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                    .channelFactory(this::listener)
                    .bossEventLoopGroup(group)
                    .workerEventLoopGroup(group)
                    .withChildOption(ChannelOption.SO_KEEPALIVE, null)
                    .maxInboundMessageSize(LARGEST_REQUEST)
                    .executor(this::run);
            services.forEach(builder::addService);
            server = builder.build().start();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            listens = true;
        } finally {
            if (!listens) {
                workers.shutdownNow();
                var unused = group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            }
        }
    }

    /** A call without a free thread waits for one: an error here would leave its caller without an answer. */
    private void run(Runnable call) {
        try {
            workers.execute(call);
        } catch (Error noThread) {
            var unused = group.schedule(() -> run(call), NO_THREAD_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private ServerChannel listener() {
        ServerChannel listener = new NioServerDomainSocketChannel();
        listener.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                Channel connection = (Channel) accepted;
                connections.add(connection);
                connection.closeFuture().addListener(closed -> connections.remove(connection));
                connection.pipeline().addFirst(new Drip(() -> drip));
                context.fireChannelRead(accepted);
            }
        });
        return listener;
    }

    /**
     * Breaks every connection without a message, as the kernel does for a killed process. Continues to listen. Returns when they are
     * broken: an answer that the caller gives afterwards must not overtake the break.
     */
    void breakConnections() {
        List<Channel> broken = List.copyOf(connections);
        for (Channel connection : broken) {
            connection.eventLoop().execute(() -> connection.unsafe().close(connection.voidPromise()));
        }
        broken.forEach(connection -> await(connection, connection.closeFuture()));
    }

    /** Stops sending on all connections, and continues to read. Returns when nothing more is sent. */
    void stopSending() {
        for (Channel connection : connections) {
            if (connection instanceof DuplexChannel duplex) {
                await(connection, duplex.shutdownOutput());
            }
        }
    }

    private static void await(Channel connection, ChannelFuture done) {
        if (!connection.eventLoop().inEventLoop()) {
            done.awaitUninterruptibly(BREAKING_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** From now on sends each byte separately after this delay; zero turns that off. */
    public void drip(Duration perByte) {
        drip = perByte;
    }

    /** Dies without an answer to any client; the socket file may stay. */
    public void kill() {
        breakConnections();
        server.shutdownNow();
        try {
            // the end of this server must not remove the socket of the next process at this path
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end();
    }

    /** Waits a limited time for running calls, then closes all connections and removes the socket. */
    public void close(Duration patience) {
        server.shutdown();
        try {
            if (!server.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow();
                server.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        end();
        try {
            Files.deleteIfExists(socket);
        } catch (IOException alreadyReplaced) {
            // another process owns it now
        }
    }

    private void end() {
        workers.shutdownNow();
        // waits a moment first: a cancelled call may still write to its connection
        var unused = group.shutdownGracefully(200, 5000, TimeUnit.MILLISECONDS);
    }
}
