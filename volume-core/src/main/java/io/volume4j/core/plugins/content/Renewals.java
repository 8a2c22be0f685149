package io.volume4j.core.plugins.content;

import io.volume4j.spi.plugin.PluginState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The times of a volume's tokens and certificates, which one set-up hands to the next: those that are still good are kept, so
 * that neither a restart nor a changed label asks for new ones. Holds no token and no key. Not thread-safe.
 */
final class Renewals {
    /** When what could not be renewed is asked for again. */
    static final Duration AGAIN_AFTER_FAILURE = Duration.ofMinutes(1);

    private static final int STATE_VERSION = 1;

    private final PluginState before;
    private final Instant now;
    private final Function<String, Optional<byte[]>> files;
    private final Map<String, String> state = new TreeMap<>();
    private @Nullable Instant refreshAt;

    /**
     * Begins a set-up.
     *
     * @param before what the last set-up returned
     * @param files reads a file of the volume as it is, by path
     */
    Renewals(PluginState before, Instant now, Function<String, Optional<byte[]>> files) {
        this.before = before;
        this.now = now;
        this.files = files;
    }

    Instant now() {
        return now;
    }

    /** What the last set-up wrote down, {@code ""} for nothing. */
    String before(String key) {
        return before.get(key);
    }

    /** The file as the pod sees it. */
    Optional<byte[]> file(String path) {
        return files.apply(path);
    }

    /** @param due when the volume must be set up again */
    void remember(String key, String text, Instant due) {
        state.put(key, text);
        Instant soonest = refreshAt;
        refreshAt = soonest == null || due.isBefore(soonest) ? due : soonest;
    }

    PluginState state() {
        return state.isEmpty() ? PluginState.none() : new PluginState(STATE_VERSION, state);
    }

    /** When the first of them is due, null if there are none. */
    @Nullable
    Instant refreshAt() {
        return refreshAt;
    }
}
