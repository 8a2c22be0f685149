package io.volume4j.csi;

/**
 * Observes each RPC, on the thread that makes the RPC. Implementations must be thread-safe and return soon. An
 * exception of the listener fails the call.
 *
 * @since 0.1.0
 */
public interface CsiCallListener {
    /** A listener that does nothing. */
    CsiCallListener NONE = new CsiCallListener() {};

    /** The call begins: the library will now check and send the request. */
    default void begins(CsiCall call) {}

    /** The call ended; {@link CsiCall#duration()} and {@link CsiCall#code()} are set. */
    default void ends(CsiCall call) {}
}
