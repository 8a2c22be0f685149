package io.volume4j.csi.driver.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends byte by byte while a delay is set. Used on the connection's event loop only. */
final class Drip extends ChannelOutboundHandlerAdapter {
    private final Supplier<Duration> perByte;
    private final Queue<Piece> waiting = new ArrayDeque<>();
    private boolean dripping;

    Drip(Supplier<Duration> perByte) {
        this.perByte = perByte;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!(message instanceof ByteBuf bytes)
                || (waiting.isEmpty() && perByte.get().isZero())) {
            var unused = context.write(message, promise);
            return;
        }
        waiting.add(new Piece(bytes, promise));
        if (!dripping) {
            dripping = true;
            next(context);
        }
    }

    private void next(ChannelHandlerContext context) {
        long nanos = perByte.get().toNanos();
        var unused = context.executor().schedule(() -> drop(context), nanos, TimeUnit.NANOSECONDS);
    }

    private void drop(ChannelHandlerContext context) {
        Piece piece = waiting.peek();
        if (piece == null) {
            dripping = false;
            return;
        }
        if (piece.bytes.readableBytes() > 1) {
            var unused = context.writeAndFlush(piece.bytes.readRetainedSlice(1));
        } else {
            waiting.remove();
            var unused = context.writeAndFlush(piece.bytes, piece.promise);
        }
        next(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        waiting.forEach(piece -> ReferenceCountUtil.safeRelease(piece.bytes));
        waiting.clear();
    }

    private record Piece(ByteBuf bytes, ChannelPromise promise) {}
}
