package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sends requests to one server, as one user. Thread-safe. */
final class ApiServer implements AutoCloseable {
    static final String JSON = "application/json";
    private static final String LEASES = "/apis/coordination.k8s.io/";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final Duration CALL = Duration.ofSeconds(25);

    /** A request needs at least this remaining time. */
    private static final Duration LEAST_LEFT = Duration.ofSeconds(5);

    private static final int LARGEST_ANSWER = 256 << 20;

    private final Connections connections;
    private final Pace pace;
    private final ScheduledThreadPoolExecutor timer;

    /**
     * @param access its token is sent only to {@code https} servers and to this machine
     * @throws IllegalArgumentException with the error in the access
     */
    ApiServer(Access access, RequestRate rate) {
        this(access, rate, System::nanoTime);
    }

    /** @param nanos a monotonic clock, for the pauses between questions to an exec plugin */
    ApiServer(Access access, RequestRate rate, LongSupplier nanos) {
        pace = new Pace(rate, System::nanoTime);
        try {
            connections = new Connections(access, nanos);
        } catch (IOException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "api-deadline");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        // Started now, because the machine may run out of threads later: a request without its deadline could wait for
        // ever.
        timer.prestartCoreThread();
    }

    /**
     * Sends one request and returns a successful answer.
     *
     * @param name see {@link ApiErrors#of}
     * @throws ClusterException in all other cases
     */
    Map<String, @Nullable Object> call(String what, String name, String method, String path) {
        return content(what, name, answer(what, urgent(path), method, path, null, JSON));
    }

    /** The same with a body. */
    Map<String, @Nullable Object> call(
            String what, String name, String method, String path, Map<String, @Nullable Object> body, String type) {
        return content(what, name, answer(what, urgent(path), method, path, body, type));
    }

    /** A leader that waits behind its other requests loses its Lease: with a renewal, and with the read after a failed one. */
    private static boolean urgent(String path) {
        return path.startsWith(LEASES);
    }

    /** An answer of a server. */
    static final class Answer {
        private final int code;
        private final @Nullable String retryAfter;
        private final byte[] body;

        /**
         * @param retryAfter the header of that name
         * @param body contains nothing of the token, if the answer is not a success
         */
        Answer(int code, @Nullable String retryAfter, byte[] body) {
            this.code = code;
            this.retryAfter = retryAfter;
            this.body = body;
        }

        int code() {
            return code;
        }

        byte[] body() {
            return body;
        }

        boolean success() {
            return code / 100 == 2;
        }

        /** Whether the same request may succeed soon. */
        boolean deferred() {
            return code == 429 || code / 100 == 5;
        }

        /** The pause that an overloaded server requires; zero without one. */
        Duration pause() {
            boolean overloaded = code == 429 || code == 503;
            if (!overloaded || retryAfter == null) {
                return Duration.ZERO;
            }
            try {
                // The other form, a date, would need the server's clock.
                return Duration.ofSeconds(Math.max(0, Integer.parseInt(retryAfter.strip())));
            } catch (NumberFormatException noSeconds) {
                return Duration.ofSeconds(1);
            }
        }
    }

    /**
     * The server's answer, a success or not.
     *
     * @throws ClusterException if the server does not answer
     */
    Answer ask(String what, String path) {
        return answer(what, urgent(path), "GET", path, null, JSON);
    }

    /** What an answer means that is not a success. */
    ClusterException refusal(String what, String name, Answer answer) {
        return ApiErrors.of(what + at(), name, answer.code(), answer.body());
    }

    /** See {@link #call}. */
    Map<String, @Nullable Object> content(String what, String name, Answer answer) {
        if (!answer.success()) {
            throw refusal(what, name, answer);
        }
        try {
            return Json.read(answer.body());
        } catch (IOException noJson) {
            throw unavailable(
                    what, new IOException(noJson.getMessage() + "; check that the address is an API server's", noJson));
        }
    }

    /**
     * Sends a request. If an overloaded server defers it, the adapter sends it again after the required pause, within the time
     * limit. That is safe for a read, and after 429, because the server has done nothing.
     *
     * @param urgent whether the request skips the queue; its caller has its own pauses, and gets a failure at once
     */
    private Answer answer(
            String what,
            boolean urgent,
            String method,
            String path,
            @Nullable Map<String, @Nullable Object> body,
            String type) {
        long end = System.nanoTime() + CALL.toNanos();
        try {
            while (true) {
                pace.await(urgent, left(end).minus(LEAST_LEFT));
                Answer answer;
                try (Exchange exchange = exchange(method, path, body, type, left(end))) {
                    answer = exchange.whole(LARGEST_ANSWER);
                }
                if (answer.code() == 401) {
                    connections.refused();
                }
                Duration pause = obey(answer);
                if (pause.isZero()) {
                    return answer;
                }
                boolean undone = answer.code() == 429 || method.equals("GET");
                if (urgent || !undone || left(end).minus(LEAST_LEFT).compareTo(pause) < 0) {
                    return answer;
                }
            }
        } catch (IOException failed) {
            throw unavailable(what, failed);
        }
    }

    /** Makes the next requests wait for the pause that the answer requires. Returns this pause, zero without one. */
    Duration obey(Answer answer) {
        Duration pause = answer.pause();
        if (pause.isZero()) {
            pace.answered();
        } else {
            pace.pause(pause);
        }
        return pause;
    }

    private static Duration left(long end) {
        return Duration.ofNanos(end - System.nanoTime());
    }

    /**
     * A request whose answer continues until one side ends it. Returns before the head arrives. Other requests do not interrupt
     * the thread that reads its body; that thread reads from the connection itself. The caller must {@link #obey} an answer that is
     * not a success.
     *
     * @param life time limit of the exchange
     * @param patience time limit for this call
     */
    Exchange open(String path, Duration life, Duration patience) throws IOException {
        pace.await(false, patience);
        return exchange("GET", path, null, JSON, life);
    }

    private Exchange exchange(
            String method, String path, @Nullable Map<String, @Nullable Object> body, String type, Duration life)
            throws IOException {
        HttpClient client = connections.client();
        List<String> secrets = new ArrayList<>(connections.secrets());
        HttpRequest.Builder request = client.newHttpRequestBuilder()
                .uri(connections.address() + path)
                // The exchange has its own deadlines, and a watch has silent times.
                .forStreaming()
                .header("Accept", JSON);
        if (body == null) {
            request.method(method, JSON, null);
        } else {
            request.method(method, type, new String(Json.write(body), StandardCharsets.UTF_8));
        }
        BearerToken token = connections.token();
        if (token != null) {
            String value = token.read();
            secrets.add(value);
            request.header("Authorization", "Bearer " + value);
        }
        return new Exchange(client, Transport.threadsOf(client), request.build(), secrets, timer, life);
    }

    /** Runs the task once, unless it is closed before; the task must not block its thread. */
    Watch later(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> timed = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> timed.cancel(false);
        } catch (RejectedExecutionException closed) {
            throw new ClusterException(Reason.UNAVAILABLE, "the adapter has been closed");
        }
    }

    ClusterException unavailable(String what, IOException failed) {
        String why = Optional.ofNullable(failed.getMessage())
                .orElse(failed.getClass().getSimpleName());
        ClusterException unavailable = new ClusterException(Reason.UNAVAILABLE, what + at() + ": " + why);
        unavailable.initCause(failed);
        return unavailable;
    }

    String at() {
        return " at " + connections.address();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        connections.close();
    }

    @Override
    public String toString() {
        return "ApiServer[" + connections.address() + "]";
    }
}
