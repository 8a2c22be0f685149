package io.volume4j.examples.benchmarks.http;

import io.volume4j.examples.agent.http.ApiPath;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A watch whose events are dropped unread, until it is closed. */
public final class BareWatch implements AutoCloseable {
    private final InputStream events;

    /** @param revision of a listing of the kind */
    public BareWatch(URI server, Kind kind, String revision) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(server + ApiPath.all(kind) + "?watch=1&resourceVersion=" + revision))
                .build();
        events = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofInputStream())
                .body();
        Thread reader = new Thread(this::read, "bare-watch");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            events.transferTo(OutputStream.nullOutputStream());
        } catch (IOException closed) {
            // The turn is over.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
