package io.volume4j.csi.internal.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * Asks the kernel for the user of the process at the other end (SO_PEERCRED of unix(7)), and disconnects from untrusted
 * users before it sends a byte. It is the first handler of the pipeline, so gRPC never sees such a connection become
 * active.
 */
final class PeerCheck extends ChannelInboundHandlerAdapter {
    private static final ChannelOption<UnixDomainPrincipal> PEER =
            NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED);

    private final Path socket;
    private final Set<UserPrincipal> trusted;

    private final Runnable onTrusted;

    PeerCheck(Path socket, Set<UserPrincipal> trusted, Runnable onTrusted) {
        this.socket = socket;
        this.trusted = trusted;
        this.onTrusted = onTrusted;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        UnixDomainPrincipal peer = context.channel().config().getOption(PEER);
        if (peer == null || !trusted.contains(peer.user())) {
            String who = peer == null
                    ? "a user that the kernel does not name"
                    : "user " + peer.user().getName();
            IOException refusal =
                    new UntrustedSocketException("%s is served by %s, who is not trusted".formatted(socket, who));
            context.fireExceptionCaught(refusal);
            ChannelFuture ignored = context.close();
            return;
        }
        onTrusted.run();
        context.pipeline().remove(this);
        context.fireChannelActive();
    }
}
