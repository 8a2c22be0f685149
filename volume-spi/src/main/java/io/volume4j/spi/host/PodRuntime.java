package io.volume4j.spi.host;

import java.util.function.Consumer;

/**
 * What the host knows of the processes of pods. Thread-safe; answers from memory, never blocking.
 *
 * @since 0.1.0
 */
public interface PodRuntime {
    /**
     * Whether any container of the pod may still use its volumes. True if that is not known. Nothing of a pod is torn down
     * before this turns false.
     */
    boolean mayStillUse(String podUid);

    /**
     * Tells the listener, on any thread, the UID of each pod whose answer may have changed, until it is removed. The listener
     * returns at once.
     */
    void addListener(Consumer<String> listener);

    /** Ends {@link #addListener} for the very same listener; nothing if it was not added. */
    void removeListener(Consumer<String> listener);
}
