package io.volume4j.core.node.attach;

import org.jspecify.annotations.Nullable;

/**
 * What decides whether the cluster is to be told how many volumes of a plugin the node can have.
 *
 * @param nodeThere whether there is an object to tell it in
 * @param reports whether the plugin says it
 * @param known what the plugin said since it was registered, 0 for no limit; null if it was not asked
 * @param published what the node's object says, null for nothing
 * @param publishedHere whether this agent wrote that
 */
record LimitView(
        String plugin,
        boolean nodeThere,
        boolean reports,
        @Nullable Long known,
        @Nullable Long published,
        boolean publishedHere) {}
