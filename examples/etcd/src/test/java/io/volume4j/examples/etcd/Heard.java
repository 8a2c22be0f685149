package io.volume4j.examples.etcd;

import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a watch told, in its order. */
final class Heard implements WatchListener {
    private final BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(WatchEvent event) {
        events.add(event);
    }

    /** The next event; fails the test if none comes within a minute. */
    WatchEvent next() throws InterruptedException {
        WatchEvent event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("the watch told nothing for a minute");
        }
        return event;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }
}
