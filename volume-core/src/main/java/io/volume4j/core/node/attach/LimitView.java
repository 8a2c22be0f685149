package io.volume4j.core.node.attach;

import org.jspecify.annotations.Nullable;

/**
 * What decides whether the cluster is to be told what a plugin says of the node.
 *
 * @param nodeThere whether there is an object to tell it in
 * @param reports whether the plugin says how many volumes the node can have
 * @param known what the plugin said since it was registered, 0 for no limit; null if it was not asked, or is to be asked again
 * @param published what the node's object says, null for nothing
 * @param publishedHere whether this agent wrote that
 * @param entry whether the node's CSINode object has to have the plugin's entry, or must not have it any more
 */
record LimitView(
        String plugin,
        boolean nodeThere,
        boolean reports,
        @Nullable Long known,
        @Nullable Long published,
        boolean publishedHere,
        Entry entry) {
    /** The plugin's entry in the node's CSINode object. */
    enum Entry {
        /** It is as the plugin says, as far as this agent knows; or the plugin has none. */
        STANDS,
        /** The plugin says what this agent has not written yet. */
        TO_WRITE,
        /** The plugin is gone, and this agent has written its entry. */
        TO_REMOVE
    }
}
