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
 * The times of a volume's tokens and certificates. Each set-up passes them to the next, which keeps those that are
 * still good. So a restart or a changed label requests no new ones. Contains no token and no key. Not thread-safe.
 */
final class Renewals {
    /** The delay after a failed renewal. */
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
     * @param before the result of the last set-up
     * @param now by a {@link ForwardClock}, as are all times here
     * @param files reads an existing file of the volume, by path
     */
    Renewals(PluginState before, Instant now, Function<String, Optional<byte[]>> files) {
        this.before = before;
        this.now = now;
        this.files = files;
    }

    Instant now() {
        return now;
    }

    /** The text that the last set-up stored, {@code ""} for none. */
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

    /** After which time the first of them is due, null for none. */
    @Nullable
    Duration refreshIn() {
        return refreshAt == null ? null : Duration.between(now, refreshAt);
    }
}
