package io.volume4j.ui.join;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.ui.web.Refusal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The live view of another process. While this view has viewers, it queries the other view once a second, but not while an answer is
 * outstanding. The name of the other view becomes a prefix of its sources, so that names are unique. Thread-safe.
 */
public final class JoinedView {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final String name;
    private final URI address;
    private final String token;
    private final HttpClient client;
    private final LongSupplier nanoClock;
    private volatile @Nullable Answer answer;
    private volatile String failure = "it has not been asked yet";

    /** When it was queried last; null before the first query. */
    private volatile @Nullable Long asked;

    private volatile CompletableFuture<?> outstanding = CompletableFuture.completedFuture(null);

    /**
     * The last answer, and its time by the clock of this view.
     *
     * @param summary with the names of sources as viewers see them; immutable from now on
     */
    record Answer(ObjectNode summary, long at) {}

    /**
     * A view without a query yet.
     *
     * @param name on the page
     * @param address of the other view
     * @param token of a viewer
     * @param nanoClock measures the time between queries and the age of answers
     */
    public JoinedView(String name, URI address, String token, HttpClient client, LongSupplier nanoClock) {
        this.name = name;
        this.address = address;
        this.token = token;
        this.client = client;
        this.nanoClock = nanoClock;
    }

    public String name() {
        return name;
    }

    public URI address() {
        return address;
    }

    /** The last answer; empty before the first. */
    Optional<Answer> answer() {
        return Optional.ofNullable(answer);
    }

    /** The failure of the last query, {@code ""} if it succeeded. */
    String failure() {
        return failure;
    }

    /** Queries the other view if that is due and no answer is outstanding. */
    public void refresh() {
        long now = nanoClock.getAsLong();
        Long last = asked;
        if (!outstanding.isDone() || (last != null && now - last < EVERY.toNanos())) {
            return;
        }
        asked = now;
        outstanding = get("api/summary", Map.of()).handle((tree, failed) -> {
            if (tree instanceof ObjectNode summary) {
                JoinedSummary.renameAll(summary, this);
                answer = new Answer(summary, nanoClock.getAsLong());
                failure = "";
            } else {
                failure = reason(failed);
            }
            return null;
        });
    }

    /** A page of its rows, with the names of sources as viewers see them. */
    CompletableFuture<JsonNode> rows(String query, int offset, int limit) {
        return get("api/rows", Map.of("q", query, "offset", Integer.toString(offset), "limit", Integer.toString(limit)))
                .thenApply(page -> {
                    JoinedSummary.rename(page.path("rows"), this);
                    return page;
                });
    }

    /**
     * The details of one of its volumes or objects. Blocks until the other view has answered.
     *
     * @throws Refusal if it does not answer, or does not know the key
     */
    public JsonNode detail(String source, String key) {
        try {
            JsonNode detail =
                    get("api/detail", Map.of("source", own(source), "key", key)).join();
            JoinedSummary.rename(JsonNodeFactory.instance.arrayNode().add(detail.path("row")), this);
            return detail;
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof Refusal refusal
                    ? refusal
                    : new Refusal(
                            502, "the view of " + name + " at " + address + " does not answer: " + reason(failed));
        }
    }

    /** The name of one of its sources, as viewers see it. */
    String shown(String source) {
        return source.equals(name) ? name : name + "/" + source;
    }

    /** Whether viewers see a source of this view under this name. */
    public boolean has(String source) {
        return source.equals(name) || source.startsWith(name + "/");
    }

    private String own(String source) {
        return source.equals(name) ? name : source.substring(name.length() + 1);
    }

    private CompletableFuture<JsonNode> get(String path, Map<String, String> query) {
        String words = query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/" + path + (words.isEmpty() ? "" : "?" + words)))
                .header("Authorization", "Bearer " + token)
                .timeout(PATIENCE)
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                // The timeout of the request ends with the head of the answer.
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(this::tree);
    }

    private JsonNode tree(HttpResponse<String> response) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(response.body());
        } catch (JsonProcessingException noJson) {
            throw new Refusal(502, "it does not answer as a live view does");
        }
        if (response.statusCode() != 200) {
            throw new Refusal(
                    response.statusCode() == 401 ? 502 : response.statusCode(),
                    tree.path("error").asText("it answers " + response.statusCode()));
        }
        return tree;
    }

    /** The failure in one line, for users. */
    static String reason(@Nullable Throwable failed) {
        Throwable cause =
                failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        if (cause == null) {
            return "it does not answer as a live view does";
        }
        String text = cause.getMessage();
        return text == null ? cause.getClass().getSimpleName() : text;
    }
}
