package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A source of which a test decides what it lists, what it sends and when it fails. */
final class FakeSource implements ClusterSource {
    final Map<ObjectKey, ApiObject> listed = new LinkedHashMap<>();
    final Map<ObjectKey, ApiObject> live = new LinkedHashMap<>();
    final List<String> calls = new ArrayList<>();

    @Nullable
    String listFails;

    @Nullable
    String readFails;

    /** Thrown by the next call that lists. */
    @Nullable
    Error listBreaks;

    /** Thrown when the next watch is closed, which stays open then. */
    @Nullable
    RuntimeException closeFails;

    @Nullable
    WatchListener listener;

    String revision = "1";
    int openWatches;

    @Override
    public Listing list(Kind kind, Selection selection) {
        calls.add("list");
        if (listFails != null) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, listFails);
        }
        @Nullable Error broken = listBreaks;
        listBreaks = null;
        if (broken != null) {
            throw broken;
        }
        return new Listing(List.copyOf(listed.values()), revision);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String from, WatchListener told) {
        calls.add("watch from " + from);
        listener = told;
        openWatches++;
        return this::close;
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        calls.add("read " + key.name());
        if (readFails != null) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, readFails);
        }
        return Optional.ofNullable(live.get(key));
    }

    private void close() {
        @Nullable RuntimeException failure = closeFails;
        closeFails = null;
        if (failure != null) {
            throw failure;
        }
        openWatches--;
    }

    void send(WatchEvent event) {
        if (listener == null) {
            throw new IllegalStateException("no listener watches");
        }
        listener.onEvent(event);
    }
}
