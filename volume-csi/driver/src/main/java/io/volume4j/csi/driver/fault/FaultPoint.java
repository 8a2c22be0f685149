package io.volume4j.csi.driver.fault;

/**
 * The point in a call at which a fault happens.
 *
 * @since 0.1.0
 */
public enum FaultPoint {
    /** The driver has received the call and has done nothing. */
    BEFORE,
    /** The driver is about to do the work. It does the work unless the fault ends the call. */
    DURING,
    /** The work is done and stored; the answer is not sent yet. */
    AFTER
}
