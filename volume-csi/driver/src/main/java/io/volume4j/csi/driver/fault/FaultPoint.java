package io.volume4j.csi.driver.fault;

/**
 * Where on a call's way it goes wrong.
 *
 * @since 0.1.0
 */
public enum FaultPoint {
    /** The call has arrived and has done nothing. */
    BEFORE,
    /** The call is about to do its work, and will do it unless the fault is its end. */
    DURING,
    /** The work is done and kept; the answer is not sent yet. */
    AFTER
}
