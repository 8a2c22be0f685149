package io.volume4j.core.node.attach;

import org.jspecify.annotations.Nullable;

/**
 * What decides which word on a plugin the cluster is to get next. The node asks a plugin once for each registration, because a
 * driver that comes back may be another version, and again when the driver's CSIDriver object says so. It writes the answer to its
 * Node object and, for a driver, to its CSINode object. A limit that another program wrote stays: a plugin without a limit says
 * nothing about it.
 *
 * @param nodeThere whether the cluster has an object of this node
 * @param reports whether the plugin says how many volumes the node can have
 * @param known what the plugin said since it was registered, 0 for no limit; null if the node must ask it
 * @param published what the node's object says, null for nothing
 * @param publishedHere whether this agent wrote that
 * @param entry whether the node's CSINode object must have the plugin's entry, or must not have it any more
 */
record LimitView(
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

    /** What the node does about one plugin. */
    enum Action {
        NOTHING,
        ASK,
        PUBLISH,
        WRITE_ENTRY,
        REMOVE_ENTRY
    }

    Action next() {
        if (entry == Entry.TO_REMOVE) {
            return Action.REMOVE_ENTRY;
        }
        if (!nodeThere || !reports) {
            return Action.NOTHING;
        }
        if (known == null) {
            return Action.ASK;
        }
        boolean stands = known > 0 ? known.equals(published) : published == null || !publishedHere;
        if (!stands) {
            return Action.PUBLISH;
        }
        return entry == Entry.TO_WRITE ? Action.WRITE_ENTRY : Action.NOTHING;
    }
}
