package io.volume4j.examples.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server that a test can break. */
final class CutLink implements AutoCloseable {
    private final URI to;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Semaphore leftSilent = new Semaphore(0);
    private volatile boolean silent;

    CutLink(URI to) throws IOException {
        this.to = to;
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Breaks all connections; new ones are let through. */
    void cut() {
        open.forEach(CutLink::end);
    }

    /** Accepts new connections and leaves them without an answer, also later; or lets new ones through again. */
    void silent(boolean now) {
        silent = now;
    }

    /** How many connections were accepted. */
    int accepted() {
        return accepted.get();
    }

    /** Waits until a client has a connection without an answer. */
    void awaitSilent() throws InterruptedException {
        leftSilent.acquire();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                accepted.incrementAndGet();
                if (silent) {
                    open.add(client);
                    if (listening.isClosed()) {
                        end(client);
                    }
                    leftSilent.release();
                    continue;
                }
                Socket server = new Socket(to.getHost(), to.getPort());
                open.add(client);
                open.add(server);
                if (listening.isClosed()) {
                    // It came while the link was cut for good, and was not known then.
                    end(client);
                    end(server);
                    return;
                }
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            } catch (IOException ended) {
                // the server is down, or the test is over
            }
        }
    }

    private void pump(Socket from, Socket into) {
        byte[] buffer = new byte[4096];
        try (InputStream read = from.getInputStream();
                OutputStream write = into.getOutputStream()) {
            for (int some = read.read(buffer); some >= 0; some = read.read(buffer)) {
                write.write(buffer, 0, some);
                write.flush();
            }
        } catch (IOException broken) {
            end(into);
        } finally {
            end(from);
            open.remove(from);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException ended) {
            throw new IllegalStateException(ended);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "cut-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
