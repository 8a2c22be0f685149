package io.volume4j.examples.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.volume4j.spi.host.MetricsSink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * Serves the library's metrics in the text format of Prometheus. A duration becomes a sum in seconds and a count. Thread-safe.
 */
final class Metrics implements MetricsSink, AutoCloseable {
    /** One is for clients that are slow, or send half a request, so that probes do not wait for them. */
    private static final int THREADS = 2;

    /** As long as Prometheus waits by default. */
    private static final Duration MOST = Duration.ofSeconds(10);

    private static final String OF_DRIVER = "/healthz/csi/";

    private final Map<String, LongAdder> counters = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> nanos = new ConcurrentSkipListMap<>();
    private final Map<String, Long> gauges = new ConcurrentSkipListMap<>();
    private final HttpServer server;
    private final RequestThreads threads;

    /** @throws IOException if it cannot listen there */
    Metrics(InetSocketAddress address, Checks checks) throws IOException {
        this(address, checks, MOST, Metrics::daemon);
    }

    /**
     * The same.
     *
     * @param most time for each request
     * @param factory creates the answering threads
     */
    Metrics(InetSocketAddress address, Checks checks, Duration most, ThreadFactory factory) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("--metrics: " + address.getHostString() + " has no address");
        }
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException inUse) {
            throw new IOException(
                    "--metrics: cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + inUse.getMessage() + "; name another port",
                    inUse);
        }
        threads = new RequestThreads(THREADS, most, factory);
        server.setExecutor(threads);
        server.createContext(
                "/metrics", exchange -> answer(exchange, "text/plain; version=0.0.4; charset=utf-8", 200, text()));
        server.createContext("/healthz", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith(OF_DRIVER)) {
                answer(exchange, checks.driver(path.substring(OF_DRIVER.length())));
            } else {
                answer(exchange, checks.live());
            }
        });
        server.createContext("/readyz", exchange -> answer(exchange, checks.ready()));
        server.start();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "agent-metrics");
        thread.setDaemon(true);
        return thread;
    }

    private static void answer(HttpExchange exchange, Checks.Answer answer) throws IOException {
        answer(exchange, "text/plain; charset=utf-8", answer.well() ? 200 : 503, answer.text() + "\n");
    }

    private static void answer(HttpExchange exchange, String type, int status, String body) throws IOException {
        try (exchange) {
            byte[] text = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            if (exchange.getRequestMethod().equals("HEAD")) {
                // with a body, the JDK's server logs a warning for each probe
                exchange.sendResponseHeaders(status, -1);
            } else {
                exchange.sendResponseHeaders(status, text.length);
                exchange.getResponseBody().write(text);
            }
        }
    }

    /** The address of the server. */
    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void count(String name, Map<String, String> labels, long amount) {
        counters.computeIfAbsent(series(name, "", labels), key -> new LongAdder())
                .add(amount);
    }

    @Override
    public void time(String name, Map<String, String> labels, Duration duration) {
        counters.computeIfAbsent(series(name, "_count", labels), key -> new LongAdder())
                .increment();
        nanos.computeIfAbsent(series(name, "_sum", labels), key -> new LongAdder())
                .add(duration.toNanos());
    }

    @Override
    public void gauge(String name, Map<String, String> labels, long value) {
        gauges.put(series(name, "", labels), value);
    }

    @Override
    public void remove(String name, Map<String, String> labels) {
        gauges.remove(series(name, "", labels));
    }

    /** {@code name_count{plugin="a"}}, with labels sorted by name. */
    private static String series(String name, String suffix, Map<String, String> labels) {
        StringBuilder text = new StringBuilder(name.replaceAll("[^a-zA-Z0-9_:]", "_")).append(suffix);
        List<String> pairs = new ArrayList<>();
        new TreeMap<>(labels).forEach((label, value) -> {
            String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            pairs.add(label.replaceAll("[^a-zA-Z0-9_]", "_") + "=\"" + escaped + "\"");
        });
        if (!pairs.isEmpty()) {
            text.append('{').append(String.join(",", pairs)).append('}');
        }
        return text.toString();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        counters.forEach((series, value) ->
                text.append(series).append(' ').append(value.sum()).append('\n'));
        nanos.forEach((series, value) ->
                text.append(series).append(' ').append(value.sum() / 1e9).append('\n'));
        gauges.forEach(
                (series, value) -> text.append(series).append(' ').append(value).append('\n'));
        return text.toString();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
