package io.volume4j.csi.testing;

import com.google.protobuf.Message;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.proto.registration.RegistrationGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A driver that answers what a test tells it to, on a real socket. A call that no test has scripted is answered with
 * UNIMPLEMENTED, as gRPC servers do. Remembers which calls came in.
 */
public final class ScriptedDriver implements AutoCloseable {
    private final Path socket;
    private final Map<String, BiConsumer<Object, StreamObserver<Object>>> scripts = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private final ExecutorService workers = Executors.newCachedThreadPool(runnable -> {
        Thread thread = new Thread(runnable, "scripted-driver");
        thread.setDaemon(true);
        return thread;
    });
    private final EventLoopGroup group = newGroup();
    private @Nullable Server server;
    private volatile boolean empty;
    private volatile boolean forgetful;

    public ScriptedDriver(Path socket) {
        this.socket = socket;
    }

    @SuppressWarnings("deprecation") // the same group as the client's
    private static EventLoopGroup newGroup() {
        return new NioEventLoopGroup(1);
    }

    /** Answers the call so; an exception becomes its status. */
    public <Q, R> ScriptedDriver on(MethodDescriptor<Q, R> method, Function<Q, R> script) {
        return onStream(method, (request, out) -> {
            out.onNext(script.apply(request));
            out.onCompleted();
        });
    }

    /** Answers every call that has no script of its own with an empty message. */
    public ScriptedDriver answeringEverything() {
        empty = true;
        return this;
    }

    /** Does not remember calls, of which there will be very many. */
    public ScriptedDriver forgetful() {
        forgetful = true;
        return this;
    }

    public ScriptedDriver failing(MethodDescriptor<?, ?> method, Status status) {
        return onStream(method, (request, out) -> out.onError(status.asRuntimeException()));
    }

    /** Answers by hand, or not at all. */
    @SuppressWarnings("unchecked") // the method ties request and reply together
    public <Q, R> ScriptedDriver onStream(MethodDescriptor<Q, R> method, BiConsumer<Q, StreamObserver<R>> script) {
        scripts.put(
                Objects.requireNonNull(method.getBareMethodName()),
                (request, out) -> script.accept((Q) request, (StreamObserver<R>) (StreamObserver<?>) out));
        return this;
    }

    /** The calls that came in, by name, in their order. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    public long calls(String name) {
        return calls.stream().filter(name::equals).count();
    }

    /** Listens; a socket that a dead driver left is replaced. */
    public ScriptedDriver start() {
        try {
            Files.deleteIfExists(socket);
            NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                    .channelFactory(this::newListener)
                    .bossEventLoopGroup(group)
                    .workerEventLoopGroup(group)
                    .withChildOption(ChannelOption.SO_KEEPALIVE, null)
                    .maxInboundMessageSize(64 << 20)
                    .executor(workers);
            for (ServiceDescriptor service : List.of(
                    IdentityGrpc.getServiceDescriptor(),
                    ControllerGrpc.getServiceDescriptor(),
                    GroupControllerGrpc.getServiceDescriptor(),
                    SnapshotMetadataGrpc.getServiceDescriptor(),
                    NodeGrpc.getServiceDescriptor(),
                    RegistrationGrpc.getServiceDescriptor())) {
                builder.addService((BindableService) () -> definition(service));
            }
            server = builder.build().start();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Breaks every connection off without a word, as the kernel does for a process that is killed, and listens on. */
    public void breakOff() {
        for (Channel connection : connections) {
            connection.eventLoop().execute(() -> connection.unsafe().close(connection.voidPromise()));
        }
    }

    /** Dies: connections break off, and the socket is gone. */
    public void kill() {
        Server running = server;
        if (running != null) {
            server = null;
            running.shutdownNow();
            try {
                if (!running.awaitTermination(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the driver does not end");
                }
                // a client's look at the socket holds for a millisecond: what it sends before that is over, it cannot
                // know to be unsent
                new CountDownLatch(1).await(3, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        kill();
        workers.shutdownNow();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5000);
    }

    private ServerChannel newListener() {
        ServerChannel listener = new NioServerDomainSocketChannel();
        listener.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                connections.add((Channel) accepted);
                context.fireChannelRead(accepted);
            }
        });
        return listener;
    }

    private ServerServiceDefinition definition(ServiceDescriptor service) {
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(service);
        for (MethodDescriptor<?, ?> method : new ArrayList<>(service.getMethods())) {
            add(definition, method);
        }
        return definition.build();
    }

    private <Q, R> void add(ServerServiceDefinition.Builder definition, MethodDescriptor<Q, R> method) {
        definition.addMethod(
                method,
                method.getType() == MethodDescriptor.MethodType.UNARY
                        ? ServerCalls.asyncUnaryCall((request, out) -> answer(method, request, out))
                        : ServerCalls.asyncServerStreamingCall((request, out) -> answer(method, request, out)));
    }

    @SuppressWarnings("unchecked") // a script was registered for this very method
    private <Q, R> void answer(MethodDescriptor<Q, R> method, Q request, StreamObserver<R> out) {
        String name = Objects.requireNonNull(method.getBareMethodName());
        if (request instanceof Message message) {
            SecretsSent.note(message);
        }
        if (!forgetful) {
            calls.add(name);
        }
        BiConsumer<Object, StreamObserver<Object>> script = scripts.get(name);
        if (script != null) {
            try {
                script.accept(request, (StreamObserver<Object>) (StreamObserver<?>) out);
            } catch (StatusRuntimeException e) {
                out.onError(e);
            }
        } else if (empty) {
            out.onNext(method.parseResponse(new ByteArrayInputStream(new byte[0])));
            out.onCompleted();
        } else {
            out.onError(Status.UNIMPLEMENTED.asRuntimeException());
        }
    }
}
