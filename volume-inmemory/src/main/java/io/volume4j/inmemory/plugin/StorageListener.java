package io.volume4j.inmemory.plugin;

/**
 * Called for each call to a storage, on the thread that makes it; must not call back.
 *
 * @since 0.1.0
 */
public interface StorageListener {
    /** The call was sent. */
    default void issued(PluginCall call) {}

    /** It took effect; that can be long after it ended for its caller. */
    default void effected(PluginCall call) {}

    /** Its caller heard how it ended. */
    default void ended(PluginCall call) {}
}
