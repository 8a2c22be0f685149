package io.volume4j.examples.csilifecycle;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of HTTP/2 that knows nothing of gRPC: it answers every request with one status and no more. */
final class HttpServerDouble implements AutoCloseable {
    private static final int PREFACE = 24;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;

    private final ServerSocketChannel listener;
    private final int status;
    private final Thread thread;
    private final AtomicInteger answered = new AtomicInteger();

    private HttpServerDouble(ServerSocketChannel listener, int status) {
        this.listener = listener;
        this.status = status;
        this.thread = new Thread(this::listen, "http-double");
    }

    static HttpServerDouble at(Path socket, int status) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        HttpServerDouble server = new HttpServerDouble(listener, status);
        server.thread.setDaemon(true);
        server.thread.start();
        return server;
    }

    int answered() {
        return answered.get();
    }

    private void listen() {
        while (listener.isOpen()) {
            try (SocketChannel peer = listener.accept()) {
                serve(
                        new DataInputStream(Channels.newInputStream(peer)),
                        new DataOutputStream(Channels.newOutputStream(peer)));
            } catch (IOException closedOrPeerGone) {
                // the next peer may be there, or this is closed and leaves the loop
            }
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        in.readFully(new byte[PREFACE]);
        frame(out, SETTINGS, 0, 0, new byte[0]);
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = new byte[length];
            in.readFully(payload);
            boolean acknowledged = (flags & 1) != 0;
            if (type == SETTINGS && !acknowledged) {
                frame(out, SETTINGS, 1, 0, new byte[0]);
            } else if (type == PING && !acknowledged) {
                frame(out, PING, 1, 0, payload);
            } else if (type == HEADERS) {
                answered.incrementAndGet();
                // ":status", by its index in the static table, as a literal of three digits; ends headers and stream
                byte[] digits = Integer.toString(status).getBytes(StandardCharsets.US_ASCII);
                byte[] block = {0x08, 3, digits[0], digits[1], digits[2]};
                frame(out, HEADERS, 5, stream, block);
            }
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }

    @Override
    public void close() {
        try {
            listener.close();
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
