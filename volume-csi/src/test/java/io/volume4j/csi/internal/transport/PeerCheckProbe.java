package io.volume4j.csi.internal.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Connects with a {@link PeerCheck} that trusts no peer, and says something as soon as it believes to be connected. */
final class PeerCheckProbe {
    private PeerCheckProbe() {}

    @SuppressWarnings("deprecation") // the same group as the client's
    static Throwable connect(Path socket) throws Exception {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        EventLoopGroup group = new NioEventLoopGroup(1);
        try {
            Channel channel = new Bootstrap()
                    .group(group)
                    .channelFactory(() -> {
                        Channel fresh = new NioDomainSocketChannel();
                        PeerCheck check = new PeerCheck(socket, Set.of(), task -> new Thread(task).start(), () -> {
                            throw new AssertionError("trusted");
                        });
                        check.guard(fresh);
                        return fresh;
                    })
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelActive(ChannelHandlerContext context) {
                            var ignored = context.writeAndFlush(
                                    context.alloc().buffer().writeBytes("secret".getBytes(StandardCharsets.US_ASCII)));
                        }

                        @Override
                        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                            refusal.complete(cause);
                        }
                    })
                    .connect(UnixDomainSocketAddress.of(socket))
                    .channel();
            Throwable cause = refusal.get(60, TimeUnit.SECONDS);
            channel.closeFuture().await(60, TimeUnit.SECONDS);
            return cause;
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5000);
        }
    }
}
