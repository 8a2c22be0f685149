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

/** What the view reads of one node or controller. Thread-safe. */
public interface Readings {
    /** How many keys are read in one turn of the event loop, so that none of its turns takes long. */
    int AT_ONCE = 32;

    /** The name of the node or controller. */
    String name();

    /** What it hears. */
    StepFeed feed();

    /** Brings the rows up to date, of at most so many keys; completes with how many keys were taken, 0 if none can be read yet. */
    CompletableFuture<Integer> refresh(Shown shown, int most);

    /** When calls under way are written off, by their operation's id. */
    CompletableFuture<Map<String, Instant>> deadlines();

    /** Blocks for at most {@link Health#PATIENCE}. */
    Health health();

    /** The state of the journal; empty for a controller. */
    CompletableFuture<Optional<JournalReading>> journal();

    /** The plugin in whose lane the key's calls run; {@code ""} if that is not told by the key. */
    String plugin(Object key);

    /** The node, if it is one. */
    default Optional<VolumeManager> node() {
        return Optional.empty();
    }

    /** The controller, if it is one. */
    default Optional<Controller> controller() {
        return Optional.empty();
    }
}
