package io.volume4j.csi.driver.fault;

import java.time.Duration;
import java.util.Locale;

/**
 * What goes wrong.
 *
 * @param kind how
 * @param code of the status, for {@link Kind#STATUS}; else empty
 * @param message of the status; empty for one that names the rule
 * @param delay for {@link Kind#DELAY} and {@link Kind#DRIP}; else zero
 * @param bytes for {@link Kind#OVERSIZE}; else zero
 * @since 0.1.0
 */
public record FaultAction(Kind kind, String code, String message, Duration delay, long bytes) {
    /** The ways in which a call can go wrong. */
    public enum Kind {
        /** The call ends with a status. */
        STATUS,
        /** The call goes on after a while, whether or not the caller still waits. */
        DELAY,
        /** The call goes on when the caller has given it up: what it does then comes late. */
        LATE,
        /** Nothing more happens until the caller gives the call up; then it ends without having gone on. */
        HANG,
        /** All connections to the endpoint break. */
        RESET,
        /** The driver stops sending on all connections to the endpoint, and still reads. */
        HALF_CLOSE,
        /** The answer carries this many bytes more, in a field that no client knows. */
        OVERSIZE,
        /** From now on each byte to the callers of the endpoint is sent by itself, with a delay before it. */
        DRIP,
        /** The driver dies as it does of SIGKILL, and finds everything again when it comes back. */
        CRASH,
        /** The driver dies and forgets what it knew; mounts and volumes' content stay behind. */
        CRASH_LOSING_STATE;

        /** As it is written in a script. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Ends the call with this code, such as {@code UNAVAILABLE}. */
    public static FaultAction status(String code, String message) {
        return new FaultAction(Kind.STATUS, code, message, Duration.ZERO, 0);
    }

    public static FaultAction delay(Duration delay) {
        return new FaultAction(Kind.DELAY, "", "", delay, 0);
    }

    public static FaultAction drip(Duration perByte) {
        return new FaultAction(Kind.DRIP, "", "", perByte, 0);
    }

    public static FaultAction oversize(long bytes) {
        return new FaultAction(Kind.OVERSIZE, "", "", Duration.ZERO, bytes);
    }

    /** One that needs no more than its kind. */
    public static FaultAction of(Kind kind) {
        return new FaultAction(kind, "", "", Duration.ZERO, 0);
    }
}
