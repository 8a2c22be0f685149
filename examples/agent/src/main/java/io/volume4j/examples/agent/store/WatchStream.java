package io.volume4j.examples.agent.store;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.http.Json;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Events for one client, a line of JSON each. The store disconnects a client that reads too slowly; the client then lists
 * again.
 */
final class WatchStream implements WatchListener {
    private static final int MOST_WAITING = 10_000;

    private final Kind kind;
    private final boolean bookmarks;
    private final BlockingQueue<WatchEvent> waiting = new LinkedBlockingQueue<>();
    private volatile boolean ended;

    WatchStream(Kind kind, boolean bookmarks) {
        this.kind = kind;
        this.bookmarks = bookmarks;
    }

    @Override
    public void onEvent(WatchEvent event) {
        if (waiting.size() >= MOST_WAITING) {
            end();
        } else if (!ended) {
            waiting.add(event);
        }
    }

    /** Disconnects the client after the current write. */
    void end() {
        ended = true;
        waiting.add(WatchEvent.bookmark(""));
    }

    /** Writes until the stream is ended or the client disconnects. */
    void write(OutputStream to) throws IOException, InterruptedException {
        for (WatchEvent event = waiting.take(); !ended; event = waiting.take()) {
            if (event.type() != WatchEvent.Type.BOOKMARK || bookmarks) {
                to.write(Json.write(line(event)));
                to.write('\n');
                to.flush();
            }
            if (event.type() == WatchEvent.Type.EXPIRED) {
                return;
            }
        }
    }

    /** Uses {@code MODIFIED} for new and changed objects. */
    private Map<String, @Nullable Object> line(WatchEvent event) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        switch (event.type()) {
            case CHANGED -> {
                line.put("type", "MODIFIED");
                line.put("object", Manifests.toTree(event.requireObject()));
            }
            case DELETED -> {
                line.put("type", "DELETED");
                line.put("object", at(Manifests.toTree(event.requireObject()), event.revision()));
            }
            case BOOKMARK -> {
                line.put("type", "BOOKMARK");
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                object.put("kind", kind.apiName());
                object.put("apiVersion", kind.apiVersion());
                line.put("object", at(object, event.revision()));
            }
            case EXPIRED -> {
                line.put("type", "ERROR");
                line.put("object", new Refusal(410, "Expired", "the store has forgotten that revision").tree(""));
            }
        }
        return line;
    }

    private static Map<String, @Nullable Object> at(Map<String, @Nullable Object> object, String revision) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>(Json.map(object, "metadata"));
        metadata.put("resourceVersion", revision);
        object.put("metadata", metadata);
        return object;
    }
}
