package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Preconditions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that a server ends, and what the client sends again. */
@Timeout(60)
class SecondReadingTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ServerSocket listening;
    private HttpCluster cluster;
    /** Whether a request, of which so many came before, gets an answer; the connection ends without one otherwise. */
    private volatile Predicate<Integer> answered = earlier -> true;

    @BeforeEach
    void start() throws IOException {
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
        cluster = HttpCluster.of(Access.to(URI.create("http://127.0.0.1:" + listening.getLocalPort())));
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
        listening.close();
    }

    private void serve() {
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                serve(client);
            } catch (IOException ended) {
                // The client or the test ended it.
            }
        }
    }

    /** One request for each connection: the next one meets a connection that the server has ended. */
    private void serve(Socket client) throws IOException {
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
            int next = client.getInputStream().read();
            if (next < 0) {
                return;
            }
            request.append((char) next);
        }
        int earlier = heard.size();
        heard.add(request.substring(0, request.indexOf(" ")));
        if (answered.test(earlier)) {
            client.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + CLAIM.length() + "\r\n\r\n" + CLAIM)
                            .getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aReadingIsSentOverANewConnectionWhenTheServerHasEndedTheOld() {
        for (int i = 0; i < 5; i++) {
            assertThat(cluster.readLive(HttpClusterBench.C)).isPresent();
        }
        assertThat(heard).containsExactly("GET", "GET", "GET", "GET", "GET");
    }

    @Test
    void aReadingWithoutAnAnswerIsSentTwiceAndNoMore() {
        answered = earlier -> earlier == 3;
        assertThatThrownBy(() -> cluster.readLive(HttpClusterBench.C)).isInstanceOf(ClusterException.class);
        assertThat(heard).hasSize(2);

        assertThat(cluster.readLive(HttpClusterBench.C)).isPresent();
        assertThat(heard).hasSize(4);
    }

    @Test
    void aWriteWithoutAnAnswerIsSentOnce() {
        answered = earlier -> false;
        assertThatThrownBy(() -> cluster.delete(HttpClusterBench.C, Preconditions.none()))
                .isInstanceOf(ClusterException.class);
        assertThat(heard).containsExactly("DELETE");
    }
}
