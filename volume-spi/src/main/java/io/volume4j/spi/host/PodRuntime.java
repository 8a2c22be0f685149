package io.volume4j.spi.host;

import io.volume4j.spi.mount.IdMapping;
import java.util.Optional;
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
     * Which IDs the processes of the pod have on this machine, where they run in a user namespace of their own ({@code hostUsers: false}).
     * The node then mounts the pod's volumes with these IDs mapped, so that the files belong to the pod's users as if there were no
     * namespace. Asked for such pods alone. It must say the same for the whole life of the pod, over restarts too.
     *
     * @return empty if the pod has no namespace of its own, or the container runtime maps the IDs of its mounts itself; the default
     */
    default Optional<IdMapping> idMapping(String podUid) {
        return Optional.empty();
    }

    /**
     * Tells the listener, on any thread, the UID of each pod whose answer may have changed, until it is removed. The listener
     * returns at once.
     */
    void addListener(Consumer<String> listener);

    /** Ends {@link #addListener} for the very same listener; nothing if it was not added. */
    void removeListener(Consumer<String> listener);
}
