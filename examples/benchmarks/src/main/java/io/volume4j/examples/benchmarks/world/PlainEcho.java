package io.volume4j.examples.benchmarks.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The lower limit for two processes: echoes what it reads from a Unix socket, with one blocking thread and no protocol. */
public final class PlainEcho implements AutoCloseable {
    /** About the size of a call with its headers, in each direction. */
    private static final int BYTES = 300;

    private final Path socket;
    private final ServerSocketChannel server;

    /** Serves one connection after another on its own thread. */
    public PlainEcho(Path socket) throws IOException {
        this.socket = socket;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        Thread thread = new Thread(this::serve, "plain-echo");
        thread.setDaemon(true);
        thread.start();
    }

    public Path socket() {
        return socket;
    }

    private void serve() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
        try {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    while (fill(client, bytes)) {
                        client.write(bytes);
                    }
                }
            }
        } catch (AsynchronousCloseException closed) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** False at the end. */
    private static boolean fill(SocketChannel from, ByteBuffer bytes) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (from.read(bytes) < 0) {
                return false;
            }
        }
        bytes.flip();
        return true;
    }

    /** The client. */
    public static final class Client implements AutoCloseable {
        private final SocketChannel channel;
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);

        public Client(Path socket) throws IOException {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        }

        /** One round trip. */
        public void call() throws IOException {
            bytes.clear();
            channel.write(bytes);
            if (!fill(channel, bytes)) {
                throw new IOException("the other end is gone");
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
