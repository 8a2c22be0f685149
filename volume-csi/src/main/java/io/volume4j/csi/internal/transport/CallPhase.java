package io.volume4j.csi.internal.transport;

/** How far a failed call got. Decides whether the driver can have done anything. */
public enum CallPhase {
    /** The request was not sent, so it had no effect. An earlier call may still run. */
    NEVER_SENT,
    /** The driver may have received the request or a part of it; it has not answered. */
    SENT_WITHOUT_ANSWER,
    /** The driver itself reported the failure. */
    ANSWERED
}
