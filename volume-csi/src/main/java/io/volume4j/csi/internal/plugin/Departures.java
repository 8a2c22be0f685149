package io.volume4j.csi.internal.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who wants to hear that a snapshot or group is about to be deleted. Thread-safe; actions run on the deleting thread. */
public final class Departures {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<String, List<Runnable>> waiting = new HashMap<>();

    /** Remembers the action; running what is returned forgets it again. */
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
