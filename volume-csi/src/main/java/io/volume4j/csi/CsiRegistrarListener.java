package io.volume4j.csi;

import io.volume4j.csi.CsiNodes.CsiNode;

/**
 * Hears what becomes of drivers. Called on one thread at a time; must not block. What it throws is logged.
 *
 * @since 0.1.0
 */
public interface CsiRegistrarListener {
    /** Takes no notice. */
    CsiRegistrarListener NONE = new CsiRegistrarListener() {};

    /** A driver is a plugin of the registry from now on. */
    default void registered(CsiPlugin plugin) {}

    /** It is none any more. */
    default void unregistered(String driver) {}

    /**
     * A driver could not be registered; it is tried again while its socket is there.
     *
     * @param socket where it, or its registrar, listens
     */
    default void failed(CsiEndpoint socket, String reason) {}

    /** The driver tells of its node for the first time, or something else than before. */
    default void nodeChanged(String driver, CsiNode node) {}

    /**
     * How the driver is, whenever that has changed.
     *
     * @param reason what the driver said, {@code ""} if it is ready
     */
    default void liveness(String driver, Liveness liveness, String reason) {}

    /** How a driver is. */
    enum Liveness {
        READY,
        /** It is still initialising and must be left in peace. */
        STARTING,
        /** It says so itself, or does not answer; its supervisor may start it anew. */
        UNWELL
    }
}
