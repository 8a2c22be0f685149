package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.explain.Health;
import io.volume4j.csi.CsiRegistrarListener;
import io.volume4j.csi.CsiRegistrarListener.Liveness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MetricsTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A thread that waits for an answer cannot be interrupted. */
    private static final int MOST_MILLIS = 20_000;

    @Test
    void servesCountersTimesAndGaugesAsPrometheusReadsThem() throws Exception {
        try (Metrics metrics = serving(new Checks())) {
            metrics.count("calls_total", Map.of("plugin", "a \"b\"", "call", "attach"), 2);
            metrics.count("calls_total", Map.of("plugin", "a \"b\"", "call", "attach"), 1);
            metrics.time("call_seconds", Map.of(), Duration.ofMillis(1500));
            metrics.gauge("queue", Map.of(), 7);

            assertThat(read(metrics)).isEqualTo("""
                    call_seconds_count 1
                    calls_total{call="attach",plugin="a \\"b\\""} 3
                    call_seconds_sum 1.5
                    queue 7
                    """);
        }
    }

    @Test
    @Timeout(30)
    void answersOnAMachineThatHasNoThreadLeft() throws Exception {
        AtomicBoolean none = new AtomicBoolean();
        ThreadFactory threads = task -> {
            if (none.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Executors.defaultThreadFactory().newThread(task);
        };
        try (Metrics metrics =
                new Metrics(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Checks(), LONG, threads)) {
            none.set(true);
            metrics.gauge("queue", Map.of(), 7);

            assertThat(read(metrics)).isEqualTo("queue 7\n");
            assertThat(read(metrics)).isEqualTo("queue 7\n");
        }
    }

    @Test
    @Timeout(30)
    void aClientThatSendsHalfARequestDelaysNoProbe() throws Exception {
        try (Metrics metrics = serving(new Checks(), LONG);
                Socket client = halfARequest(metrics)) {
            assertThat(client.isConnected()).isTrue();
            assertThat(status(metrics, "/healthz")).isEqualTo(200);
        }
    }

    @Test
    @Timeout(30)
    void clientsThatNeverSendTheRestOfARequestAreDisconnected() throws Exception {
        try (Metrics metrics = serving(new Checks(), Duration.ofSeconds(3));
                Socket first = halfARequest(metrics);
                Socket second = halfARequest(metrics)) {
            for (Socket client : List.of(first, second)) {
                assertThat(client.getInputStream().read())
                        .as("the end of the connection")
                        .isEqualTo(-1);
            }
            assertThat(status(metrics, "/healthz")).isEqualTo(200);
        }
    }

    @Test
    void answersForTheProcessAndItsPartsTogether() throws Exception {
        Checks checks = new Checks();
        try (Metrics metrics = serving(checks)) {
            assertThat(status(metrics, "/healthz")).as("no part has started").isEqualTo(200);
            assertThat(status(metrics, "/readyz")).as("no part has started").isEqualTo(503);
        }
        List<Health> said = new ArrayList<>(List.of(Health.working(), Health.working()));
        checks.of(() -> said.get(0));
        checks.of(() -> said.get(1));
        try (Metrics metrics = serving(checks)) {
            assertThat(status(metrics, "/healthz")).isEqualTo(200);
            assertThat(status(metrics, "/readyz")).isEqualTo(200);

            said.set(1, Health.notReady(true, List.of("objects are being read")));
            assertThat(status(metrics, "/healthz")).isEqualTo(200);
            assertThat(status(metrics, "/readyz")).isEqualTo(503);

            said.set(0, Health.notLive("it was closed"));
            assertThat(status(metrics, "/healthz")).isEqualTo(503);
        }
    }

    @Test
    void answersForADriverAsTheRegistrarHeardOfIt() throws Exception {
        Checks checks = new Checks();
        List<String> told = new ArrayList<>();
        CsiRegistrarListener listener = checks.before(new CsiRegistrarListener() {
            @Override
            public void liveness(String driver, Liveness liveness, String reason) {
                told.add(driver + " " + liveness);
            }
        });
        try (Metrics metrics = serving(checks)) {
            assertThat(status(metrics, "/healthz/csi/d")).as("not registered").isEqualTo(503);
            listener.liveness("d", Liveness.READY, "");
            assertThat(status(metrics, "/healthz/csi/d")).isEqualTo(200);
            assertThat(status(metrics, "/healthz/csi/e")).isEqualTo(503);
            listener.liveness("d", Liveness.UNWELL, "no answer");
            assertThat(status(metrics, "/healthz/csi/d")).isEqualTo(503);
            listener.liveness("d", Liveness.READY, "");
            listener.unregistered("d");
            assertThat(status(metrics, "/healthz/csi/d")).as("gone").isEqualTo(503);
        }
        assertThat(told).containsExactly("d READY", "d UNWELL", "d READY");
    }

    @Test
    void aProbeThatAsksForTheHeadAloneCausesNoWarning() throws Exception {
        Logger jdk = Logger.getLogger("com.sun.net.httpserver");
        List<String> logged = new CopyOnWriteArrayList<>();
        Filter recording = line -> {
            logged.add(line.getMessage());
            return false;
        };
        Filter before = jdk.getFilter();
        jdk.setFilter(recording);
        try (Metrics metrics = serving(new Checks())) {
            URI uri = URI.create("http://127.0.0.1:" + metrics.address().getPort() + "/healthz");
            HttpURLConnection head = (HttpURLConnection) uri.toURL().openConnection();
            head.setRequestMethod("HEAD");

            assertThat(head.getResponseCode()).isEqualTo(200);
            assertThat(logged).isEmpty();
        } finally {
            jdk.setFilter(before);
        }
    }

    @Test
    void aPortThatIsTakenIsNamedAsTheUserWroteIt() throws Exception {
        try (Metrics metrics = serving(new Checks())) {
            assertThatThrownBy(() -> new Metrics(
                            new InetSocketAddress(
                                    InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                                    metrics.address().getPort()),
                            new Checks()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "cannot listen at 127.0.0.1:" + metrics.address().getPort() + ": ");
        }
    }

    private static Socket halfARequest(Metrics metrics) throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), metrics.address().getPort());
        client.setSoTimeout(MOST_MILLIS);
        client.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private static Metrics serving(Checks checks, Duration most) throws IOException {
        return new Metrics(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                checks,
                most,
                Executors.defaultThreadFactory());
    }

    private static Metrics serving(Checks checks) throws IOException {
        return new Metrics(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), checks);
    }

    private static int status(Metrics metrics, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + metrics.address().getPort() + path);
        HttpURLConnection probe = (HttpURLConnection) uri.toURL().openConnection();
        probe.setReadTimeout(MOST_MILLIS);
        return probe.getResponseCode();
    }

    private static String read(Metrics metrics) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + metrics.address().getPort() + "/metrics");
        try (InputStream text = uri.toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theAddressThatItTellsIsOneThatAClientCanRead() throws IOException {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        try (Measured measured =
                Measured.at(new InetSocketAddress("0.0.0.0", 0), new PrintStream(told, true, StandardCharsets.UTF_8))) {
            assertThat(measured.sink()).isInstanceOf(Metrics.class);
        }
        String url =
                told.toString(StandardCharsets.UTF_8).replace("metrics at ", "").strip();
        assertThat(URI.create(url).getPort()).as(url).isPositive();
    }
}
