package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a server without HTTP/2, which needs one for each request at the same time. */
@Timeout(60)
class IdleConnectionsTest {
    /** The calls that a controller makes at the same time. */
    private static final int CALLS = 16;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** Answers only when all calls have come, so that each has a connection of its own. */
    private final CyclicBarrier together = new CyclicBarrier(CALLS);

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        ports.add(exchange.getRemoteAddress().getPort());
        try (exchange) {
            together.await();
            byte[] claim = Answers.CLAIM.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, claim.length);
            exchange.getResponseBody().write(claim);
        } catch (Exception ended) {
            throw new IOException(ended);
        }
    }

    @Test
    void theNextCallsUseTheConnectionsOfTheLastOnes() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (HttpCluster cluster = HttpCluster.of(Access.to(address))) {
            for (int round = 0; round < 5; round++) {
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    calls.add(threads.submit(() -> cluster.readLive(ObjectKey.claim("ns", "c"))));
                }
                for (Future<?> call : calls) {
                    call.get();
                }
            }
        }
        assertThat(ports).hasSize(CALLS);
    }
}
