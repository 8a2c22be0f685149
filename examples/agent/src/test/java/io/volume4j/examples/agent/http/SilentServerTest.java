package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that takes requests and does not answer them, or not to their end. */
@Timeout(120)
class SilentServerTest {
    private static final String WATCH =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    private static final String REFUSAL =
            "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"kind\":";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> taken = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();

    /** What the server sends for each request, before it is silent; without one, nothing. */
    private final BlockingQueue<String> beginnings = new LinkedBlockingQueue<>();

    @AutoClose
    private ServerSocket server;

    @AutoClose
    private ApiServer api;

    @AutoClose
    private HttpCluster cluster;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::take);
        Access access = Access.to(URI.create("http://127.0.0.1:" + server.getLocalPort()));
        api = new ApiServer(access, RequestRate.standard());
        cluster = HttpCluster.of(access);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        breakConnections();
    }

    private void take() {
        try {
            while (true) {
                Socket next = server.accept();
                taken.add(next);
                threads.execute(() -> read(next));
            }
        } catch (IOException | RejectedExecutionException closed) {
            // the end of the test
        }
    }

    private void read(Socket from) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8));
            String request = String.valueOf(lines.readLine());
            String line = request;
            while (line != null && !line.isEmpty()) {
                line = lines.readLine();
            }
            String beginning = Objects.requireNonNullElse(beginnings.poll(), "");
            from.getOutputStream().write(beginning.getBytes(StandardCharsets.UTF_8));
            from.getOutputStream().flush();
            requests.add(request);
        } catch (IOException closed) {
            // the end of the test
        }
    }

    private void breakConnections() throws IOException {
        for (Socket each : taken) {
            each.close();
        }
    }

    private String request() throws InterruptedException {
        String request = requests.poll(1, TimeUnit.MINUTES);
        assertThat(request).isNotNull();
        return request;
    }

    private HttpWatch watchOfNodes() {
        return new HttpWatch(
                api, Kind.NODE, "/api/v1/nodes", "", "5", events::add, Duration.ofMinutes(5), System::nanoTime);
    }

    @Test
    void aWatchThatIsBeingOpenedEndsWhenTheAdapterIsClosed() throws Exception {
        CompletableFuture<Void> opened =
                CompletableFuture.runAsync(() -> cluster.watch(Kind.NODE, Selection.all(), "5", events::add), threads);
        request();

        cluster.close();

        assertThatThrownBy(() -> opened.get(15, TimeUnit.SECONDS))
                .as("long before the server's time is over")
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClusterException.class);
        assertThat(events).isEmpty();
    }

    @Test
    void aClosedAdapterIsUnavailableAndNotBroken() {
        cluster.close();

        assertThatThrownBy(() -> cluster.watch(Kind.NODE, Selection.all(), "5", events::add))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("has been closed");
        assertThatThrownBy(() -> cluster.readLive(ObjectKey.node("n1"))).isInstanceOf(ClusterException.class);
    }

    @Test
    void aRefusalWhoseTextDoesNotArriveIsARefusalWhenTheTimeIsOver() {
        beginnings.add(REFUSAL);

        assertThatThrownBy(() -> watchOfNodes().begin(Duration.ofSeconds(5)))
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ClusterException.Reason.FORBIDDEN));
    }

    @Test
    void aWatchThatIsNotAnsweredFailsWhenTheTimeIsOver() {
        assertThatThrownBy(() -> watchOfNodes().begin(Duration.ofMillis(500)))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("no answer in time");
    }

    /** Until the watch expires, the library takes for complete what it knows. */
    @ParameterizedTest
    @ValueSource(strings = {"", REFUSAL})
    void aRunningWatchExpiresWithinSecondsWhenItsNextConnectionIsNotAnsweredToTheEnd(String next) throws Exception {
        beginnings.add(WATCH);
        beginnings.add(next);
        HttpWatch watch = watchOfNodes();
        watch.begin(Duration.ofSeconds(20));
        try (watch) {
            request();
            breakConnections();
            request();

            assertThat(events.poll(15, TimeUnit.SECONDS)).isEqualTo(WatchEvent.expired());
        }
    }

    @Test
    void aRunningWatchExpiresWithinSecondsWhenItsNextConnectionHasToWaitForItsTurn() throws Exception {
        beginnings.add(WATCH);
        beginnings.add("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n");
        HttpWatch watch = watchOfNodes();
        watch.begin(Duration.ofSeconds(20));
        try (watch) {
            request();
            assertThat(api.ask("read", "/api/v1/pods").code()).isEqualTo(429);
            breakConnections();

            assertThat(events.poll(15, TimeUnit.SECONDS)).isEqualTo(WatchEvent.expired());
        }
    }
}
