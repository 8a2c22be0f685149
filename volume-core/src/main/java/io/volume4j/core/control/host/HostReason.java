package io.volume4j.core.control.host;

/** Reasons of events that the host sends for every feature. */
public final class HostReason {
    private HostReason() {}

    /** The controller cannot write to the cluster, so it cannot continue with the object. */
    public static final String FAILED_WRITE = "FailedWrite";
}
