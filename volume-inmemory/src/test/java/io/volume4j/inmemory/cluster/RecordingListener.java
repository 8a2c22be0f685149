package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a watch tells: {@code CHANGED a}, {@code EXPIRED}. */
final class RecordingListener implements WatchListener {
    final List<String> heard = new ArrayList<>();
    final List<WatchEvent> events = new ArrayList<>();

    @Override
    public void onEvent(WatchEvent event) {
        events.add(event);
        heard.add(
                event.object() == null
                        ? event.type().toString()
                        : event.type() + " " + event.object().metadata().name());
    }
}
