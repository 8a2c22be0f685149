package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.util.List;

/**
 * Sees what a backend really holds. Calls have no effects.
 *
 * @since 0.1.0
 */
public interface Observer {
    /** What the backend knows of attachments of these volumes, one answer for each, in the order asked. */
    List<Observation> attachments(List<Query> queries, CallContext context);

    /** Is the volume attached to the node? */
    record Query(VolumeId volume, String nodeName) {}

    /** The answer. */
    enum Observation {
        PRESENT,
        /** Authoritative: the backend was asked and does not have it. */
        ABSENT,
        /** The backend could not be asked or did not say. Never to be taken for absence. */
        UNKNOWN
    }
}
