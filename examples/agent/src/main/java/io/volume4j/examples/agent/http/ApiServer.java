package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Requests to one server, as one user. Thread-safe. */
final class ApiServer implements AutoCloseable {
    static final String JSON = "application/json";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration CALL = Duration.ofSeconds(25);
    private static final int LARGEST_ANSWER = 256 << 20;

    private final String base;
    private final @Nullable BearerToken token;
    private final HttpClient client;
    private final ScheduledThreadPoolExecutor timer;

    /**
     * @param server {@code http} or {@code https}, host, port and perhaps a path
     * @param tokenFile sent to {@code https} servers and to this machine only
     * @param caFile certificates in PEM, whom to believe in place of those whom Java believes
     * @throws IllegalArgumentException with what is wrong with these
     */
    ApiServer(URI server, @Nullable Path tokenFile, @Nullable Path caFile) {
        base = ServerAddress.checked(server, tokenFile != null);
        token = tokenFile == null ? null : new BearerToken(tokenFile);
        HttpClient.Builder builder = HttpClient.newBuilder()
                // Each watch has a connection of its own, which ends with it and takes nothing else along.
                .version(HttpClient.Version.HTTP_1_1)
                // A redirection could send the token, or a write, to somebody else.
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        client = (caFile == null ? builder : builder.sslContext(TrustedCertificates.of(caFile))).build();
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
        return answer(what, name, request(what, method, path, null, JSON));
    }

    /** The same with a body. */
    Map<String, @Nullable Object> call(
            String what, String name, String method, String path, Map<String, @Nullable Object> body, String type) {
        return answer(what, name, request(what, method, path, body, type));
    }

    private Map<String, @Nullable Object> answer(String what, String name, HttpRequest request) {
        try (Exchange exchange = new Exchange(client, request, timer, CALL)) {
            HttpResponse<InputStream> head = exchange.head();
            byte[] body = head.body().readNBytes(LARGEST_ANSWER + 1);
            if (body.length > LARGEST_ANSWER) {
                throw new IOException("an answer of more than " + LARGEST_ANSWER + " bytes");
            }
            if (head.statusCode() / 100 != 2) {
                throw ApiErrors.of(what + at(), name, head.statusCode(), scrubbed(body, request));
            }
            return Json.read(body);
        } catch (IOException failed) {
            throw unavailable(what, failed);
        }
    }

    /** Whoever answers has seen the token, and may repeat what it does not like. */
    private static byte[] scrubbed(byte[] body, HttpRequest request) {
        Optional<String> secret = request.headers().firstValue("Authorization").map(header -> header.substring(7));
        return secret.isEmpty()
                ? body
                : new String(body, StandardCharsets.UTF_8)
                        .replace(secret.get(), "…")
                        .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A request whose answer goes on until somebody ends it. Its head is still to come.
     *
     * @param life after which it is ended in any case
     */
    Exchange open(String what, String path, Duration life) throws IOException {
        return new Exchange(client, request(what, "GET", path, null, JSON), timer, life);
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
