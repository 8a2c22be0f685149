package io.volume4j.examples.agent;

import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** An address at which a server is found later. Until then a client finds there what the test chose. */
final class LaterServer implements AutoCloseable {
    /** Outgoing connections of the tests have the address 127.0.0.1, so that none of them takes the port meanwhile. */
    private static final String LOOPBACK = "127.0.0.9";

    /** What clients find at first. */
    enum AtFirst {
        NOTHING(0),
        NO_ANSWER(0),
        UNAVAILABLE(503),
        UNAUTHORIZED(401),
        FORBIDDEN(403),
        NO_SUCH_PATH(404);

        private final int code;

        AtFirst(int code) {
            this.code = code;
        }
    }

    private final InetSocketAddress address;
    private final Semaphore asked = new Semaphore(0);
    private final List<Socket> taken = new CopyOnWriteArrayList<>();
    private Closeable first = () -> {};

    LaterServer(AtFirst found) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            address = new InetSocketAddress(LOOPBACK, free.getLocalPort());
        }
        if (found == AtFirst.NO_ANSWER) {
            first = silent();
        } else if (found != AtFirst.NOTHING) {
            first = answering(found.code);
        }
    }

    private Closeable silent() throws IOException {
        ServerSocket listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(address);
        Thread thread = new Thread(() -> take(listening), "no-answer");
        thread.setDaemon(true);
        thread.start();
        return listening;
    }

    private void take(ServerSocket listening) {
        try {
            while (!listening.isClosed()) {
                taken.add(listening.accept());
                asked.release();
            }
        } catch (IOException closed) {
            // the server comes
        }
    }

    private Closeable answering(int code) throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(code, -1);
                asked.release();
            }
        });
        server.start();
        return () -> server.stop(0);
    }

    InetSocketAddress address() {
        return address;
    }

    String url() {
        return "http://" + LOOPBACK + ":" + address.getPort();
    }

    /** Waits for so many requests, or connections if there is no answer. */
    void awaitAsked(int times) throws InterruptedException {
        asked.acquire(times);
    }

    /** Lets the server have the address. Connections without an answer stay as they are, as after the end of a machine. */
    void makeRoom() throws IOException {
        first.close();
        first = () -> {};
        while (!free()) {
            Thread.onSpinWait();
        }
    }

    /** The kernel has the address until the thread that accepts has noticed the close. */
    private boolean free() throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
            return true;
        } catch (BindException busy) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        makeRoom();
        for (Socket each : taken) {
            each.close();
        }
    }
}
