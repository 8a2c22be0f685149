package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A request under way. It ends when it is closed, by whatever thread, and at its deadlines, of which the head of the answer has
 * one of its own: the client's timeout covers the head alone in some versions of Java and the whole body in others. Thread-safe.
 */
final class Exchange implements AutoCloseable {
    private static final Duration HEAD = Duration.ofSeconds(25);

    private final CompletableFuture<HttpResponse<InputStream>> answer;
    private final ScheduledFuture<?> deadline;

    /** @throws IOException if the timer has ended, as it does when the adapter is closed */
    Exchange(HttpClient client, HttpRequest request, ScheduledExecutorService timer, Duration life) throws IOException {
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
            // The JDK's refused connections come without a word.
            String why =
                    cause instanceof ConnectException ? "cannot be connected to" : String.valueOf(cause.getMessage());
            throw new IOException(why, cause);
        } catch (CancellationException | TimeoutException ended) {
            close();
            throw new IOException("no answer in time", ended);
        } catch (InterruptedException interrupted) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
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
