package io.volume4j.ui.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves browsers and terminals. One thread serves each request, with at most {@value RequestThreads#MOST} threads; a stream keeps its
 * thread. The server disconnects a viewer that does not read or send for half a minute. Thread-safe.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    /** Most open streams; the server refuses further ones. */
    private static final int STREAMS = 32;

    private static final int LARGEST_BODY = 16 * 1024;
    private static final long HEARTBEAT_MILLIS = 10_000;
    private static final Duration MOST_BLOCKED = Duration.ofSeconds(30);

    private final HttpServer server;
    private final ExecutorService threads;
    private final WriteLimit limit;
    private final Guard guard;
    private final Shows shows;
    private final Stream stream = new Stream();
    private final Semaphore streams = new Semaphore(STREAMS);
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * A server that listens, but does not answer before {@link #start}.
     *
     * @param anyHost whether requests may name any host, as a proxy forwards them
     * @param daemons creates daemon threads
     * @throws IOException if it cannot listen at the address
     */
    public WebServer(InetSocketAddress address, boolean anyHost, Tokens tokens, Shows shows, ThreadFactory daemons)
            throws IOException {
        this.threads = RequestThreads.create(daemons);
        try {
            this.server = bound(address, threads);
        } catch (IOException | RuntimeException | Error failed) {
            threads.shutdownNow();
            throw failed;
        }
        this.limit = new WriteLimit(MOST_BLOCKED, daemons);
        this.shows = shows;
        this.guard = new Guard(tokens, anyHost, server.getAddress());
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /**
     * Takes the port on a thread of the server, so that a machine without a free thread keeps its port free. If the machine has
     * one or two free threads only, the JDK's server fails after it took the port, and keeps it: it needs two threads of its own.
     */
    private static HttpServer bound(InetSocketAddress address, Executor threads) throws IOException {
        try {
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return HttpServer.create(address, 0);
                                } catch (IOException taken) {
                                    throw new UncheckedIOException(taken);
                                }
                            },
                            threads)
                    .join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof UncheckedIOException taken) {
                throw taken.getCause();
            }
            throw failed;
        }
    }

    /** Starts to answer. */
    public void start() {
        // The server's own thread is a daemon only if a daemon thread starts it.
        CompletableFuture.runAsync(server::start, threads).join();
    }

    /** The address of the server. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Sends the summary to all streams. */
    public void publish(JsonNode summary) {
        stream.publish(bytes(summary));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try {
            Guard.protect(exchange.getResponseHeaders());
            try {
                guard.requireHost(exchange);
                route(exchange);
            } catch (Refusal refusal) {
                send(exchange, refusal.status(), error(String.valueOf(refusal.getMessage())));
            } catch (RuntimeException bug) {
                LOG.atWarn()
                        .addKeyValue("path", exchange.getRequestURI().getPath())
                        .setCause(bug)
                        .log("live view: a request failed");
                send(exchange, 500, error("the view failed; its log says why"));
            }
        } catch (IOException gone) {
            // The viewer disconnected.
            LOG.atTrace().setCause(gone).log("live view: a viewer left");
        } finally {
            limit.write(exchange::close);
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String call = exchange.getRequestMethod() + " " + path;
        switch (call) {
            case "POST /api/session" -> {
                guard.open(exchange, body(exchange).path("token").asText());
                send(exchange, 200, JsonNodeFactory.instance.objectNode());
            }
            case "GET /api/stream" -> {
                guard.requireViewer(exchange);
                stream(exchange);
            }
            case "GET /api/summary", "GET /api/rows", "GET /api/detail" -> {
                guard.requireViewer(exchange);
                shows.requested();
                send(exchange, 200, shown(path, query(exchange)));
            }
            case "GET /api/orphans" -> {
                guard.requireOperator(exchange);
                send(exchange, 200, shows.orphans());
            }
            case "POST /api/ask" -> {
                guard.requireOperator(exchange);
                send(exchange, 200, shows.ask(body(exchange), peer(exchange)));
            }
            case "POST /api/confirm" -> {
                guard.requireOperator(exchange);
                send(exchange, 200, shows.confirm(body(exchange).path("ticket").asText(), peer(exchange)));
            }
            default -> file(exchange, path);
        }
    }

    private JsonNode shown(String path, Map<String, String> query) {
        return switch (path) {
            case "/api/rows" -> shows.rows(query);
            case "/api/detail" -> shows.detail(query);
            default -> shows.summary();
        };
    }

    private void file(HttpExchange exchange, String path) throws IOException {
        Assets.Asset asset = exchange.getRequestMethod().equals("GET") || headAlone(exchange)
                ? Assets.find(path).orElseThrow(() -> new Refusal(404, "there is nothing at this address"))
                : refuse();
        exchange.getResponseHeaders().set("Content-Type", asset.type());
        send(exchange, 200, asset.length(), asset::writeTo);
    }

    private static Assets.Asset refuse() {
        throw new Refusal(404, "there is nothing at this address");
    }

    /** Server-sent events, each with the newest summary. */
    private void stream(HttpExchange exchange) throws IOException {
        if (!streams.tryAcquire()) {
            throw new Refusal(503, "as many viewers look as may, " + STREAMS + "; close a page and try again");
        }
        shows.streamOpened();
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            limit.write(() -> exchange.sendResponseHeaders(200, 0));
            OutputStream out = exchange.getResponseBody();
            byte[] first = bytes(shows.summary());
            write(out, to -> to.write(first));
            long seen = 0;
            while (!stream.closed()) {
                Stream.Next next = stream.after(seen, HEARTBEAT_MILLIS);
                if (next.number() == 0) {
                    limit.write(() -> {
                        out.write(":\n\n".getBytes(StandardCharsets.US_ASCII));
                        out.flush();
                    });
                } else {
                    seen = next.number();
                    write(out, next::writeTo);
                }
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            shows.streamClosed();
            streams.release();
        }
    }

    /** Writes a body, or a part of it. */
    private interface Writes {
        void to(OutputStream out) throws IOException;
    }

    private void write(OutputStream out, Writes summary) throws IOException {
        limit.write(() -> {
            out.write("data: ".getBytes(StandardCharsets.US_ASCII));
            summary.to(out);
            out.write("\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        });
    }

    private JsonNode body(HttpExchange exchange) throws IOException {
        byte[] body = limit.within(() -> exchange.getRequestBody().readNBytes(LARGEST_BODY + 1));
        if (body.length > LARGEST_BODY) {
            throw new Refusal(413, "the request is too large");
        }
        try {
            JsonNode tree = mapper.readTree(body);
            return tree == null ? JsonNodeFactory.instance.objectNode() : tree;
        } catch (JsonProcessingException noJson) {
            throw new Refusal(400, "the request is no JSON");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            throw new Refusal(400, "the address is not encoded as it must be");
        }
    }

    static String peer(HttpExchange exchange) {
        return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    private static JsonNode error(String text) {
        return JsonNodeFactory.instance.objectNode().put("error", text);
    }

    private void send(HttpExchange exchange, int status, JsonNode tree) throws IOException {
        byte[] bytes = bytes(tree);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(exchange, status, bytes.length, out -> out.write(bytes));
    }

    /** Sends no body if the request asks for the head alone: the JDK's server logs a warning for each body. */
    private void send(HttpExchange exchange, int status, int length, Writes body) throws IOException {
        limit.write(() -> {
            if (headAlone(exchange)) {
                exchange.sendResponseHeaders(status, -1);
            } else {
                exchange.sendResponseHeaders(status, length);
                body.to(exchange.getResponseBody());
            }
        });
    }

    private static boolean headAlone(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("HEAD");
    }

    private byte[] bytes(JsonNode tree) {
        try {
            return mapper.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        stream.close();
        server.stop(0);
        threads.shutdownNow();
        limit.close();
    }
}
