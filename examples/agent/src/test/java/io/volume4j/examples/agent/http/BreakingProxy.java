package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server that a test can break: every connection at once, wherever it is, and all that come until it is mended. */
public final class BreakingProxy implements AutoCloseable {
    private final URI to;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private volatile boolean frozen;
    private volatile boolean closed;

    public BreakingProxy(URI to) throws IOException {
        this.to = to;
        this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Breaks all connections; new ones are let through. */
    public void breakAll() {
        open.forEach(BreakingProxy::close);
    }

    /** Breaks all connections and lets no new one through until {@link #mend()}. */
    public void takeDown() {
        down = true;
        breakAll();
    }

    public void mend() {
        down = false;
    }

    /** From now on nothing goes through and nothing is closed, as if the server's machine had lost its power. */
    public void freeze() {
        frozen = true;
    }

    /** How many connections clients have open. */
    public int connections() {
        return open.size() / 2;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                open.add(client);
                if (down || closed) {
                    end(client);
                    continue;
                }
                Socket server = new Socket(to.getHost(), to.getPort());
                open.add(server);
                if (down || closed) {
                    end(client, server);
                    continue;
                }
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            } catch (IOException ended) {
                // The server is down, or the test is over.
            }
        }
    }

    private void pump(Socket from, Socket into) {
        byte[] buffer = new byte[4096];
        try (InputStream read = from.getInputStream();
                OutputStream write = into.getOutputStream()) {
            for (int some = read.read(buffer); some >= 0; some = read.read(buffer)) {
                if (frozen) {
                    continue;
                }
                write.write(buffer, 0, some);
                write.flush();
            }
        } catch (IOException broken) {
            // Both ends go.
        } finally {
            end(from, into);
        }
    }

    private void end(Socket... sockets) {
        for (Socket socket : sockets) {
            close(socket);
            open.remove(socket);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // That is what was wanted.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        close(listening);
        breakAll();
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // That is what was wanted.
        }
    }
}
