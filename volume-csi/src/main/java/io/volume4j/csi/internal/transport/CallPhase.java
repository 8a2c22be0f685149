package io.volume4j.csi.internal.transport;

/** How far a call got that did not succeed. Decides whether the driver can have done anything. */
public enum CallPhase {
    /** The request never left: nothing happened. An earlier call may still be at work. */
    NEVER_SENT,
    /** The request, or part of it, may have reached the driver, and no answer of the driver came back. */
    SENT_WITHOUT_ANSWER,
    /** The driver itself said what went wrong. */
    ANSWERED
}
