package io.volume4j.csi.internal.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel for the user of the process at the other end (SO_PEERCRED of unix(7)), and disconnects from untrusted
 * users before it sends a byte. It is the first handler of the pipeline, so gRPC never sees such a connection become
 * active.
 *
 * <p>The JDK also looks up the names of user and group, and those of the trusted users, which may ask a server such as LDAP
 * and wait for it. So neither the caller nor the I/O thread, which serves all drivers, asks: another thread does, and the
 * connection does not read until then.
 */
final class PeerCheck extends ChannelInboundHandlerAdapter {
    private static final ChannelOption<UnixDomainPrincipal> PEER =
            NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED);

    private final Path socket;
    private final Set<Integer> trusted;
    private final Executor lookups;
    private final Runnable onTrusted;

    /**
     * @param trusted user IDs
     * @param lookups may wait for the names of users; not the I/O thread
     * @param onTrusted runs on the I/O thread
     */
    PeerCheck(Path socket, Set<Integer> trusted, Executor lookups, Runnable onTrusted) {
        this.socket = socket;
        this.trusted = trusted;
        this.lookups = lookups;
        this.onTrusted = onTrusted;
    }

    /** Makes itself the first handler of a new channel. */
    void guard(Channel channel) {
        channel.config().setAutoRead(false);
        channel.pipeline().addLast(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        try {
            lookups.execute(() -> look(context));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            refuse(context, IoThreads.noThread(noThread));
        }
    }

    private void look(ChannelHandlerContext context) {
        IOException refusal = refusal(context.channel());
        try {
            context.executor().execute(() -> decide(context, refusal));
        } catch (RejectedExecutionException closed) {
            // the I/O thread has ended, and the connection with it
            return;
        }
    }

    private @Nullable IOException refusal(Channel channel) {
        UnixDomainPrincipal peer;
        try {
            peer = channel.config().getOption(PEER);
            if (peer != null && trusts(peer.user())) {
                return null;
            }
        } catch (IOException | RuntimeException | Error e) {
            return new IOException("cannot find out who serves %s: %s".formatted(socket, e), e);
        }
        String who = peer == null
                ? "a user that the kernel does not name"
                : "user " + peer.user().getName();
        return new UntrustedSocketException("%s is served by %s, who is not trusted".formatted(socket, who));
    }

    /** Compares principals: the JDK does not tell a user's ID. */
    private boolean trusts(UserPrincipal peer) throws IOException {
        UserPrincipalLookupService users = socket.getFileSystem().getUserPrincipalLookupService();
        for (int uid : trusted) {
            if (users.lookupPrincipalByName(Integer.toString(uid)).equals(peer)) {
                return true;
            }
        }
        return false;
    }

    private void decide(ChannelHandlerContext context, @Nullable IOException refusal) {
        if (!context.channel().isActive()) {
            return;
        }
        if (refusal != null) {
            refuse(context, refusal);
            return;
        }
        onTrusted.run();
        context.pipeline().remove(this);
        context.fireChannelActive();
        context.channel().config().setAutoRead(true);
    }

    private static void refuse(ChannelHandlerContext context, IOException refusal) {
        context.fireExceptionCaught(refusal);
        ChannelFuture ignored = context.close();
    }
}
