package io.volume4j.examples.benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends patches, and does nothing else: no retries, no deadlines, no reading of the answered object. Thread-safe. */
public interface BareClient extends AutoCloseable {
    String MERGE_PATCH = "application/merge-patch+json";

    /** Returns the body of the answer, which is a success. */
    String patch(String path, String body) throws IOException, InterruptedException;

    @Override
    void close();

    /** With the HTTP library of the example's adapter; the calling thread sends and reads. */
    static BareClient okHttp(URI server, int inFlight) {
        MediaType type = MediaType.get(MERGE_PATCH);
        OkHttpClient client = new OkHttpClient.Builder()
                .connectionPool(new ConnectionPool(inFlight, 1, TimeUnit.MINUTES))
                .build();
        return new BareClient() {
            @Override
            public String patch(String path, String body) throws IOException {
                Request request = new Request.Builder()
                        .url(server + path)
                        .patch(RequestBody.create(body, type))
                        .build();
                try (Response response = client.newCall(request).execute()) {
                    return require(path, response.code(), response.body().string());
                }
            }

            @Override
            public void close() {
                client.connectionPool().evictAll();
                client.dispatcher().executorService().shutdown();
            }
        };
    }

    /** With the HTTP library of the JDK. */
    static BareClient jdk(URI server) {
        java.net.http.HttpClient client = java.net.http.HttpClient.newBuilder()
                .version(java.net.http.HttpClient.Version.HTTP_1_1)
                .build();
        return new BareClient() {
            @Override
            public String patch(String path, String body) throws IOException, InterruptedException {
                HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                        .header("Content-Type", MERGE_PATCH)
                        .method("PATCH", HttpRequest.BodyPublishers.ofString(body))
                        .build();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                return require(path, response.statusCode(), response.body());
            }

            @Override
            public void close() {
                // The client ends with its last reference.
            }
        };
    }

    private static String require(String path, int code, String body) {
        if (code != 200) {
            throw new UncheckedIOException(new IOException("patch " + path + ": " + code + " " + body));
        }
        return body;
    }
}
