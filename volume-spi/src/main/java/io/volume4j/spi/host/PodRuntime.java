package io.volume4j.spi.host;

import io.volume4j.spi.mount.IdMapping;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells the library about the processes of pods. Implementations are thread-safe, answer from memory and never block.
 *
 * @since 0.1.0
 */
public interface PodRuntime {
    /**
     * Whether any container of the pod may still use its volumes. Must be true if the host does not know. The library
     * tears down no volume of the pod before this turns false.
     */
    boolean mayStillUse(String podUid);

    /**
     * The user and group IDs on this machine of a pod that runs in its own user namespace ({@code hostUsers: false}).
     * The node then mounts the pod's volumes with these IDs mapped, so that the pod sees its own users as the owners
     * of the files. The library asks only for such pods. The answer must stay the same as long as the pod exists,
     * also over restarts.
     *
     * @return empty if the pod has no user namespace of its own, or if the container runtime maps the IDs of its
     *     mounts itself; empty by default
     */
    default Optional<IdMapping> idMapping(String podUid) {
        return Optional.empty();
    }

    /**
     * Registers a listener. The host calls it with the UID of each pod whose answer may have changed, until it is
     * removed. Any thread may call the listener. The listener returns at once.
     */
    void addListener(Consumer<String> listener);

    /** Removes this listener, compared by identity. Does nothing if it was not added. */
    void removeListener(Consumer<String> listener);
}
