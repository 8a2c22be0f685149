package io.volume4j.ui.watch;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.Controller;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.JournalReading;
import io.volume4j.ui.feed.StepFeed;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The data that the view reads from one node or controller. Thread-safe. */
public interface Readings {
    /** Most keys in one turn of the event loop, so that no turn takes long. */
    int AT_ONCE = 32;

    /** The name of the node or controller. */
    String name();

    /** The events that the node or controller has reported. */
    StepFeed feed();

    /** Updates the rows of at most this many keys. Completes with the number of keys taken, 0 if none can be read yet. */
    CompletableFuture<Integer> refresh(Shown shown, int most);

    /** The deadlines of running calls, by the id of their operation. */
    CompletableFuture<Map<String, Instant>> deadlines();

    /** Blocks for at most {@link Health#PATIENCE}. */
    Health health();

    /** The state of the journal; empty for a controller. */
    CompletableFuture<Optional<JournalReading>> journal();

    /** The plugin whose queue runs the key's calls; {@code ""} if the key does not determine it. */
    String plugin(Object key);

    /** The node, if this is a node. */
    default Optional<VolumeManager> node() {
        return Optional.empty();
    }

    /** The controller, if this is a controller. */
    default Optional<Controller> controller() {
        return Optional.empty();
    }
}
