package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * A running request. It ends when any thread closes it, and at its deadline; the head of the answer has a separate
 * deadline. Thread-safe.
 */
final class Exchange implements AutoCloseable {
    /** The deadline for the head of an answer, and for an answer that is read whole. */
    static final Duration HEAD = Duration.ofSeconds(25);

    private final List<String> secrets;
    private final ClientThreads threads;
    private final BodyStream body;
    private final CompletableFuture<HttpResponse<AsyncBody>> answer;
    private final ScheduledFuture<?> deadline;

    /** The head of an answer, and its body, which may still arrive. */
    record Head(int code, @Nullable String retryAfter, InputStream body) {}

    /**
     * @param threads of the client
     * @param secrets of the request, which the server may repeat and no message may contain
     * @throws IOException if the adapter, or this client of it, has been closed
     */
    Exchange(
            HttpClient client,
            ClientThreads threads,
            HttpRequest request,
            List<String> secrets,
            ScheduledExecutorService timer,
            Duration life)
            throws IOException {
        this.threads = threads;
        this.body = new BodyStream(threads::here);
        this.secrets = secrets;
        try {
            answer = client.consumeBytes(request, body);
        } catch (IllegalStateException closed) {
            // Also the client of earlier files, if another request has just replaced it.
            throw new IOException("the client of this request has been closed", closed);
        }
        try {
            deadline = timer.schedule(this::end, life.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            end();
            throw new IOException("the adapter has been closed", closed);
        }
    }

    /**
     * The head of the answer.
     *
     * @throws IOException if there is none, also because the exchange was closed or took too long
     */
    Head head(Duration patience) throws IOException {
        return await(answer.thenApply(this::head), patience);
    }

    private Head head(HttpResponse<AsyncBody> head) {
        return new Head(head.code(), head.header("Retry-After"), body.of(head.body()));
    }

    private <T> T await(Future<T> future, Duration patience) throws IOException {
        try {
            return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            if (cause instanceof CancellationException) {
                throw late(cause);
            }
            throw new IOException(why(cause), cause);
        } catch (CancellationException | TimeoutException ended) {
            throw late(ended);
        } catch (InterruptedException interrupted) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private IOException late(Throwable ended) {
        close();
        return new IOException("no answer in time", ended);
    }

    /** The reason, for an administrator. */
    private static String why(Throwable cause) {
        if (cause instanceof ConnectException) {
            return "cannot be connected to: " + cause.getMessage();
        }
        if (cause instanceof SSLException) {
            Throwable untrusted = cause instanceof SSLPeerUnverifiedException ? cause : null;
            for (Throwable each = cause; each != null; each = each.getCause()) {
                untrusted = each instanceof GeneralSecurityException ? each : untrusted;
            }
            return untrusted == null
                    ? "no TLS: " + cause.getMessage()
                    : "the server's certificate is not trusted: " + untrusted.getMessage();
        }
        return String.valueOf(cause.getMessage());
    }

    /**
     * The whole answer. The client's thread that gets its head reads the body, too, so that an answer wakes the caller once. When the
     * client library has renewed a token, the head comes on a thread of the client that renewed it. That client is closed meanwhile,
     * which interrupts its threads, so the caller reads.
     *
     * @throws IOException if it does not arrive, or is longer
     */
    ApiServer.Answer whole(int longest) throws IOException {
        Arrived arrived = await(answer.thenApply(head -> arrived(head(head), longest)), HEAD);
        return arrived.answer() == null ? read(arrived.head(), longest) : arrived.answer();
    }

    /** The head of an answer, and the whole answer if a thread of the client has read it. */
    private record Arrived(Head head, ApiServer.@Nullable Answer answer) {}

    private Arrived arrived(Head head, int longest) {
        try {
            return new Arrived(head, threads.own() ? read(head, longest) : null);
        } catch (IOException failed) {
            throw new CompletionException(failed);
        }
    }

    private ApiServer.Answer read(Head head, int longest) throws IOException {
        byte[] read = head.body().readNBytes(longest + 1);
        if (read.length > longest) {
            throw new IOException("an answer of more than " + longest + " bytes");
        }
        boolean success = head.code() / 100 == 2;
        return new ApiServer.Answer(head.code(), head.retryAfter(), success ? read : scrubbed(read));
    }

    /** The server knows the token, and its message may repeat the token. */
    private byte[] scrubbed(byte[] text) {
        String shown = new String(text, StandardCharsets.UTF_8);
        for (String secret : secrets) {
            shown = shown.replace(secret, "…");
        }
        return shown.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        deadline.cancel(false);
        end();
    }

    private void end() {
        answer.cancel(true);
        body.close();
    }
}
