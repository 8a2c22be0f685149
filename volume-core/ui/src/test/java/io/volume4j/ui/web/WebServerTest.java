package io.volume4j.ui.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.BindException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of the server. */
@Timeout(60)
class WebServerTest {
    private static final ThreadFactory NO_THREADS = task -> {
        throw new OutOfMemoryError("unable to create native thread");
    };

    private final List<Thread> made = new CopyOnWriteArrayList<>();

    @Test
    void withoutAThreadItTakesNoPort() throws Exception {
        InetSocketAddress address = freeAddress();
        assertThatThrownBy(
                        () -> new WebServer(address, false, new Tokens(new SecureRandom()), new Nothing(), NO_THREADS))
                .isInstanceOf(OutOfMemoryError.class);
        try (ServerSocket other = new ServerSocket()) {
            other.bind(address);
            assertThat(other.isBound()).isTrue();
        }
    }

    @Test
    void saysThatThePortIsTakenAndEndsItsThread() throws Exception {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(freeAddress());
            assertThatThrownBy(() -> new WebServer(
                            (InetSocketAddress) other.getLocalSocketAddress(),
                            false,
                            new Tokens(new SecureRandom()),
                            new Nothing(),
                            this::made))
                    .isInstanceOf(BindException.class);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> made.stream().noneMatch(Thread::isAlive));
    }

    /** A user without a token must not fill the log of the host. */
    @ParameterizedTest
    @CsvSource({"/, 200", "/nothing.js, 404", "/api/summary, 404"})
    void aRequestForTheHeadAloneIsAnsweredWithoutAWarning(String path, int status) throws Exception {
        Logger jdk = Logger.getLogger("com.sun.net.httpserver");
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Recording(logged);
        jdk.addHandler(handler);
        try (WebServer server =
                new WebServer(freeAddress(), false, new Tokens(new SecureRandom()), new Nothing(), this::made)) {
            server.start();
            HttpURLConnection head = (HttpURLConnection)
                    new URL("http", "127.0.0.1", server.address().getPort(), path).openConnection();
            head.setRequestMethod("HEAD");

            assertThat(head.getResponseCode()).isEqualTo(status);
            assertThat(head.getHeaderField("Content-Security-Policy")).isNotEmpty();
            assertThat(logged).extracting(LogRecord::getMessage).isEmpty();
        } finally {
            jdk.removeHandler(handler);
        }
    }

    private static final class Recording extends Handler {
        private final List<LogRecord> logged;

        Recording(List<LogRecord> logged) {
            this.logged = logged;
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                logged.add(line);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private Thread made(Runnable task) {
        Thread thread = new Thread(task);
        made.add(thread);
        return thread;
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) free.getLocalSocketAddress();
        }
    }

    private static final class Nothing implements Shows {
        @Override
        public JsonNode summary() {
            return MissingNode.getInstance();
        }

        @Override
        public JsonNode rows(Map<String, String> query) {
            return MissingNode.getInstance();
        }

        @Override
        public JsonNode detail(Map<String, String> query) {
            return MissingNode.getInstance();
        }

        @Override
        public JsonNode orphans() {
            return MissingNode.getInstance();
        }

        @Override
        public JsonNode ask(JsonNode action, String peer) {
            return MissingNode.getInstance();
        }

        @Override
        public JsonNode confirm(String ticket, String peer) {
            return MissingNode.getInstance();
        }

        @Override
        public void requested() {}

        @Override
        public void streamOpened() {}

        @Override
        public void streamClosed() {}
    }
}
