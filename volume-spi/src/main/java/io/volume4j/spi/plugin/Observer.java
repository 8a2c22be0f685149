package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.util.List;

/**
 * Asks a backend for its actual state. Calls have no effects.
 *
 * @since 0.1.0
 */
public interface Observer {
    /** The backend's state of these attachments: one answer for each query, in the same order. */
    List<Observation> attachments(List<Query> queries, CallContext context);

    /**
     * Is the volume attached to the node?
     *
     * @param state what the plugin returned when it attached the volume, possibly none
     */
    record Query(VolumeId volume, String nodeName, PluginState state) {
        /** A query about an attachment without state. */
        public Query(VolumeId volume, String nodeName) {
            this(volume, nodeName, PluginState.none());
        }
    }

    /** The answer. */
    enum Observation {
        PRESENT,
        /** Authoritative: the backend answered that the volume is not attached to the node. */
        ABSENT,
        /** The backend could not be asked, or its answer is not definite. Never means absence. */
        UNKNOWN
    }
}
