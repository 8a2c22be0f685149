package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A host that already has the objects and passes them on unchanged, so that only the library is measured. Its objects are
 * added and removed and never change, so all their revisions are equal. Thread-safe.
 */
public final class HandOnCluster implements BenchCluster, ClusterSource {
    private final Map<Kind, Shelf> shelves = new EnumMap<>(Kind.class);

    public HandOnCluster() {
        for (Kind kind : Kind.values()) {
            shelves.put(kind, new Shelf());
        }
    }

    @Override
    public ClusterSource source() {
        return this;
    }

    @Override
    public void apply(ApiObject object) {
        shelf(object.kind()).put(object);
    }

    @Override
    public void remove(ObjectKey key) {
        shelf(key.kind()).remove(key);
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        return shelf(kind).list();
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return shelf(kind).watch(Integer.parseInt(revision), listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return shelf(key.kind()).get(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return 0;
    }

    private Shelf shelf(Kind kind) {
        Shelf shelf = shelves.get(kind);
        if (shelf == null) {
            throw new IllegalArgumentException("no objects of kind " + kind);
        }
        return shelf;
    }

    /** The objects of one kind. Its revision is the number of objects removed before the first watch. */
    private static final class Shelf {
        private final Map<ObjectKey, ApiObject> objects = new LinkedHashMap<>();
        private final List<ApiObject> removedUnwatched = new ArrayList<>();
        private final List<WatchListener> listeners = new CopyOnWriteArrayList<>();

        synchronized void put(ApiObject object) {
            if (objects.put(object.key(), object) == null) {
                listeners.forEach(listener -> listener.onEvent(WatchEvent.changed(object)));
            }
        }

        synchronized void remove(ObjectKey key) {
            ApiObject last = objects.remove(key);
            if (last != null && listeners.isEmpty()) {
                removedUnwatched.add(last);
            } else if (last != null) {
                listeners.forEach(listener -> listener.onEvent(WatchEvent.deleted(last, "0")));
            }
        }

        synchronized Optional<ApiObject> get(ObjectKey key) {
            return Optional.ofNullable(objects.get(key));
        }

        synchronized Listing list() {
            return new Listing(new ArrayList<>(objects.values()), String.valueOf(removedUnwatched.size()));
        }

        /** Reports what was removed since the list, and all current objects, most of which the list already contained. */
        synchronized Watch watch(int removedBefore, WatchListener listener) {
            removedUnwatched
                    .subList(removedBefore, removedUnwatched.size())
                    .forEach(gone -> listener.onEvent(WatchEvent.deleted(gone, "0")));
            objects.values().forEach(object -> listener.onEvent(WatchEvent.changed(object)));
            listeners.add(listener);
            return () -> listeners.remove(listener);
        }
    }
}
