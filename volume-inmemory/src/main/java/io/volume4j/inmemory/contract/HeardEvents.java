package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.fail;

import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The events of a watch. Thread-safe. */
final class HeardEvents implements WatchListener {
    /** One permit for each event except bookmarks. */
    private final Semaphore news = new Semaphore(0);

    private final List<WatchEvent> events = new ArrayList<>();
    private final Duration patience;
    private boolean telling;
    private boolean atOnce;

    HeardEvents() {
        this(ClusterContract.PATIENCE);
    }

    /** @param patience how long an awaited event may take */
    HeardEvents(Duration patience) {
        this.patience = patience;
    }

    @Override
    public void onEvent(WatchEvent event) {
        synchronized (this) {
            atOnce |= telling;
            telling = true;
        }
        synchronized (this) {
            events.add(event);
            telling = false;
        }
        if (event.type() != WatchEvent.Type.BOOKMARK) {
            news.release();
        }
    }

    /** Whether two calls of the listener ever overlapped. */
    synchronized boolean metTwoCalls() {
        return atOnce;
    }

    /** The events with an object, in order. */
    synchronized List<WatchEvent> ofObjects() {
        return events.stream().filter(event -> event.object() != null).toList();
    }

    /** The events of one object, in order. */
    List<WatchEvent> of(String name) {
        return ofObjects().stream().filter(event -> isOf(event, name)).toList();
    }

    /** Waits for the first matching event; fails if no event comes for too long. */
    WatchEvent await(String what, Predicate<WatchEvent> wanted) {
        try {
            do {
                Optional<WatchEvent> found = all().stream().filter(wanted).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            } while (news.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS));
            return fail("no event told that " + what + "; what was told: " + all());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return fail("interrupted while waiting to hear that " + what);
        }
    }

    /** Whether the watch cannot go on, so that the library would list again. */
    boolean expired() {
        return all().stream().anyMatch(event -> event.type() == WatchEvent.Type.EXPIRED);
    }

    private synchronized List<WatchEvent> all() {
        return List.copyOf(events);
    }

    WatchEvent awaitChange(String name, String annotation) {
        return await(
                name + " has " + annotation,
                event -> event.type() == WatchEvent.Type.CHANGED
                        && isOf(event, name)
                        && event.requireObject()
                                .metadata()
                                .annotation(ClusterContract.MARK)
                                .equals(annotation));
    }

    WatchEvent awaitDeletion(String name) {
        return await(name + " is gone", event -> event.type() == WatchEvent.Type.DELETED && isOf(event, name));
    }

    private static boolean isOf(WatchEvent event, String name) {
        return event.object() != null && event.object().metadata().name().equals(name);
    }
}
