package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread reads what a server sends. */
@Timeout(120)
class ClientThreadsTest {
    @Test
    void aWatchHoldsOneThreadWhichReadsFromTheConnectionItself() throws Exception {
        try (Store store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()));
                Watch watch = cluster.watch(
                        Kind.POD,
                        Selection.all(),
                        cluster.list(Kind.POD, Selection.all()).revision(),
                        event -> {})) {
            assertThat(watch).isNotNull();
            await().atMost(1, TimeUnit.MINUTES)
                    .untilAsserted(() -> assertThat(thatRead()).containsExactly("api-watch-Pod"));
        }
    }

    private static List<String> thatRead() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith(BodyEnd.class.getName() + "$")
                                && frame.getMethodName().equals("read")))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    @Test
    void whatIsReadHereRunsOnTheCallingThreadAndAllElseOnOthers() {
        ClientThreads threads = new ClientThreads();
        try {
            CompletableFuture<Thread> here = new CompletableFuture<>();
            CompletableFuture<Thread> elsewhere = new CompletableFuture<>();

            threads.here(() -> threads.execute(() -> here.complete(Thread.currentThread())));
            threads.execute(() -> elsewhere.complete(Thread.currentThread()));

            assertThat(here).isCompletedWithValue(Thread.currentThread());
            assertThat(elsewhere.join()).isNotSameAs(Thread.currentThread());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Each wake-up of another thread costs more than reading an answer. */
    @Test
    void theThreadThatGetsTheHeadOfAnAnswerReadsItsBody() throws Exception {
        HttpClient.Builder builder = new Transport(null, false).newBuilder();
        try (ScriptedServer server = new ScriptedServer();
                HttpClient client = builder.build()) {
            server.answer(200, "{\"kind\":\"Pod\"}");
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
            ClientThreads threads = Transport.threadsOf(client);
            HttpRequest request = client.newHttpRequestBuilder()
                    .uri(server.uri() + "/api/v1/pods/p")
                    .build();
            try (Exchange exchange = new Exchange(client, threads, request, List.of(), timer, Exchange.HEAD)) {
                assertThat(exchange.whole(100).body())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("{\"kind\":\"Pod\"}");
                // Only a pool that has ended counts its tasks exactly.
                threads.shutdown();
                assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
                assertThat(threads.getCompletedTaskCount())
                        .as("tasks that another thread ran")
                        .isOne();
            } finally {
                timer.shutdownNow();
            }
        }
    }

    /** As after the renewal of a token: the client that renewed it is closed, which interrupts the thread that brings the head. */
    @Test
    void theCallerReadsABodyWhoseHeadCameOnAThreadOfAnotherClient() throws Exception {
        HttpClient.Builder builder = new Transport(null, false).newBuilder();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (ScriptedServer server = new ScriptedServer();
                HttpClient client = builder.build()) {
            server.answer(200, "{\"kind\":\"Pod\"}");
            HttpRequest request = client.newHttpRequestBuilder()
                    .uri(server.uri() + "/api/v1/pods/p")
                    .build();
            try (Exchange exchange = new Exchange(
                    new Interrupting(client), Transport.threadsOf(client), request, List.of(), timer, Exchange.HEAD)) {
                assertThat(exchange.whole(100).body())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("{\"kind\":\"Pod\"}");
            }
        } finally {
            timer.shutdownNow();
        }
    }

    /** Completes each answer on a new thread that has been interrupted. */
    private record Interrupting(HttpClient client) implements HttpClient {
        @Override
        public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
                HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> body) {
            return client.consumeBytes(request, body)
                    .thenApplyAsync(
                            head -> head,
                            task -> new Thread(() -> {
                                        Thread.currentThread().interrupt();
                                        task.run();
                                    })
                                    .start());
        }

        @Override
        public void close() {
            client.close();
        }

        @Override
        public boolean isClosed() {
            return client.isClosed();
        }

        @Override
        public DerivedClientBuilder newBuilder() {
            return client.newBuilder();
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
            return client.sendAsync(request, type);
        }

        @Override
        public WebSocket.Builder newWebSocketBuilder() {
            return client.newWebSocketBuilder();
        }

        @Override
        public HttpRequest.Builder newHttpRequestBuilder() {
            return client.newHttpRequestBuilder();
        }
    }

    /** As when the user's certificate has changed: nothing is read as the former user. */
    @Test
    void aClosedClientInterruptsTheThreadThatReadsAndRefusesLaterReads() throws Exception {
        ClientThreads threads = new ClientThreads();
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<List<Boolean>> ended = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            boolean[] interrupted = new boolean[1];
            threads.here(() -> {
                reading.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException closed) {
                    interrupted[0] = true;
                    // as the HTTP library leaves it
                    Thread.currentThread().interrupt();
                }
            });
            ended.complete(List.of(interrupted[0], Thread.currentThread().isInterrupted()));
        });
        reader.start();
        reading.await();

        threads.shutdownNow();

        assertThat(ended.get()).as("was, and is still interrupted").containsExactly(true, false);
        assertThatThrownBy(() -> threads.here(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
