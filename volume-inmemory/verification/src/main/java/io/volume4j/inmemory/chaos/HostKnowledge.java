package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The objects of the cluster as one incarnation of a host's scheduler knows them. Passes its events to the library. */
final class HostKnowledge {
    private static final List<Kind> KINDS = List.of(
            Kind.NODE,
            Kind.CSI_NODE,
            Kind.CSI_DRIVER,
            Kind.STORAGE_CLASS,
            Kind.CSI_STORAGE_CAPACITY,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.VOLUME_ATTACHMENT,
            Kind.POD);

    private final HostPorts ports;
    private final Duration again;
    private final Consumer<WatchEvent> library;
    private final Runnable news;
    private final SortedMap<ObjectKey, ApiObject> known = new TreeMap<>();
    private final Set<Kind> listed = EnumSet.noneOf(Kind.class);

    /**
     * Knows nothing yet.
     *
     * @param again the pause before the next list after a failure
     * @param library gets each event, after this object has stored it
     * @param news runs when something may have changed
     */
    HostKnowledge(HostPorts ports, Duration again, Consumer<WatchEvent> library, Runnable news) {
        this.ports = ports;
        this.again = again;
        this.library = library;
        this.news = news;
    }

    void start() {
        KINDS.forEach(this::list);
    }

    /** Whether each kind was listed once. */
    boolean complete() {
        return listed.size() == KINDS.size();
    }

    @Nullable
    ApiObject get(ObjectKey key) {
        return known.get(key);
    }

    Collection<ApiObject> objects() {
        return known.values();
    }

    /** Pods that need a node. */
    List<Pod> waiting() {
        List<Pod> waiting = new ArrayList<>();
        for (ApiObject object : known.values()) {
            if (object instanceof Pod pod
                    && pod.spec().nodeName().isEmpty()
                    && !pod.metadata().deleting()
                    && !pod.terminated()) {
                waiting.add(pod);
            }
        }
        return waiting;
    }

    List<String> nodes() {
        return known.keySet().stream()
                .filter(key -> key.kind() == Kind.NODE)
                .map(ObjectKey::name)
                .toList();
    }

    private void list(Kind kind) {
        ports.workers().execute(() -> {
            try {
                ClusterSource.Listing listing = ports.cluster().list(kind, Selection.all());
                ports.loop().execute(() -> listed(kind, listing));
            } catch (ClusterException failure) {
                ports.later(again, () -> list(kind));
            }
        });
    }

    private void listed(Kind kind, ClusterSource.Listing listing) {
        TreeSet<ObjectKey> there = new TreeSet<>();
        listing.objects().forEach(object -> {
            there.add(object.key());
            changed(object);
        });
        List<ApiObject> gone = known.values().stream()
                .filter(object -> object.kind() == kind
                        && !there.contains(object.key())
                        && ports.cluster().compareRevisions(object.metadata().resourceVersion(), listing.revision())
                                <= 0)
                .toList();
        gone.forEach(object -> deleted(object, listing.revision()));
        listed.add(kind);
        var unused = ports.cluster()
                .watch(
                        kind,
                        Selection.all(),
                        listing.revision(),
                        event -> ports.loop().execute(() -> heard(kind, event)));
        news.run();
    }

    private void heard(Kind kind, WatchEvent event) {
        switch (event.type()) {
            case CHANGED -> changed(event.requireObject());
            case DELETED -> deleted(event.requireObject(), event.revision());
            case EXPIRED -> list(kind);
            default -> {
                // a bookmark has no object
            }
        }
        news.run();
    }

    private void changed(ApiObject object) {
        ApiObject before = known.get(object.key());
        if (before == null
                || ports.cluster()
                                .compareRevisions(
                                        object.metadata().resourceVersion(),
                                        before.metadata().resourceVersion())
                        >= 0) {
            known.put(object.key(), object);
        }
        library.accept(WatchEvent.changed(object));
    }

    private void deleted(ApiObject object, String revision) {
        ApiObject before = known.get(object.key());
        if (before != null && before.metadata().uid().equals(object.metadata().uid())) {
            known.remove(object.key());
        }
        library.accept(WatchEvent.deleted(object, revision));
    }
}
