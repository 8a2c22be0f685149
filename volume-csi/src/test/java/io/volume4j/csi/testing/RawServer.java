package io.volume4j.csi.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Accepts connections and does with them what a test wants; what that leaves open is closed in the end. */
public final class RawServer implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final List<SocketChannel> accepted = new ArrayList<>();
    private final Thread thread;

    /** What happens with a connection. */
    @FunctionalInterface
    public interface Treatment {
        void treat(SocketChannel connection) throws IOException;
    }

    public RawServer(Path socket, Treatment treatment) {
        try {
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = new Thread(() -> serve(treatment), "raw-server");
        thread.start();
    }

    private void serve(Treatment treatment) {
        try {
            while (true) {
                SocketChannel connection = listener.accept();
                synchronized (accepted) {
                    accepted.add(connection);
                }
                treatment.treat(connection);
            }
        } catch (ClosedChannelException e) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            synchronized (accepted) {
                for (SocketChannel connection : accepted) {
                    connection.close();
                }
            }
            thread.join(10_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
