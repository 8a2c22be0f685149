package io.volume4j.core.control.host;

/** Reasons of the events that the host tells for every feature. */
public final class HostReason {
    private HostReason() {}

    /** What must be written to the cluster cannot be written, so that nothing goes on. */
    public static final String FAILED_WRITE = "FailedWrite";
}
