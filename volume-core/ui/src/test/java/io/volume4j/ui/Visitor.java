package io.volume4j.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A program that asks a view over HTTP and keeps every byte that it was sent. */
final class Visitor {
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper mapper = new ObjectMapper();
    private final URI base;
    private final String token;
    final List<String> heard = new CopyOnWriteArrayList<>();

    Visitor(URI base, String token) {
        this.base = base;
        this.token = token;
    }

    HttpResponse<String> raw(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        heard.add(answer.headers().map() + "\n" + answer.body());
        return answer;
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return mapper.readTree(raw("GET", path, "").body());
    }

    JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return mapper.readTree(raw("POST", path, body.toString()).body());
    }

    JsonNode summary() throws IOException, InterruptedException {
        return get("/api/summary");
    }

    JsonNode rows(String query) throws IOException, InterruptedException {
        return get("/api/rows?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    }

    JsonNode detail(String source, String key) throws IOException, InterruptedException {
        return get("/api/detail?source=" + source + "&key=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }
}
