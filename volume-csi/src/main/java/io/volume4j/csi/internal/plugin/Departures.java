package io.volume4j.csi.internal.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Listeners for the deletion of snapshots and groups. They run on the deleting thread, before the call. Thread-safe. */
public final class Departures {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<String, List<Runnable>> waiting = new HashMap<>();

    /** Adds the action; the returned action removes it. */
    public Runnable onLeaving(String handle, Runnable action) {
        synchronized (lock) {
            waiting.computeIfAbsent(handle, none -> new ArrayList<>()).add(action);
        }
        return () -> forget(handle, action);
    }

    void leaving(String handle) {
        List<Runnable> actions;
        synchronized (lock) {
            actions = List.copyOf(waiting.getOrDefault(handle, List.of()));
        }
        actions.forEach(Runnable::run);
    }

    private void forget(String handle, Runnable action) {
        synchronized (lock) {
            waiting.computeIfPresent(handle, (key, actions) -> {
                actions.remove(action);
                return actions.isEmpty() ? null : actions;
            });
        }
    }
}
