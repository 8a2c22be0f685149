package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.fail;

import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What a watch told. Thread-safe. */
final class HeardEvents implements WatchListener {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final List<WatchEvent> events = new ArrayList<>();
    private boolean telling;
    private boolean atOnce;

    @Override
    public void onEvent(WatchEvent event) {
        synchronized (this) {
            atOnce |= telling;
            telling = true;
        }
        synchronized (this) {
            events.add(event);
            telling = false;
            notifyAll();
        }
    }

    /** Whether two calls ever met. */
    synchronized boolean metTwoCalls() {
        return atOnce;
    }

    /** Those that tell of an object, in order. */
    synchronized List<WatchEvent> ofObjects() {
        return events.stream().filter(event -> event.object() != null).toList();
    }

    /** Those of one object, in order. */
    List<WatchEvent> of(String name) {
        return ofObjects().stream().filter(event -> isOf(event, name)).toList();
    }

    /** The first event that passes, as soon as it was told. */
    synchronized WatchEvent await(String what, Predicate<WatchEvent> wanted) {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            for (WatchEvent event : events) {
                if (wanted.test(event)) {
                    return event;
                }
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return fail("nobody told that " + what + "; what was told: " + events);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return fail("interrupted while waiting to hear that " + what);
            }
        }
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
