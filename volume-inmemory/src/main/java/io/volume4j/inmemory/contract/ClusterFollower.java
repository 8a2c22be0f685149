package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.fail;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Follows one kind as the library does: lists, watches from that revision, and lists again when the watch expires. */
final class ClusterFollower implements AutoCloseable {
    /** After this number of lists, the test fails: the watches of the source always expire. */
    private static final int MOST_ROUNDS = 1000;

    /** One permit for each event except bookmarks. */
    private final Semaphore news = new Semaphore(0);

    private final ClusterSource source;
    private final Kind kind;
    private final Map<String, ApiObject> objects = new TreeMap<>();
    private ClusterSource.@Nullable Watch watch;
    private volatile int round;
    private boolean listAgain;

    ClusterFollower(ClusterSource source, Kind kind) {
        this.source = source;
        this.kind = kind;
        follow();
    }

    private void follow() {
        int mine = round + 1;
        round = mine;
        try {
            ClusterSource.Listing listing = source.list(kind, Selection.all());
            begin(listing);
            watch = source.watch(kind, Selection.all(), listing.revision(), event -> take(mine, event));
        } catch (ClusterException refused) {
            take(mine, WatchEvent.expired());
        }
    }

    private synchronized void begin(ClusterSource.Listing listing) {
        listAgain = false;
        objects.clear();
        listing.objects().forEach(object -> objects.put(object.metadata().name(), object));
    }

    private synchronized void take(int of, WatchEvent event) {
        if (of != round) {
            return;
        }
        switch (event.type()) {
            case CHANGED -> objects.put(event.requireObject().metadata().name(), event.requireObject());
            case DELETED -> objects.remove(event.requireObject().metadata().name());
            case EXPIRED -> listAgain = true;
            case BOOKMARK -> {
                // A bookmark contains no change.
            }
        }
        if (event.type() != WatchEvent.Type.BOOKMARK) {
            news.release();
        }
    }

    /**
     * Waits until the known objects match, and lists again if the watch expired. Fails after a minute without an event.
     */
    Map<String, ApiObject> await(String what, Predicate<Map<String, ApiObject>> wanted) {
        try {
            do {
                Map<String, ApiObject> known = known();
                if (wanted.test(known)) {
                    return known;
                }
                if (toldToList()) {
                    close();
                    follow();
                    news.release();
                }
            } while (round < MOST_ROUNDS && news.tryAcquire(1, TimeUnit.MINUTES));
            return fail("not seen: " + what + "; what was seen: " + known().keySet());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return fail("interrupted while waiting for " + what);
        }
    }

    private synchronized Map<String, ApiObject> known() {
        return new TreeMap<>(objects);
    }

    private synchronized boolean toldToList() {
        return listAgain;
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
