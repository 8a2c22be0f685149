package io.volume4j.csi;

/**
 * Called for each RPC, on the thread that makes it. Must be thread-safe and return soon. An exception of it fails the call.
 *
 * @since 0.1.0
 */
public interface CsiCallListener {
    /** Takes no notice. */
    CsiCallListener NONE = new CsiCallListener() {};

    /** The call is about to be checked and sent. */
    default void begins(CsiCall call) {}

    /** The call is over; {@link CsiCall#duration()} and {@link CsiCall#code()} are known. */
    default void ends(CsiCall call) {}
}
