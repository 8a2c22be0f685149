package io.volume4j.inmemory.plugin;

/**
 * Observes each call to a storage, on the thread that makes it. Must not call the storage.
 *
 * @since 0.1.0
 */
public interface StorageListener {
    /** The call was sent. */
    default void issued(PluginCall call) {}

    /** The call took effect. That can be long after its end for the caller. */
    default void effected(PluginCall call) {}

    /** The caller got the result. */
    default void ended(PluginCall call) {}
}
