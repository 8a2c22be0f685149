package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * A request under way. It ends when it is closed, by whatever thread, and at its deadlines, of which the head of the answer has
 * one of its own: the client's timeout covers the head alone in some versions of Java and the whole body in others. Thread-safe.
 */
final class Exchange implements AutoCloseable {
    private static final Duration HEAD = Duration.ofSeconds(25);

    private final HttpRequest request;
    private final CompletableFuture<HttpResponse<InputStream>> answer;
    private final ScheduledFuture<?> deadline;

    /** @throws IOException if the timer has ended, as it does when the adapter is closed */
    Exchange(HttpClient client, HttpRequest request, ScheduledExecutorService timer, Duration life) throws IOException {
        this.request = request;
        answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        try {
            deadline = timer.schedule(this::end, life.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            end();
            throw new IOException("the adapter has been closed", closed);
        }
    }

    /**
     * The answer's head; its body may still be on its way.
     *
     * @throws IOException if there is none, also because the exchange was closed or took too long
     */
    HttpResponse<InputStream> head() throws IOException {
        try {
            return answer.get(HEAD.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new IOException(why(cause), cause);
        } catch (CancellationException | TimeoutException ended) {
            close();
            throw new IOException("no answer in time", ended);
        } catch (InterruptedException interrupted) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** In words of a person who has to mend it. */
    private static String why(Throwable cause) {
        if (cause instanceof ConnectException) {
            return "cannot be connected to"; // the JDK's comes without a word
        }
        if (cause instanceof SSLException) {
            Throwable untrusted = null;
            for (Throwable each = cause; each != null; each = each.getCause()) {
                untrusted = each instanceof GeneralSecurityException ? each : untrusted;
            }
            return untrusted == null
                    ? "no TLS: " + cause.getMessage()
                    : "the server's certificate is not believed: " + untrusted.getMessage();
        }
        return String.valueOf(cause.getMessage());
    }

    /**
     * All of the answer.
     *
     * @throws IOException if it does not come, or is longer
     */
    ApiServer.Answer whole(int longest) throws IOException {
        HttpResponse<InputStream> head = head();
        byte[] body = head.body().readNBytes(longest + 1);
        if (body.length > longest) {
            throw new IOException("an answer of more than " + longest + " bytes");
        }
        boolean success = head.statusCode() / 100 == 2;
        return new ApiServer.Answer(head.statusCode(), success ? body : scrubbed(body));
    }

    /** Whoever answers has seen the token, and may repeat what it does not like. */
    private byte[] scrubbed(byte[] body) {
        Optional<String> secret = request.headers().firstValue("Authorization").map(header -> header.substring(7));
        return secret.isEmpty()
                ? body
                : new String(body, StandardCharsets.UTF_8)
                        .replace(secret.get(), "…")
                        .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        deadline.cancel(false);
        end();
    }

    private void end() {
        answer.cancel(true);
        var unused = answer.whenComplete((head, failure) -> {
            if (head != null) {
                try {
                    head.body().close();
                } catch (IOException alreadyEnded) {
                    // That is what was wanted.
                }
            }
        });
    }
}
