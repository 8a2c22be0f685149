package io.volume4j.examples.benchmarks.world;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A driver on a Unix socket that accepts every publish call at once. */
public final class EchoDriver implements AutoCloseable {
    private final ExecutorService workers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "echo-driver");
        thread.setDaemon(true);
        return thread;
    });
    private final EventLoopGroup group = newGroup();
    private final Path socket;
    private final Server server;

    /** @param direct whether the thread that reads the socket answers calls, which saves two hand-overs */
    public EchoDriver(Path socket, boolean direct) throws IOException {
        this.socket = socket;
        server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .withChildOption(ChannelOption.SO_KEEPALIVE, null)
                .executor(direct ? Runnable::run : workers)
                .addService(new Name())
                .addService(new Yes())
                .build()
                .start();
    }

    public Path socket() {
        return socket;
    }

    @SuppressWarnings("deprecation") // the same group as the client's
    private static EventLoopGroup newGroup() {
        return new NioEventLoopGroup(1);
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            if (!server.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the driver does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        workers.shutdownNow();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
    }

    private static final class Name extends IdentityGrpc.IdentityImplBase {
        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
            out.onNext(GetPluginInfoResponse.newBuilder()
                    .setName("echo.volume4j.io")
                    .setVendorVersion("1")
                    .build());
            out.onCompleted();
        }

        @Override
        public void getPluginCapabilities(
                GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
            out.onNext(GetPluginCapabilitiesResponse.getDefaultInstance());
            out.onCompleted();
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
            out.onNext(ProbeResponse.getDefaultInstance());
            out.onCompleted();
        }
    }

    private static final class Yes extends NodeGrpc.NodeImplBase {
        @Override
        public void nodeGetCapabilities(
                NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> out) {
            NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder();
            for (NodeServiceCapability.RPC.Type type : NodeServiceCapability.RPC.Type.values()) {
                if (type != NodeServiceCapability.RPC.Type.UNRECOGNIZED) {
                    all.addCapabilities(NodeServiceCapability.newBuilder()
                            .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type)));
                }
            }
            out.onNext(all.build());
            out.onCompleted();
        }

        @Override
        public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> out) {
            out.onNext(NodePublishVolumeResponse.getDefaultInstance());
            out.onCompleted();
        }
    }
}
