package io.volume4j.csi.driver.fault;

import java.time.Duration;
import java.util.Locale;

/**
 * The effect of a fault.
 *
 * @param kind of the effect
 * @param code of the status, for {@link Kind#STATUS}; else empty
 * @param message of the status; if empty, the message names the RPC
 * @param delay for {@link Kind#DELAY} and {@link Kind#DRIP}; else zero
 * @param bytes for {@link Kind#OVERSIZE}; else zero
 * @since 0.1.0
 */
public record FaultAction(Kind kind, String code, String message, Duration delay, long bytes) {
    /** The kinds of effects. */
    public enum Kind {
        /** The call ends with a status. */
        STATUS,
        /** The call continues after a delay, whether or not the caller still waits. */
        DELAY,
        /** The call continues after the caller has cancelled it, so its effect is late. */
        LATE,
        /** The call waits until the caller cancels it, and then ends without continuing. */
        HANG,
        /** All connections to the endpoint break. */
        RESET,
        /** The driver stops sending on all connections to the endpoint, and still reads. */
        HALF_CLOSE,
        /** The answer has this many additional bytes, in a field that no client knows. */
        OVERSIZE,
        /** From now on the endpoint sends each byte separately, with a delay before it. */
        DRIP,
        /** The driver dies as after SIGKILL, and keeps its state for the restart. */
        CRASH,
        /** The driver dies and loses its state; mounts and the content of volumes stay. */
        CRASH_LOSING_STATE;

        /** The name in a script. */
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

    /** An action without parameters. */
    public static FaultAction of(Kind kind) {
        return new FaultAction(kind, "", "", Duration.ZERO, 0);
    }
}
