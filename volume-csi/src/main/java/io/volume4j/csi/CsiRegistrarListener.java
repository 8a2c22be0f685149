package io.volume4j.csi;

import io.volume4j.csi.CsiNodes.CsiNode;

/**
 * Receives changes of drivers. The registrar calls it on one thread at a time; it must not block. The registrar logs
 * what the listener throws.
 *
 * @since 0.1.0
 */
public interface CsiRegistrarListener {
    /** A listener that does nothing. */
    CsiRegistrarListener NONE = new CsiRegistrarListener() {};

    /** A driver is registered as a plugin. */
    default void registered(CsiPlugin plugin) {}

    /** A driver is no longer registered. */
    default void unregistered(String driver) {}

    /**
     * A driver could not be registered. The registrar retries as long as its socket exists.
     * @param socket the socket of the driver or of its registrar
     */
    default void failed(CsiEndpoint socket, String reason) {}

    /** The driver reported its node for the first time, or its report changed. */
    default void nodeChanged(String driver, CsiNode node) {}

    /**
     * The liveness of a driver changed.
     * @param reason the driver's message, {@code ""} if it is ready
     */
    default void liveness(String driver, Liveness liveness, String reason) {}

    /** The liveness of a driver. */
    enum Liveness {
        READY,
        /** The driver is still initialising; the host must not restart it. */
        STARTING,
        /** The driver reports an error or does not answer; its supervisor may restart it. */
        UNWELL
    }
}
