package io.volume4j.ui.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the other view is queried. */
class JoinedRefreshTest {
    private final AtomicInteger queries = new AtomicInteger();

    /** Such a clock may start anywhere, and may overflow. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

    private HttpServer server;
    private JoinedView view;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            queries.incrementAndGet();
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        view = new JoinedView("n1", address, "t", HttpClient.newHttpClient(), nanos::get);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void refreshUntilAnswered() {
        long from = nanos.get();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            // Does nothing while an answer is outstanding.
            view.refresh();
            return view.answer().filter(answer -> answer.at() == from).isPresent();
        });
    }

    /** After a step of the wall clock the page would show a state of hours ago as today's. */
    @Test
    void isOnceInASecondOfElapsedTime() {
        refreshUntilAnswered();
        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        view.refresh();
        assertThat(queries).hasValue(1);

        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        refreshUntilAnswered();
        assertThat(queries).hasValue(2);
    }
}
