package io.volume4j.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.ui.top.Screen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows a {@link LiveView} in a terminal, of this process or another. It reads the view over HTTP and draws with
 * plain ANSI sequences. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LiveTop {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The first summary is older than the call, the second may be, and the third only begins to read. */
    private static final int UNREAD_SUMMARIES = 3;

    /** About five seconds: a view that has a viewer sends four summaries a second. */
    private static final int MOST_SUMMARIES = 20;

    /** A source whose answer takes longer is silent. */
    private static final long SILENT_MILLIS = 1000;

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]+");
    private static final String EVENT = "data: ";

    private final URI view;
    private final String token;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * A terminal view. It does not connect yet.
     * @param view the address of the view, as {@link LiveView#uri()} returns it
     * @param token the viewer's or the operator's token
     * @throws IllegalArgumentException if no view has such a token; the message does not contain it
     */
    public LiveTop(URI view, String token) {
        this.view = Objects.requireNonNull(view, "view");
        this.token = Objects.requireNonNull(token, "token");
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException("the token must be one word of letters, digits, '-' and '_':"
                    + " give the part of the view's link behind #, without the #");
        }
    }

    /**
     * The whole view once, as text without colours. A view does not read its nodes and controllers while it has no viewer. So this
     * call waits until it has read them, but about five seconds at most.
     * @param width the maximum length of a line, in columns
     * @throws IOException if the view does not answer, or refuses the token
     */
    public String once(int width) throws IOException, InterruptedException {
        try (BufferedReader events = stream(true)) {
            JsonNode summary = next(events);
            if (summary == null) {
                throw noLiveView(null);
            }
            for (int seen = 1; seen < MOST_SUMMARIES && (seen <= UNREAD_SUMMARIES || !isRead(summary)); seen++) {
                summary = next(events);
                if (summary == null) {
                    throw ended(null);
                }
            }
            Screen screen = new Screen(width, false, ZoneId.systemDefault());
            return String.join("\n", screen.lines(summary)) + "\n";
        }
    }

    /** Whether the view has read every node and controller that answers. */
    private static boolean isRead(JsonNode summary) {
        for (JsonNode source : summary.path("sources")) {
            JsonNode asked = source.path("unansweredSince");
            boolean heard = asked.isMissingNode()
                    ? source.has("health")
                    : summary.path("at").asLong() - asked.asLong() > SILENT_MILLIS;
            if (!heard || source.path("unread").asInt() > 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Draws each change until the view is closed or the thread is interrupted. Returns when the output takes no more, such as a pipe
     * whose reader has ended.
     * @param width the maximum length of a line, in columns
     * @param height the maximum number of lines
     * @throws IOException if the view does not answer, refuses the token, or is closed
     */
    public void watch(PrintStream out, int width, int height) throws IOException, InterruptedException {
        Screen screen = new Screen(width, true, ZoneId.systemDefault());
        try (BufferedReader events = stream(false)) {
            for (JsonNode summary = next(events); summary != null; summary = next(events)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                draw(out, screen.lines(summary), height);
                if (out.checkError()) {
                    return;
                }
            }
        }
        throw ended(null);
    }

    private BufferedReader stream(boolean limited) throws IOException, InterruptedException {
        return new BufferedReader(
                new InputStreamReader(get("api/stream", limited).body(), StandardCharsets.UTF_8));
    }

    /** The next summary, null after the last. */
    private @Nullable JsonNode next(BufferedReader events) throws IOException {
        try {
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                if (line.startsWith(EVENT)) {
                    return mapper.readTree(line.substring(EVENT.length()));
                }
            }
            return null;
        } catch (JsonProcessingException other) {
            throw noLiveView(other);
        } catch (IOException broken) {
            throw ended(broken);
        }
    }

    private IOException ended(@Nullable IOException cause) {
        return new IOException("the live view at " + view + " ended", cause);
    }

    /** Overwrites the old lines, so that the screen does not flicker. */
    private static void draw(PrintStream out, List<String> lines, int height) {
        StringBuilder text = new StringBuilder("\u001b[H");
        for (String line : lines.subList(0, Math.min(lines.size(), Math.max(1, height - 1)))) {
            text.append(line).append("\u001b[K\n");
        }
        out.print(text.append("\u001b[J"));
        out.flush();
    }

    private HttpResponse<InputStream> get(String path, boolean limited) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(view.resolve("/" + path)).header("Authorization", "Bearer " + token);
        if (limited) {
            request.timeout(PATIENCE);
        }
        HttpResponse<InputStream> answer;
        try {
            answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (ConnectException refused) {
            throw new IOException("nothing listens at " + view + "; check the address of the live view", refused);
        }
        if (answer.statusCode() != 200) {
            try (InputStream body = answer.body()) {
                JsonNode why = json(body);
                throw new IOException("the live view at " + view + " answers " + answer.statusCode() + ": "
                        + why.path("error").asText("no reason"));
            }
        }
        return answer;
    }

    private JsonNode json(InputStream body) throws IOException {
        try {
            return mapper.readTree(body);
        } catch (JsonProcessingException other) {
            throw noLiveView(other);
        }
    }

    private IOException noLiveView(@Nullable JsonProcessingException cause) {
        return new IOException("what answers at " + view + " is no live view; check the address", cause);
    }
}
