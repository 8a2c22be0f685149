package io.volume4j.csi.internal.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Volumes that the driver refused to expand while a pod uses them. Keeps only the latest: for a dropped volume the
 * library asks the driver once more. Thread-safe.
 */
final class OfflineOnly {
    static final int MOST = 1_000;

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Set<String> handles = new LinkedHashSet<>();

    void add(String handle) {
        synchronized (lock) {
            handles.add(handle);
            if (handles.size() > MOST) {
                handles.remove(handles.iterator().next());
            }
        }
    }

    boolean contains(String handle) {
        synchronized (lock) {
            return handles.contains(handle);
        }
    }

    void remove(String handle) {
        synchronized (lock) {
            handles.remove(handle);
        }
    }
}
