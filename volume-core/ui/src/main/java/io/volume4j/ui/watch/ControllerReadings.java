package io.volume4j.ui.watch;

import io.volume4j.core.control.Controller;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.ui.feed.StepFeed;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowMaker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The objects of one controller. The keys of an attach/detach controller are pairs of volume and node; they have no row.
 *
 * @param name on the page
 */
public record ControllerReadings(String name, StepFeed feed, Controller running) implements Readings {
    @Override
    public CompletableFuture<Integer> refresh(Shown shown, int most) {
        Map<ObjectKey, CompletableFuture<Explanation>> asked = new LinkedHashMap<>();
        List<Object> keys = feed.take(Math.min(most, AT_ONCE));
        for (Object key : keys) {
            if (key instanceof ObjectKey object) {
                asked.put(object, running.explain(object));
            }
        }
        CompletableFuture<?>[] all = asked.values().toArray(new CompletableFuture<?>[0]);
        return CompletableFuture.allOf(all)
                .handleAsync(
                        (done, failure) -> {
                            put(shown, asked, shown.clock().instant());
                            return keys.size();
                        },
                        shown.executor());
    }

    private void put(Shown shown, Map<ObjectKey, CompletableFuture<Explanation>> answers, Instant at) {
        if (feed.isClosed()) {
            return;
        }
        List<Row> changed = new ArrayList<>();
        answers.forEach((object, answer) -> {
            if (answer.isCompletedExceptionally()) {
                feed.giveBack(object);
                return;
            }
            Row row = RowMaker.of(name, object, answer.join(), at);
            if (row == null) {
                shown.rows().remove(name, object.toString());
            } else {
                changed.add(row);
            }
        });
        shown.rows().put(changed);
    }

    @Override
    public CompletableFuture<Map<String, Instant>> deadlines() {
        return running.operationExecutor().pending().thenApply(Deadlines::of);
    }

    @Override
    public Health health() {
        return running.health();
    }

    @Override
    public CompletableFuture<Optional<JournalReading>> journal() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public String plugin(Object key) {
        return "";
    }

    @Override
    public Optional<Controller> controller() {
        return Optional.of(running);
    }
}
