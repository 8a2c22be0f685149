package io.volume4j.examples.agent.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A server that answers one request after the other as it was told to, whatever is asked; then it is unavailable. */
final class ScriptedServer implements AutoCloseable {
    /** @param retryAfter seconds, {@code ""} for none */
    private record Answer(int code, String retryAfter, String body) {}

    final List<String> requests = new CopyOnWriteArrayList<>();
    final List<String> tokens = new CopyOnWriteArrayList<>();
    final List<String> clients = new CopyOnWriteArrayList<>();
    /** Whose connections requests came over. */
    final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    ScriptedServer() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    ScriptedServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    void answer(int code, String body) {
        answers.add(new Answer(code, "", body));
    }

    /** An answer of an overloaded server. */
    void putOff(int code, int seconds) {
        answers.add(new Answer(code, Integer.toString(seconds), ""));
    }

    void forgetAnswers() {
        answers.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            clientPorts.add(exchange.getRemoteAddress().getPort());
            byte[] asked = exchange.getRequestBody().readAllBytes();
            String body = asked.length == 0 ? "" : " " + new String(asked, StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + body);
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            if (exchange instanceof HttpsExchange secure) {
                clients.add(who(secure));
            }
            Answer next = answers.poll();
            Answer answer = next == null ? new Answer(503, "", "") : next;
            byte[] text = answer.body().getBytes(StandardCharsets.UTF_8);
            if (!answer.retryAfter().isEmpty()) {
                exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
            }
            exchange.sendResponseHeaders(answer.code(), text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        }
    }

    private static String who(HttpsExchange exchange) {
        try {
            return exchange.getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException anonymous) {
            return "anonymous";
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
