package io.volume4j.core.node.attach;

import org.jspecify.annotations.Nullable;

/**
 * Determines which data about a plugin the node publishes next. The node queries a plugin once for each registration,
 * because a driver that returns may be another version. It queries again when the CSIDriver object requests it. It
 * writes the answer to its Node object and, for a driver, to its CSINode object. A plugin without a limit does not
 * change a limit that another program wrote.
 *
 * @param nodeThere whether the cluster has an object of this node
 * @param reports whether the plugin reports how many volumes the node can have
 * @param known the limit that the plugin reported since its registration, 0 for none; null if the node must query it
 * @param published the limit in the node's object, null for none
 * @param publishedHere whether this agent wrote that limit
 * @param entry whether the node must write or remove the plugin's entry in its CSINode object
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
        /** The entry is up to date as far as this agent knows, or the plugin has none. */
        STANDS,
        /** The plugin reported data that this agent has not written yet. */
        TO_WRITE,
        /** The plugin is removed, and this agent has written its entry. */
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
