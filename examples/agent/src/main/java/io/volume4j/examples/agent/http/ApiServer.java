package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Requests to one server, as one user. Thread-safe. */
final class ApiServer implements AutoCloseable {
    static final String JSON = "application/json";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final Duration CALL = Duration.ofSeconds(25);
    private static final int LARGEST_ANSWER = 256 << 20;

    private final String base;
    private final @Nullable BearerToken token;
    private final Connections connections;
    private final ScheduledThreadPoolExecutor timer;

    /**
     * @param server {@code http} or {@code https}, host, port and perhaps a path
     * @param access whose token is sent to {@code https} servers and to this machine only
     * @throws IllegalArgumentException with what is wrong with these
     */
    ApiServer(URI server, Access access) {
        Path tokenFile = access.token();
        base = ServerAddress.checked(server, tokenFile != null);
        token = tokenFile == null ? null : new BearerToken(tokenFile);
        connections = new Connections(access);
        try {
            connections.client();
        } catch (IOException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "api-deadline");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * One request and its answer, if that is a success.
     *
     * @param name see {@link ApiErrors#of}
     * @throws ClusterException in all other cases
     */
    Map<String, @Nullable Object> call(String what, String name, String method, String path) {
        return content(what, name, answer(what, request(what, method, path, null, JSON)));
    }

    /** The same with a body. */
    Map<String, @Nullable Object> call(
            String what, String name, String method, String path, Map<String, @Nullable Object> body, String type) {
        return content(what, name, answer(what, request(what, method, path, body, type)));
    }

    /** What a server said. */
    static final class Answer {
        private final int code;
        private final byte[] body;

        /** @param body nothing of our token stands in it, if this is no success */
        Answer(int code, byte[] body) {
            this.code = code;
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
    }

    /**
     * What the server says when it is asked for something, be that a success or not.
     *
     * @throws ClusterException if it says nothing
     */
    Answer ask(String what, String path) {
        return answer(what, request(what, "GET", path, null, JSON));
    }

    /** See {@link #call}. */
    Map<String, @Nullable Object> content(String what, String name, Answer answer) {
        if (!answer.success()) {
            throw ApiErrors.of(what + at(), name, answer.code(), answer.body());
        }
        try {
            return Json.read(answer.body());
        } catch (IOException noJson) {
            throw unavailable(what, noJson);
        }
    }

    private Answer answer(String what, HttpRequest request) {
        try (Exchange exchange = new Exchange(connections.client(), request, timer, CALL)) {
            return exchange.whole(LARGEST_ANSWER);
        } catch (IOException failed) {
            throw unavailable(what, failed);
        }
    }

    /**
     * A request whose answer goes on until somebody ends it. Its head is still to come.
     *
     * @param life after which it is ended in any case
     */
    Exchange open(String what, String path, Duration life) throws IOException {
        return new Exchange(connections.client(), request(what, "GET", path, null, JSON), timer, life);
    }

    private HttpRequest request(
            String what, String method, String path, @Nullable Map<String, @Nullable Object> body, String type) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Accept", JSON)
                .header("User-Agent", "volume4j-agent");
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", type).method(method, BodyPublishers.ofByteArray(Json.write(body)));
        }
        if (token != null) {
            try {
                request.header("Authorization", "Bearer " + token.read());
            } catch (IOException unreadable) {
                throw unavailable(what, unreadable);
            }
        }
        return request.build();
    }

    /** Runs the task once, from a thread that it must not hold up, unless it is closed before. */
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
        return " at " + base;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    @Override
    public String toString() {
        return "ApiServer[" + base + "]";
    }
}
