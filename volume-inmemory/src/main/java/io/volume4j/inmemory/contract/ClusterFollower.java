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
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Follows one kind as the library does: lists, watches from there, and lists again when the watch cannot go on. */
final class ClusterFollower implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final ClusterSource source;
    private final Kind kind;
    private final Map<String, ApiObject> objects = new TreeMap<>();
    private ClusterSource.@Nullable Watch watch;
    private int round;
    private boolean listAgain;

    ClusterFollower(ClusterSource source, Kind kind) {
        this.source = source;
        this.kind = kind;
        follow();
    }

    private void follow() {
        ClusterSource.Listing listing = source.list(kind, Selection.all());
        int mine;
        synchronized (this) {
            mine = ++round;
            listAgain = false;
            objects.clear();
            listing.objects().forEach(object -> objects.put(object.metadata().name(), object));
        }
        try {
            watch = source.watch(kind, Selection.all(), listing.revision(), event -> take(mine, event));
        } catch (ClusterException refused) {
            synchronized (this) {
                listAgain = true;
            }
        }
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
                // Nothing happened.
            }
        }
        notifyAll();
    }

    /** Waits until what is known passes, listing again meanwhile where that is asked for. */
    Map<String, ApiObject> await(String what, Predicate<Map<String, ApiObject>> wanted) {
        long end = System.nanoTime() + PATIENCE;
        while (System.nanoTime() < end) {
            boolean again;
            synchronized (this) {
                if (wanted.test(objects)) {
                    return new TreeMap<>(objects);
                }
                try {
                    if (!listAgain) {
                        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
                    }
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return fail("interrupted while waiting for " + what);
                }
                again = listAgain;
            }
            if (again) {
                close();
                follow();
            }
        }
        synchronized (this) {
            return fail("not seen: " + what + "; what was seen: " + objects.keySet());
        }
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
