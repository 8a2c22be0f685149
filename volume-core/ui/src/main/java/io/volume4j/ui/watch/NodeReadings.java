package io.volume4j.ui.watch;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.VolumeId;
import io.volume4j.ui.feed.StepFeed;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowMaker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The volumes of one node.
 *
 * @param name on the page
 */
public record NodeReadings(String name, StepFeed feed, VolumeManager volumes) implements Readings {
    @Override
    public CompletableFuture<Integer> refresh(Shown shown, int most) {
        List<VolumeId> ids = new ArrayList<>();
        List<Object> keys = feed.take(Math.min(most, AT_ONCE));
        for (Object key : keys) {
            if (key instanceof VolumeId id) {
                ids.add(id);
            }
        }
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(keys.size());
        }
        return volumes.read(ids)
                .handleAsync(
                        (readings, failure) -> {
                            if (readings == null) {
                                // The node cannot answer yet, as before its start.
                                ids.forEach(feed::giveBack);
                                return 0;
                            }
                            put(shown, readings, shown.clock().instant());
                            return keys.size();
                        },
                        shown.executor());
    }

    private void put(Shown shown, List<VolumeReading> readings, Instant at) {
        if (feed.isClosed()) {
            return;
        }
        List<Row> changed = new ArrayList<>();
        for (VolumeReading reading : readings) {
            Row row = RowMaker.of(name, reading, at);
            if (row == null) {
                shown.rows().remove(name, reading.volume().toString());
            } else {
                changed.add(row);
            }
        }
        shown.rows().put(changed);
    }

    @Override
    public CompletableFuture<Map<String, Instant>> deadlines() {
        return volumes.operationExecutor().pending().thenApply(Deadlines::of);
    }

    @Override
    public Health health() {
        return volumes.health();
    }

    @Override
    public CompletableFuture<Optional<JournalReading>> journal() {
        return volumes.journal().thenApply(Optional::of);
    }

    @Override
    public String plugin(Object key) {
        return key instanceof VolumeId id ? id.plugin() : "";
    }

    @Override
    public Optional<VolumeManager> node() {
        return Optional.of(volumes);
    }
}
